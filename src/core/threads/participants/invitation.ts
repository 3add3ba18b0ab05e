import type { Context } from '../../decider.ts';
import type { Json, Meta, NewEvent } from '../../events/event.ts';
import type { Refusal } from '../../refusal.ts';
import { own } from '../../util/get-own.ts';
import { withSpec } from '../audit/audit.ts';
import type { InputOf } from '../commands.ts';
import type { ThreadState } from '../state.ts';
import { mayProfile, profileFor } from './profiles.ts';
import { spelledToInvite } from './spellings.ts';

/** Who is invited, with the profile a human gives, or what the server knows of it where an agent invites (T22). */
export function invitation(
  state: ThreadState,
  { participant_id: id, profile }: InputOf<'create'>['invite'][number],
  source: ThreadState | undefined,
  context: Context,
  meta?: Meta,
): NewEvent | Refusal {
  const participant_id = spelledToInvite(state, id, context);
  const refused = mayProfile(state, participant_id, profile, context);
  if (refused) return refused;
  const isTheirs = context.actor.kind === 'human' || context.actor.id === participant_id;
  const known = profileFor(state, participant_id, isTheirs ? undefined : source, context);
  const given = isTheirs ? withSpec(state, participant_id, { ...known, ...profile }) : known;
  const isOurs = !isTheirs && Object.keys(given).length > 0;
  const isBare = !isTheirs && !isOurs && !own(state.participants, participant_id);
  const marked = isOurs ? { ...meta, profiled: true as const } : isBare ? { ...meta, bare: true as const } : meta;
  const content = { invite: { participant_id, profile: given } as unknown as Json };
  return { thread: state.id, type: 'control', content, ...(marked && { meta: marked }) };
}
