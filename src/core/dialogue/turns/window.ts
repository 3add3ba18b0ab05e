import type { DialogueConfig } from '../config.ts';
import { latestReply, type Turn } from '../state.ts';
import type { DialogueDraft } from './drafts.ts';

/** A draft in the mind's window: whole, or abridged to its beginning and end. */
export interface WindowEntry {
  readonly draft: DialogueDraft;
  readonly text: string;
}

type WindowLimits = Pick<DialogueConfig, 'draft_display_chars' | 'draft_display_count'>;

/**
 * The newest drafts that fit the limits on characters and entries, oldest first (D12, D19). Only signals can be newer
 * than the latest reply. They leave it one entry and half of the characters, so that it is always shown (D30).
 */
export function windowOf(turn: Turn, limits: WindowLimits): readonly WindowEntry[] {
  const { drafts, cleared } = turn;
  const { draft_display_chars: chars, draft_display_count: maxCount } = limits;
  const latest = latestReply(turn);
  const reply = latest && latest.index > cleared ? latest : undefined;
  const entries: WindowEntry[] = [];
  let charsLeft = chars;
  const take = (draft: DialogueDraft, text = draft.text) => {
    entries.push({ draft, text });
    charsLeft -= text.length;
  };
  for (const draft of drafts.newestFirst()) {
    if (draft.index <= Math.max(cleared, reply?.index ?? 0)) break;
    if (entries.length === (reply ? maxCount - 1 : maxCount) || charsLeft - draft.text.length < (reply ? chars / 2 : 0))
      break;
    take(draft);
  }
  if (reply) take(reply, reply.text.length > charsLeft ? abridge(reply.text, charsLeft) : reply.text);
  for (const draft of reply ? drafts.newestFirst(reply.index - 1) : []) {
    if (draft.index <= cleared || entries.length === maxCount || draft.text.length > charsLeft) break;
    take(draft);
  }
  return entries.reverse();
}

/** Whether the mind still sees the reply that a person would accept; undefined if there is no reply (D13). */
export function isReplyShown(turn: Turn): boolean | undefined {
  const reply = latestReply(turn);
  return reply && reply.index > turn.cleared;
}

/** Keeps equally many characters from both ends, marks the gap, and never splits a character. */
function abridge(text: string, chars: number): string {
  const half = Math.floor(chars / 2);
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(-half).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}\n[… ${text.length - head.length - tail.length} characters not shown …]\n${tail}`;
}
