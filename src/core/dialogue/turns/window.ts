import type { Config } from '../config.ts';
import { latestReply, type Turn } from '../state.ts';
import type { Draft } from './drafts.ts';

/** A draft as the mind is shown it: whole, or its two ends. */
export interface Entry {
  readonly draft: Draft;
  readonly text: string;
}

type Limits = Pick<Config, 'draft_display_chars' | 'draft_display_count'>;

/**
 * The newest drafts until characters or entries run out; listed oldest to newest (D12, D19). Behind the latest reply
 * there are signals only: they leave it a place and half of the room, so that it is always there (D30).
 */
export function windowOf(turn: Turn, limits: Limits): readonly Entry[] {
  const { drafts, cleared } = turn;
  const { draft_display_chars: chars, draft_display_count: most } = limits;
  const latest = latestReply(turn);
  const reply = latest && latest.index > cleared ? latest : undefined;
  const entries: Entry[] = [];
  let room = chars;
  const take = (draft: Draft, text = draft.text) => {
    entries.push({ draft, text });
    room -= text.length;
  };
  for (const draft of drafts.newestFirst()) {
    if (draft.index <= Math.max(cleared, reply?.index ?? 0)) break;
    if (entries.length === (reply ? most - 1 : most) || room - draft.text.length < (reply ? chars / 2 : 0)) break;
    take(draft);
  }
  if (reply) take(reply, reply.text.length > room ? ends(reply.text, room) : reply.text);
  for (const draft of reply ? drafts.newestFirst(reply.index - 1) : []) {
    if (draft.index <= cleared || entries.length === most || draft.text.length > room) break;
    take(draft);
  }
  return entries.reverse();
}

/** Whether the mind is still shown the reply that a person would accept; undefined where there is none (D13). */
export function isReplyShown(turn: Turn): boolean | undefined {
  const best = latestReply(turn);
  return best && best.index > turn.cleared;
}

/** Its first and last characters, as many of each, with a mark of what is missing; never half a character. */
function ends(text: string, chars: number): string {
  const half = Math.floor(chars / 2);
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(-half).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}\n[… ${text.length - head.length - tail.length} characters not shown …]\n${tail}`;
}
