import type { Decision } from '../../decider.ts';
import type { ModeContext } from '../../mode.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { diffWords } from '../../text/diff.ts';
import type { DialogueInputOf } from '../commands.ts';
import { TurnAccepted } from '../events.ts';
import { endRun } from '../runs/runs.ts';
import { type Dialogue, latestReply, type Turn } from '../state.ts';
import type { DialogueDraft } from './drafts.ts';
import { refuseUnknownDraft, requireOpenTurn } from './open-turn.ts';

/** A draft becomes the answer. The turn's run ends, and its other drafts leave the views (D5). */
export function decideAccept(state: Dialogue, input: DialogueInputOf<'accept'>, { thread }: ModeContext): Decision {
  const open = requireOpenTurn(state, input.turn);
  if (isRefusal(open)) return open;
  const draft = input.draft === undefined ? defaultDraft(open) : draftByIndex(open, input.draft);
  if (isRefusal(draft)) return draft;
  const { turn } = open;
  const isEdited = input.text !== undefined && input.text !== draft.text;
  const edited = isEdited
    ? { text: input.text as string, difference: diffWords(draft.text, input.text as string) }
    : undefined;
  return [TurnAccepted.of(thread.id, { turn, draft: draft.index, edited }), ...endRun(state, 'accepted', thread.id)];
}

/** The latest reply, never a signal. Right after a word signal the choice would be a guess, so it is refused (D9). */
function defaultDraft(open: Turn): DialogueDraft | Refusal {
  const reply = latestReply(open);
  if (!reply) return refuse('unknown_draft', `Turn ${open.turn} has no reply yet that could be accepted.`);
  const { latest } = open.drafts;
  if (latest?.signal !== 'word') return reply;
  return refuse(
    'ambiguous_accept',
    `The newest entry, #${latest.index}, is the word "${latest.text.trim()}"; the latest reply is #${reply.index}. Choose one: accept ${reply.index}, or accept ${latest.index}.`,
    { drafts: [reply.index, latest.index] },
  );
}

function draftByIndex(open: Turn, index: number): DialogueDraft | Refusal {
  const draft = open.drafts.get(index);
  if (!draft) return refuseUnknownDraft(index, open);
  if (draft.signal !== 'soft') return draft;
  const reply = [...open.drafts.newestFirst(index)].find(({ signal }) => signal === null);
  const hint = reply ? ` It endorses #${reply.index}: accept ${reply.index}.` : '';
  return refuse('not_a_reply', `#${index} is a "+1", not a reply.${hint}`, { draft: index });
}
