import { type DiffHunk, diffWords } from '../../text/diff.ts';
import type { Dialogue, Turn } from '../state.ts';
import type { DialogueDraft } from '../turns/drafts.ts';
import { hasSeen, lastSeenIndex } from '../turns/seen-ranges.ts';

/** Drafts that say nearly the same, and the one of them to look at (D16). */
export interface Family {
  readonly best: number;
  readonly text: string;
  /** All of them, newest first. */
  readonly drafts: readonly number[];
  /** From the last reply the person has seen to the best of these. */
  readonly difference?: readonly DiffHunk[];
}

export interface AwayView {
  readonly turn: number | null;
  /** The last reply that was seen. */
  readonly last_seen: number | null;
  readonly iterations: number;
  readonly unseen: number;
  readonly endorsements: number;
  readonly words: readonly string[];
  /** The one with the newest draft first. */
  readonly families: readonly Family[];
  /** Unseen replies older than those that were put into families. */
  readonly older: number;
}

/** Replies that are looked at: whoever was away longer reads the newest of them. */
const MAX_REPLIES = 200;
const MIN_SIMILARITY = 0.6;

/** What came since the person last looked: not draft by draft, but what there is to choose from. */
export function awayView({ open }: Dialogue): AwayView {
  if (!open) {
    return {
      turn: null,
      last_seen: null,
      iterations: 0,
      unseen: 0,
      endorsements: 0,
      words: [],
      families: [],
      older: 0,
    };
  }
  const seenReply = lastSeenReply(open);
  // Older ones that were passed over came before, not meanwhile.
  const seenUpTo = lastSeenIndex(open.seen) ?? 0;
  const unseen = [...open.drafts.newestFirst()].filter(({ index }) => index > seenUpTo);
  const replies = unseen.filter(({ signal }) => signal === null);
  const words = unseen.filter(({ signal }) => signal === 'word').map(({ text }) => text.trim());
  return {
    turn: open.turn,
    last_seen: seenReply?.index ?? null,
    iterations: open.counts.iterations - ((seenReply?.iter ?? open.iter) - open.iter),
    unseen: unseen.length,
    endorsements: unseen.filter(({ signal }) => signal === 'soft').length,
    words: [...new Set(words)],
    families: groupFamilies(replies.slice(0, MAX_REPLIES), open, seenReply),
    older: Math.max(0, replies.length - MAX_REPLIES),
  };
}

function groupFamilies(
  replies: readonly DialogueDraft[],
  open: Turn,
  seenReply: DialogueDraft | undefined,
): readonly Family[] {
  const groups: {
    readonly words: ReadonlyMap<string, number>;
    readonly size: number;
    readonly drafts: DialogueDraft[];
  }[] = [];
  for (const draft of replies) {
    const words = wordsOf(draft.text);
    const size = sizeOf(words);
    const group = groups.find((each) => bagSimilarity(each, { words, size }) >= MIN_SIMILARITY);
    if (group) group.drafts.push(draft);
    else groups.push({ words, size, drafts: [draft] });
  }
  return groups.map(({ drafts }) => {
    const best = bestOf(drafts, open);
    return {
      best: best.index,
      text: best.text,
      drafts: drafts.map(({ index }) => index),
      ...(seenReply && { difference: diffWords(seenReply.text, best.text) }),
    };
  });
}

/** What the mind called final, then what it endorsed, then what it was surest of, then the newest. */
function bestOf(drafts: readonly DialogueDraft[], open: Turn): DialogueDraft {
  const rank = (draft: DialogueDraft) => [
    draft.status === 'final' ? 1 : 0,
    countEndorsements(open, draft.index),
    draft.confidence ?? 0,
    draft.index,
  ];
  return drafts.reduce((best, draft) => (compareRanks(rank(draft), rank(best)) > 0 ? draft : best));
}

/** How many `+1` follow it before the next reply. */
function countEndorsements({ drafts }: Turn, index: number): number {
  let count = 0;
  for (let at = index + 1; drafts.get(at)?.signal; at++) if (drafts.get(at)?.signal === 'soft') count++;
  return count;
}

function lastSeenReply(open: Turn): DialogueDraft | undefined {
  for (const draft of open.drafts.newestFirst(lastSeenIndex(open.seen) ?? 0)) {
    if (draft.signal === null && hasSeen(open.seen, draft.index)) return draft;
  }
  return undefined;
}

/** How much two texts have in common: 1 for the same words, 0 for none. */
export function textSimilarity(a: string, b: string): number {
  if (a === b) return 1;
  const [one, other] = [wordsOf(a), wordsOf(b)];
  return bagSimilarity({ words: one, size: sizeOf(one) }, { words: other, size: sizeOf(other) });
}

function wordsOf(text: string): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

interface WordBag {
  readonly words: ReadonlyMap<string, number>;
  readonly size: number;
}

function sizeOf(words: ReadonlyMap<string, number>): number {
  let size = 0;
  for (const count of words.values()) size += count;
  return size;
}

/** Words in common, out of those of both: 1 for the same words, 0 for none. */
function bagSimilarity(a: WordBag, b: WordBag): number {
  if (a.size + b.size === 0) return 1;
  if (2 * Math.min(a.size, b.size) < MIN_SIMILARITY * (a.size + b.size)) return 0;
  let common = 0;
  for (const [word, count] of a.words) common += Math.min(count, b.words.get(word) ?? 0);
  return (2 * common) / (a.size + b.size);
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
}
