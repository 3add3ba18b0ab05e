import type { Decision } from '../decider.ts';
import type { Json } from '../event.ts';
import type { ModeContext } from '../mode.ts';
import { isRefusal, type Refusal, refuse } from '../refusal.ts';
import type { InputOf } from './commands.ts';
import type { Draft } from './drafts.ts';
import { endRun } from './runs.ts';
import { type Dialogue, type Difference, latestReply, type Turn } from './state.ts';
import { unknownDraft, waiting } from './waiting.ts';

/** A draft becomes the answer; a run about it is over, and the others leave the views (D5). */
export function decideAccept(state: Dialogue, input: InputOf<'accept'>, { thread }: ModeContext): Decision {
  const open = waiting(state, input.turn);
  if (isRefusal(open)) return open;
  const draft = input.draft === undefined ? byDefault(open) : byIndex(open, input.draft);
  if (isRefusal(draft)) return draft;
  const { turn } = open;
  const changed = input.text !== undefined && input.text !== draft.text;
  const edited = changed
    ? { text: input.text as string, difference: difference(draft.text, input.text as string) }
    : undefined;
  const content = { turn, draft: draft.index, ...(edited && { edited }) };
  return [
    { thread: thread.id, type: 'turn.accepted', content: content as Json },
    ...endRun(state, 'accepted', thread.id),
  ];
}

/** The latest reply, never a signal; right after a word it would be a guess what was meant (D9). */
function byDefault(open: Turn): Draft | Refusal {
  const reply = latestReply(open);
  if (!reply) return refuse('unknown_draft', `Turn ${open.turn} has no reply yet that could be accepted.`);
  const { latest } = open.drafts;
  if (latest?.signal !== 'word') return reply;
  return refuse(
    'ambiguous_accept',
    `The newest entry, #${latest.index}, is the word "${latest.text.trim()}"; the latest reply is #${reply.index}. Say which: accept ${reply.index}, or accept ${latest.index}.`,
    { drafts: [reply.index, latest.index] },
  );
}

function byIndex(open: Turn, index: number): Draft | Refusal {
  const draft = open.drafts.get(index);
  if (!draft) return unknownDraft(index, open);
  if (draft.signal !== 'soft') return draft;
  const reply = [...open.drafts.newestFirst(index)].find(({ signal }) => signal === null);
  const meant = reply ? ` It endorses #${reply.index}: accept ${reply.index}.` : '';
  return refuse('not_a_reply', `#${index} is a "+1", not a reply.${meant}`, { draft: index });
}

/** What the person kept, took out and put in. */
function difference(before: string, after: string): Difference {
  const [old, fresh] = [words(before), words(after)];
  const most = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < most && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  const parts: Difference = [
    [0, old.slice(0, head).join('')],
    [-1, old.slice(head, old.length - tail).join('')],
    [1, fresh.slice(head, fresh.length - tail).join('')],
    [0, old.slice(old.length - tail).join('')],
  ];
  return parts.filter(([, text]) => text !== '');
}

function words(text: string): readonly string[] {
  return text.match(/\s+|[^\s]+/g) ?? [];
}
