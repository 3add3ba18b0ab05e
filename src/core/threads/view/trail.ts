import { formatLink, linkTo, parseLink } from '../../link.ts';
import type { Origin } from '../../origin.ts';
import type { ThreadSummary, Trail, TrailStep, TrailThread } from './schema.ts';

const MAX_THREADS = 100;

/** All threads that share an origin with this one, and how they are linked. Needs only the rows of threads. */
export function trailOf(rows: readonly ThreadSummary[], thread: string, limit = MAX_THREADS): Trail {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const allSteps = rows.flatMap((row) => stepsInto(row, byId));
  const stepsByThread = new Map<string, TrailStep[]>();
  for (const step of allSteps) {
    for (const end of new Set(step.between)) stepsByThread.set(end, [...(stepsByThread.get(end) ?? []), step]);
  }
  const reached = new Set(byId.has(thread) ? [thread] : []);
  let more = false;
  for (const id of reached) {
    for (const { between } of stepsByThread.get(id) ?? []) {
      for (const next of between) {
        if (reached.size < limit) reached.add(next);
        else more ||= !reached.has(next);
      }
    }
  }
  return {
    threads: [...reached].map((id) => trailThreadOf(byId.get(id) as ThreadSummary)),
    steps: allSteps.filter(({ between }) => between.every((id) => reached.has(id))),
    more,
  };
}

/** Skips links to missing threads: an export of one thread may name others that it does not include. */
function stepsInto(row: ThreadSummary, byId: ReadonlyMap<string, ThreadSummary>): readonly TrailStep[] {
  const { id, origin, brought = [], forked_from, side_of } = row;
  const address = linkTo(row);
  const steps: TrailStep[] = [
    ...(forked_from ? [step('forked', forked_from.thread, id, address)] : []),
    ...(side_of ? [step('side', side_of, id, address)] : []),
    ...(origin
      ? [{ ...step('opened', origin.thread, id, address), from: originAddress(origin), what: origin.what }]
      : []),
    ...brought.map(({ from, at }) => ({
      ...step('brought', from.thread, id, linkTo(row, at)),
      ...{ from: originAddress(from), what: from.what },
    })),
  ];
  return steps.filter(({ between: [from] }) => byId.has(from));

  function step(how: TrailStep['how'], from: string, into: string, to: string): TrailStep {
    const source = byId.get(from);
    return { how, from: source ? linkTo(source) : '', to, between: [from, into] };
  }
}

/** The address of an origin, always within this workspace, even if an imported event contains something else. */
export function originAddress({ link }: Pick<Origin, 'link'>): string {
  const parsed = parseLink(link);
  return parsed ? formatLink(parsed) : '/';
}

function trailThreadOf(row: ThreadSummary): TrailThread {
  const { id, title, kind, done } = row;
  return { id, title, kind, link: linkTo(row), done };
}
