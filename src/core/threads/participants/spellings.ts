import type { Context } from '../../decider.ts';
import { getOwn } from '../../util/get-own.ts';
import type { ThreadEvent } from '../events.ts';
import type { Participant, ThreadState } from '../state.ts';

type SpellingScope = Pick<ThreadState, 'participants'>;
type SpellingLookup = Pick<Context, 'spelling'>;

/** The spelling of an id in this thread, or in its credential: ids that differ only in case are the same (T29). */
export function resolveSpelling({ participants }: SpellingScope, id: string, { spelling }: SpellingLookup): string {
  const exact = getOwn(participants, id);
  if (exact && !isReplaceable(exact)) return id;
  const spellings = spellingsOf(id, participants);
  const credentialId = spelling?.(id);
  if (credentialId !== undefined && spellings.includes(credentialId)) return credentialId;
  const activeId = spellings.find((each) => !isReplaceable(getOwn(participants, each)));
  return activeId ?? credentialId ?? (exact ? id : spellings[0]) ?? id;
}

/**
 * Like `resolveSpelling`, for an invitation: a human's spelling takes precedence over one that only an agent has used.
 */
export function resolveInviteSpelling(
  state: SpellingScope,
  id: string,
  context: Pick<Context, 'actor'> & SpellingLookup,
): string {
  if (context.actor.kind !== 'human') return resolveSpelling(state, id, context);
  const described = Object.entries(state.participants).filter(([, { bare }]) => !bare);
  return resolveSpelling({ participants: Object.fromEntries(described) }, id, context);
}

/** Finds a participant whose id differs from the actor's only in case: two such ids cannot both take part (T29). */
export function findOtherSpelling({ participants }: SpellingScope, { id, kind }: Context['actor']): string | undefined {
  // An id that somebody else made up never keeps a person out of a thread.
  if (kind === 'human' || Object.hasOwn(participants, id)) return undefined;
  return spellingsOf(id, participants).find((each) => !isReplaceable(getOwn(participants, each)));
}

/** Updates the thread for the spellings of the ids that this event writes or names. */
export function mergeSpellings(state: ThreadState, event: ThreadEvent): ThreadState {
  return idsNamedIn(event).reduce(claimSpelling, state);
}

/** Replaces other spellings that give way to this id, which takes over their pending requests and mutes. */
export function claimSpelling(state: ThreadState, id: string): ThreadState {
  const { participants } = state;
  if (Object.hasOwn(participants, id)) return state;
  const others = spellingsOf(id, participants).filter((each) => isReplaceable(getOwn(participants, each)));
  return others.reduce((current, other) => renameParticipant(current, other, id), state);
}

/** Whether a spelling may be replaced: only an agent has used it, or it was uninvited. */
function isReplaceable(participant: Participant | undefined): boolean {
  return !participant?.human && (participant?.bare === true || !participant?.invited);
}

function spellingsOf(id: string, among: Readonly<Record<string, unknown>>): readonly string[] {
  const lowerId = id.toLowerCase();
  return Object.keys(among).filter((each) => each.toLowerCase() === lowerId);
}

function idsNamedIn(event: ThreadEvent): readonly string[] {
  const { from } = event;
  if (event.type !== 'control') return [from];
  const control = event.content;
  if ('invite' in control) return [from, control.invite.participant_id];
  if ('uninvite' in control) return [from, control.uninvite.participant_id];
  if ('mute' in control) return [from, ...control.mute.targets];
  return 'unmute' in control ? [from, ...control.unmute.targets] : [from];
}

function renameParticipant(state: ThreadState, from: string, to: string): ThreadState {
  const { [from]: _, ...participants } = state.participants;
  const { [from]: __, ...wakes } = state.routing.wakes;
  const tasks = Object.entries(state.openTasks).map(([event, task]) => [
    event,
    { ...task, to: task.to.map((each) => (each === from ? to : each)) },
  ]);
  return {
    ...state,
    participants,
    muted: renameKey(state.muted, from, to),
    asked: renameKey(state.asked, from, to),
    openTasks: Object.fromEntries(tasks),
    routing: { ...state.routing, wakes },
  };
}

function renameKey<T>(record: Readonly<Record<string, T>>, from: string, to: string): Readonly<Record<string, T>> {
  if (!Object.hasOwn(record, from)) return record;
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key === from ? to : key, value]));
}
