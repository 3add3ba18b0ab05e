import type { Context } from '../../decider.ts';
import type { EventMeta, NewEvent } from '../../events/event.ts';
import type { Refusal } from '../../refusal.ts';
import { getOwn } from '../../util/get-own.ts';
import { withAuditSpec } from '../audit/audit.ts';
import type { ConversationInput } from '../commands.ts';
import { ControlPosted } from '../events.ts';
import type { ThreadState } from '../state.ts';
import { checkProfile, knownProfileFor } from './profiles.ts';
import { resolveInviteSpelling } from './spellings.ts';

/** Builds an invitation. A human may give a profile; for an agent's invitation the server uses what it knows (T22). */
export function buildInvitation(
  state: ThreadState,
  { participant_id: id, profile }: ConversationInput<'create'>['invite'][number],
  source: ThreadState | undefined,
  context: Context,
  meta?: EventMeta,
): NewEvent | Refusal {
  const participant_id = resolveInviteSpelling(state, id, context);
  const refusal = checkProfile(state, participant_id, profile, context);
  if (refusal) return refusal;
  const canDescribe = context.actor.kind === 'human' || context.actor.id === participant_id;
  const knownProfile = knownProfileFor(state, participant_id, canDescribe ? undefined : source, context);
  const finalProfile = canDescribe
    ? withAuditSpec(state, participant_id, { ...knownProfile, ...profile })
    : knownProfile;
  const isFromServer = !canDescribe && Object.keys(finalProfile).length > 0;
  const isBare = !canDescribe && !isFromServer && !getOwn(state.participants, participant_id);
  const markedMeta = isFromServer
    ? { ...meta, profiled: true as const }
    : isBare
      ? { ...meta, bare: true as const }
      : meta;
  const content = { invite: { participant_id, profile: finalProfile } };
  return ControlPosted.of(state.id, content, markedMeta && { meta: markedMeta });
}
