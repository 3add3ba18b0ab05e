import { diffWords } from '../../text/diff.ts';
import type { Dialogue, Turn } from '../state.ts';
import type { DialogueDraft } from '../turns/drafts.ts';
import { hasSeen, lastSeenIndex } from '../turns/seen-ranges.ts';
import type { AwayView, Family } from './schema.ts';

/** The newest unseen replies to group; older ones are only counted. */
const MAX_REPLIES = 200;
const MIN_SIMILARITY = 0.6;

/** A digest since the person last looked: the choices there are, instead of every draft. */
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
  // Unseen drafts older than the last seen one were skipped; they did not arrive during the absence.
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

/** Prefers a draft the mind called final, then endorsed, then most confident, then newest. */
function bestOf(drafts: readonly DialogueDraft[], open: Turn): DialogueDraft {
  const rank = (draft: DialogueDraft) => [
    draft.status === 'final' ? 1 : 0,
    countEndorsements(open, draft.index),
    draft.confidence ?? 0,
    draft.index,
  ];
  return drafts.reduce((best, draft) => (compareRanks(rank(draft), rank(best)) > 0 ? draft : best));
}

/** The number of `+1` between this reply and the next. */
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

/** The similarity of two texts: 1 for the same words, 0 for none in common. */
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

/** Shared words divided by all words of both: 1 for the same words, 0 for none in common. */
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
