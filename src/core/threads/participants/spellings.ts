import type { Context } from '../../decider.ts';
import type { Event } from '../../events/event.ts';
import { own } from '../../util/get-own.ts';
import type { Control } from '../schema.ts';
import type { Participant, ThreadState } from '../state.ts';

type Named = Pick<ThreadState, 'participants'>;
type Spelling = Pick<Context, 'spelling'>;

/** An id as it is spelled here, or by its credential: ids that differ only in case are one (T29). */
export function spelledHere({ participants }: Named, id: string, { spelling }: Spelling): string {
  const exact = own(participants, id);
  if (exact && !givesWay(exact)) return id;
  const here = spellingsOf(id, participants);
  const held = spelling?.(id);
  if (held !== undefined && here.includes(held)) return held;
  const firm = here.find((each) => !givesWay(own(participants, each)));
  return firm ?? held ?? (exact ? id : here[0]) ?? id;
}

/** As `spelledHere`, for an invitation: a human's spelling goes before one that only an agent came up with. */
export function spelledToInvite(state: Named, id: string, context: Pick<Context, 'actor'> & Spelling): string {
  if (context.actor.kind !== 'human') return spelledHere(state, id, context);
  const said = Object.entries(state.participants).filter(([, { bare }]) => !bare);
  return spelledHere({ participants: Object.fromEntries(said) }, id, context);
}

/** The one in this thread whose id differs from the actor's in case only: two such cannot both take part (T29). */
export function otherSpelling({ participants }: Named, { id, kind }: Context['actor']): string | undefined {
  // A person is never kept out of a thread by an id that somebody else made up.
  if (kind === 'human' || Object.hasOwn(participants, id)) return undefined;
  return spellingsOf(id, participants).find((each) => !givesWay(own(participants, each)));
}

/** The thread as it is once this event writes or names ids in another spelling. */
export function withWayFor(state: ThreadState, event: Event): ThreadState {
  return namedBy(event).reduce(madeWay, state);
}

/** Without the other spellings that give way to this id; what was asked of them, and a mute, is now its own. */
export function madeWay(state: ThreadState, id: string): ThreadState {
  const { participants } = state;
  if (Object.hasOwn(participants, id)) return state;
  const others = spellingsOf(id, participants).filter((each) => givesWay(own(participants, each)));
  return others.reduce((before, other) => renamed(before, other, id), state);
}

/** Nobody takes part under it: only an agent came up with it, or it was uninvited. */
function givesWay(participant: Participant | undefined): boolean {
  return !participant?.human && (participant?.bare === true || !participant?.invited);
}

function spellingsOf(id: string, among: Readonly<Record<string, unknown>>): readonly string[] {
  const folded = id.toLowerCase();
  return Object.keys(among).filter((each) => each.toLowerCase() === folded);
}

function namedBy({ type, from, content }: Event): readonly string[] {
  if (type !== 'control') return [from];
  const control = content as unknown as Control;
  if ('invite' in control) return [from, control.invite.participant_id];
  if ('uninvite' in control) return [from, control.uninvite.participant_id];
  if ('mute' in control) return [from, ...control.mute.targets];
  return 'unmute' in control ? [from, ...control.unmute.targets] : [from];
}

function renamed(state: ThreadState, from: string, to: string): ThreadState {
  const { [from]: _, ...participants } = state.participants;
  const { [from]: __, ...wakes } = state.routing.wakes;
  const tasks = Object.entries(state.openTasks).map(([event, task]) => [
    event,
    { ...task, to: task.to.map((each) => (each === from ? to : each)) },
  ]);
  return {
    ...state,
    participants,
    muted: withKey(state.muted, from, to),
    asked: withKey(state.asked, from, to),
    openTasks: Object.fromEntries(tasks),
    routing: { ...state.routing, wakes },
  };
}

function withKey<T>(record: Readonly<Record<string, T>>, from: string, to: string): Readonly<Record<string, T>> {
  if (!Object.hasOwn(record, from)) return record;
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key === from ? to : key, value]));
}
