import { addressOfLink, linkTo, readLink } from '../../link.ts';
import type { Origin } from '../../origin.ts';
import type { ThreadSummary } from './view.ts';

/** How one thread came of another. */
export interface Step {
  readonly how: 'opened' | 'brought' | 'forked' | 'side';
  /** The place that it came from, and the place that came of it. */
  readonly from: string;
  readonly to: string;
  /** The threads of both. */
  readonly between: readonly [string, string];
  /** What it was: a message, a draft, a node … */
  readonly what?: string;
}

export interface Trail {
  /** The thread itself first, then the others by how far they are. */
  readonly threads: readonly TrailThread[];
  readonly steps: readonly Step[];
  /** There are more threads than these. */
  readonly more: boolean;
}

export interface TrailThread {
  readonly id: string;
  readonly title: string;
  readonly kind: ThreadSummary['kind'];
  readonly link: string;
  readonly done: boolean;
}

const MOST = 100;

/** Everything that goes back to the same beginnings as this thread, and how: from the rows of threads alone. */
export function trailOf(rows: readonly ThreadSummary[], thread: string, most = MOST): Trail {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const all = rows.flatMap((row) => stepsInto(row, byId));
  const touching = new Map<string, Step[]>();
  for (const step of all) {
    for (const end of new Set(step.between)) touching.set(end, [...(touching.get(end) ?? []), step]);
  }
  const found = new Set(byId.has(thread) ? [thread] : []);
  let more = false;
  for (const id of found) {
    for (const { between } of touching.get(id) ?? []) {
      for (const next of between) {
        if (found.size < most) found.add(next);
        else more ||= !found.has(next);
      }
    }
  }
  return {
    threads: [...found].map((id) => told(byId.get(id) as ThreadSummary)),
    steps: all.filter(({ between }) => between.every((id) => found.has(id))),
    more,
  };
}

/** Only those of threads that are there: an export of one thread may name others that did not come along. */
function stepsInto(row: ThreadSummary, byId: ReadonlyMap<string, ThreadSummary>): readonly Step[] {
  const { id, origin, brought = [], forked_from, side_of } = row;
  const own = linkTo(row);
  const steps: Step[] = [
    ...(forked_from ? [step('forked', forked_from.thread, id, own)] : []),
    ...(side_of ? [step('side', side_of, id, own)] : []),
    ...(origin ? [{ ...step('opened', origin.thread, id, own), from: placeOfOrigin(origin), what: origin.what }] : []),
    ...brought.map(({ from, at }) => ({
      ...step('brought', from.thread, id, linkTo(row, at)),
      ...{ from: placeOfOrigin(from), what: from.what },
    })),
  ];
  return steps.filter(({ between: [from] }) => byId.has(from));

  function step(how: Step['how'], from: string, into: string, to: string): Step {
    const source = byId.get(from);
    return { how, from: source ? linkTo(source) : '', to, between: [from, into] };
  }
}

/** The address of an origin: a place in this workspace, whatever an event of somebody's file says. */
export function placeOfOrigin({ link }: Pick<Origin, 'link'>): string {
  const place = readLink(link);
  return place ? addressOfLink(place) : '/';
}

function told(row: ThreadSummary): TrailThread {
  const { id, title, kind, done } = row;
  return { id, title, kind, link: linkTo(row), done };
}
