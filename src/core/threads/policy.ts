import type { Event } from '../event.ts';
import { kindOf, type ThreadState } from './state.ts';
import { ttlRemaining } from './view.ts';

/** What becomes of an event for one participant, with the reason in words (T13, T17). */
export interface Delivery {
  readonly participant: string;
  readonly decision: 'wake' | 'no';
  readonly code: 'woken' | 'muted' | 'paused' | 'done' | 'ttl' | 'not_addressed' | 'not_invited';
  readonly reason: string;
}

const SMALL_THREAD = 3;

/** Pure: the same state, event and time always give the same answer, so history can be asked again. */
export function deliver(state: ThreadState, event: Event, at: string): readonly Delivery[] {
  const invited = Object.keys(state.participants).filter(
    (id) => state.participants[id]?.invited && kindOf(state, id) === 'agent',
  );
  const named = event.to === 'all' ? [] : ([event.to].flat() as string[]);
  const strangers = named.filter((id) => !state.participants[id]?.invited && kindOf(state, id) === 'agent');
  return [
    ...invited.filter((id) => id !== event.from).map((id) => decideFor(state, event, at, id, invited.length)),
    ...strangers.map((participant) => no(participant, 'not_invited', `${participant} is not invited here`)),
  ];
}

function decideFor(state: ThreadState, event: Event, at: string, id: string, agents: number): Delivery {
  if (state.muted[id]) return no(id, 'muted', `${id} is muted`);
  if (state.muted[event.from]) return no(id, 'muted', `${event.from}, who wrote this, is muted`);
  if (state.paused) return no(id, 'paused', 'the thread is paused; it will be delivered when it resumes');
  if (state.done && event.meta.by !== 'human') return no(id, 'done', 'the thread is done');
  const why = wakeReason(state, event, id, agents);
  if (!why) return no(id, 'not_addressed', notAddressed(event));
  if (event.meta.by !== 'human' && state.ttlSeconds > 0 && ttlRemaining(state, at) === 0) {
    return no(id, 'ttl', `no human has written for ${state.ttlSeconds} seconds`);
  }
  return { participant: id, decision: 'wake', code: 'woken', reason: why };
}

function wakeReason(state: ThreadState, event: Event, id: string, agents: number): string | undefined {
  if (event.type === 'control') return namedByControl(event.content, id);
  if (event.type !== 'message' && event.type !== 'task') return undefined;
  if ([event.to].flat().includes(id)) return `${event.from} addressed ${id}`;
  if (event.type === 'task') return inRole(state, event, id) ? `the task is for a role of ${id}` : undefined;
  if (event.to !== 'all' || event.meta.by !== 'human') return undefined;
  if (state.invitedAuto) return 'invited agents hear every message of a human here';
  const small = state.policy.mode === 'small' || (state.policy.mode === 'auto' && agents <= SMALL_THREAD);
  return small ? 'in a small thread every agent hears a human' : undefined;
}

function namedByControl(content: unknown, id: string): string | undefined {
  const { prod, invite } = content as { prod?: string[]; invite?: { participant_id: string } };
  if (prod?.includes(id)) return `${id} was prodded`;
  if (invite?.participant_id === id) return `${id} was invited`;
  return undefined;
}

function inRole(state: ThreadState, event: Event, id: string): boolean {
  const role = typeof event.content === 'object' ? (event.content as { role?: string }).role : undefined;
  return role !== undefined && (state.participants[id]?.profile.roles?.includes(role) ?? false);
}

function notAddressed(event: Event): string {
  if (event.type !== 'message') return `a ${event.type} wakes only those it names`;
  if (event.to !== 'all') return 'it was addressed to others';
  return event.meta.by === 'human' ? 'this thread is large, and nobody was addressed' : 'an agent spoke to everyone';
}

function no(participant: string, code: Delivery['code'], reason: string): Delivery {
  return { participant, decision: 'no', code, reason };
}
