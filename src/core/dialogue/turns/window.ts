import type { DialogueConfig } from '../config.ts';
import { latestReply, type Turn } from '../state.ts';
import type { DialogueDraft } from './drafts.ts';

/** A draft as the mind is shown it: whole, or its two ends. */
export interface WindowEntry {
  readonly draft: DialogueDraft;
  readonly text: string;
}

type WindowLimits = Pick<DialogueConfig, 'draft_display_chars' | 'draft_display_count'>;

/**
 * The newest drafts until characters or entries run out; listed oldest to newest (D12, D19). Behind the latest reply
 * there are signals only: they leave it a place and half of the room, so that it is always there (D30).
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

/** Whether the mind is still shown the reply that a person would accept; undefined where there is none (D13). */
export function isReplyShown(turn: Turn): boolean | undefined {
  const reply = latestReply(turn);
  return reply && reply.index > turn.cleared;
}

/** Its first and last characters, as many of each, with a mark of what is missing; never half a character. */
function abridge(text: string, chars: number): string {
  const half = Math.floor(chars / 2);
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(-half).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}\n[… ${text.length - head.length - tail.length} characters not shown …]\n${tail}`;
}
