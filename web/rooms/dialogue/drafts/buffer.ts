import type { DraftItem } from '../../../../src/client/index.ts';
import type { DraftsSeen, IterationEnded } from '../../../../src/core/dialogue/events.ts';
import type { EventOf } from '../../../../src/core/events/define.ts';

/** The drafts of the open turn, newest first; older ones load on demand. */
export interface DraftBuffer {
  readonly turn: number | null;
  readonly drafts: readonly DraftItem[];
  readonly total: number;
  /** The number of iterations before the turn began. */
  readonly startIter: number;
  /** Failed iterations: why, and what had arrived of the answer. */
  readonly failed: ReadonlyMap<number, IterationFailure>;
  /** Iterations in which the model's answer was empty. */
  readonly empty: ReadonlySet<number>;
  /** Iterations written by a small model. */
  readonly small: ReadonlySet<number>;
}

export interface IterationFailure {
  readonly problem: string;
  readonly partial?: string | undefined;
}

/** Adds a new iteration to the buffer; undefined if there is a gap before it. */
export function addIteration(
  buffer: DraftBuffer,
  { content, ts }: EventOf<typeof IterationEnded>,
): DraftBuffer | undefined {
  const { iter, turn, draft, problem, partial, empty, small } = content;
  if (turn !== buffer.turn) return undefined;
  const marked = {
    ...buffer,
    ...(problem !== undefined && { failed: new Map(buffer.failed).set(iter, { problem, partial }) }),
    ...(empty && { empty: new Set(buffer.empty).add(iter) }),
    ...(small && { small: new Set(buffer.small).add(iter) }),
  };
  if (!draft || draft.index <= buffer.total) return marked;
  if (draft.index !== buffer.total + 1) return undefined;
  const { signal = null, ...rest } = draft;
  const after = iter - (buffer.drafts[0]?.iter ?? buffer.startIter);
  const newDraft: DraftItem = { ...rest, signal, iter, seen: false, ts, chars: draft.text.length, after };
  return { ...marked, drafts: [newDraft, ...buffer.drafts], total: draft.index };
}

export function markSeen(buffer: DraftBuffer, { content: { turn, drafts } }: EventOf<typeof DraftsSeen>): DraftBuffer {
  if (turn !== buffer.turn) return buffer;
  const seenIndices = new Set(drafts);
  return {
    ...buffer,
    drafts: buffer.drafts.map((each) => (seenIndices.has(each.index) ? { ...each, seen: true } : each)),
  };
}

/** What a mind did in one iteration, as the strip shows it. */
export interface IterationMark {
  readonly iter: number;
  readonly kind: 'reply' | 'soft' | 'word' | 'silence' | 'empty' | 'failed';
  readonly draft?: DraftItem;
  readonly problem?: string;
  readonly partial?: string | undefined;
}

/** All iterations back to the oldest loaded draft, newest first; those without a draft were silent or failed. */
export function marksOf({ drafts, failed, empty, startIter }: DraftBuffer, iter: number): readonly IterationMark[] {
  const marks: IterationMark[] = [];
  let nextIter = Math.max(iter, drafts[0]?.iter ?? 0);
  const addGaps = (until: number) => {
    for (; nextIter > until; nextIter--) {
      const failure = failed.get(nextIter);
      const kind = empty.has(nextIter) ? 'empty' : 'silence';
      marks.push(failure === undefined ? { iter: nextIter, kind } : { iter: nextIter, kind: 'failed', ...failure });
    }
  };
  for (const draft of drafts) {
    addGaps(draft.iter);
    marks.push({ iter: draft.iter, kind: draft.signal ?? 'reply', draft });
    nextIter = draft.iter - 1;
  }
  addGaps(Math.max(startIter, (drafts.at(-1)?.iter ?? 0) - (drafts.at(-1)?.after ?? iter)));
  return marks;
}

/** A reply with the mind's signals and iterations up to the next reply. */
export interface ReplySheet {
  readonly reply: DraftItem;
  readonly since: readonly IterationMark[];
  /** Older replies right before it with nearly the same text. */
  readonly alike: readonly DraftItem[];
}

/** Replies newest first, each with the nearly equal older ones folded into it; and the marks before any reply. */
export function sheetsOf(
  marks: readonly IterationMark[],
  isAlike: (a: DraftItem, b: DraftItem) => boolean,
): { readonly sheets: readonly ReplySheet[]; readonly before: readonly IterationMark[] } {
  const sheets: { reply: DraftItem; since: readonly IterationMark[]; alike: DraftItem[] }[] = [];
  let since: IterationMark[] = [];
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
