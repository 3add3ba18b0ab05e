import type { Context, Decision } from '../../decider.ts';
import { refuse } from '../../refusal.ts';
import { getOwn } from '../../util/get-own.ts';
import type { ConversationInput } from '../commands.ts';
import { MessageVersioned } from '../events.ts';
import type { ThreadState } from '../state.ts';
import { shouldDraft } from './answers.ts';

/** Versions of one message after its first, and messages of one agent in a thread that have any (T35, T23). */
const MAX_VERSIONS = 50;
const MAX_EDITED_BY_AGENT = 100;

/** The author of a message gives it another text; the earlier ones stay in the log (T35). */
export function editMessage(state: ThreadState, input: ConversationInput<'edit'>, { actor }: Context): Decision {
  const { event, author, text } = input;
  if (author !== actor.id)
    return refuse('forbidden', `Only ${author}, who wrote it, may edit this message. Reply to it instead.`, {
      participant: actor.id,
    });
  if (actor.kind !== 'human' && shouldDraft(state, actor.id))
    return refuse('forbidden', `${actor.id} can only write drafts here. Write a new draft.`, {
      participant: actor.id,
    });
  const earlier = getOwn(state.edits ?? {}, event);
  if ((earlier?.count ?? 0) >= MAX_VERSIONS)
    return refuse(
      'limit_reached',
      `This message has ${MAX_VERSIONS} versions, which is the limit. Post a new message.`,
    );
  const editedByActor = Object.values(state.edits ?? {}).filter(({ by }) => by === actor.id).length;
  if (!earlier && actor.kind !== 'human' && editedByActor >= MAX_EDITED_BY_AGENT)
    return refuse(
      'limit_reached',
      `${actor.id} has edited ${MAX_EDITED_BY_AGENT} messages here, which is the limit. Post a new message.`,
    );
  return [MessageVersioned.of(state.id, { of: event, text })];
}
