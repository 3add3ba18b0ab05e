import type { IterationContent } from '../../../../src/core/dialogue/state.ts';
import type { WireEvent } from '../../../../src/protocol/wire.ts';
import type { Draft } from '../queries.ts';

/** The drafts of the turn that waits, newest first; those further back are read as one scrolls. */
export interface Buffer {
  readonly turn: number | null;
  readonly drafts: readonly Draft[];
  readonly total: number;
  /** Iterations there had been when the turn began. */
  readonly began: number;
  /** What went wrong, by iteration. */
  readonly failed: ReadonlyMap<number, string>;
  /** Iterations in which the model answered with nothing at all. */
  readonly empty: ReadonlySet<number>;
  /** Iterations in which the small model spoke. */
  readonly small: ReadonlySet<number>;
}

/** The buffer with an iteration that was just heard; undefined when it does not join what is there. */
export function heardDraft(before: Buffer, { content, ts }: WireEvent): Buffer | undefined {
  const { iter, turn, draft, problem, empty, small } = content as unknown as IterationContent;
  if (turn !== before.turn) return undefined;
  const noted = {
    ...before,
    ...(problem !== undefined && { failed: new Map(before.failed).set(iter, problem) }),
    ...(empty && { empty: new Set(before.empty).add(iter) }),
    ...(small && { small: new Set(before.small).add(iter) }),
  };
  if (!draft || draft.index <= before.total) return noted;
  if (draft.index !== before.total + 1) return undefined;
  const { signal = null, ...rest } = draft;
  const after = iter - (before.drafts[0]?.iter ?? before.began);
  const entry: Draft = { ...rest, signal, iter, seen: false, ts, chars: draft.text.length, after };
  return { ...noted, drafts: [entry, ...before.drafts], total: draft.index };
}

export function markSeen(before: Buffer, { content }: WireEvent): Buffer {
  const { turn, drafts } = content as { turn: number; drafts: number[] };
  if (turn !== before.turn) return before;
  const seen = new Set(drafts);
  return { ...before, drafts: before.drafts.map((each) => (seen.has(each.index) ? { ...each, seen: true } : each)) };
}

/** What a mind did in one iteration, as the rail shows it. */
export interface Mark {
  readonly iter: number;
  readonly kind: 'reply' | 'soft' | 'word' | 'silence' | 'empty' | 'failed';
  readonly draft?: Draft;
  readonly problem?: string;
}

/** Every iteration the drafts at hand reach back to, newest first: those without a draft were silent or failed. */
export function marksOf({ drafts, failed, empty, began }: Buffer, iter: number): readonly Mark[] {
  const marks: Mark[] = [];
  let at = Math.max(iter, drafts[0]?.iter ?? 0);
  const quiet = (down: number) => {
    for (; at > down; at--) {
      const problem = failed.get(at);
      const kind = empty.has(at) ? 'empty' : 'silence';
      marks.push(problem === undefined ? { iter: at, kind } : { iter: at, kind: 'failed', problem });
    }
  };
  for (const draft of drafts) {
    quiet(draft.iter);
    marks.push({ iter: draft.iter, kind: draft.signal ?? 'reply', draft });
    at = draft.iter - 1;
  }
  quiet(Math.max(began, (drafts.at(-1)?.iter ?? 0) - (drafts.at(-1)?.after ?? iter)));
  return marks;
}

/** A reply with what the mind said and did since, up to the reply after it. */
export interface Sheet {
  readonly reply: Draft;
  readonly since: readonly Mark[];
  /** Older ones right before it that say nearly the same. */
  readonly alike: readonly Draft[];
}

/** Replies newest first, those nearly equal to the one before them folded into it; and what came before any reply. */
export function sheetsOf(
  marks: readonly Mark[],
  isAlike: (a: Draft, b: Draft) => boolean,
): { readonly sheets: readonly Sheet[]; readonly before: readonly Mark[] } {
  const sheets: { reply: Draft; since: readonly Mark[]; alike: Draft[] }[] = [];
  let since: Mark[] = [];
  for (const mark of marks) {
    if (mark.kind !== 'reply' || !mark.draft) {
      since.push(mark);
      continue;
    }
    const last = sheets.at(-1);
    if (last && isAlike(last.reply, mark.draft)) last.alike.push(mark.draft);
    else sheets.push({ reply: mark.draft, since, alike: [] });
    since = [];
  }
  return { sheets, before: since };
}
