import { expect, test } from 'vitest';
import type { Event, Json } from '../events/event.ts';
import { evolveThread } from './evolve.ts';
import { initialThread, type ThreadState } from './state.ts';

function eventOf(seq: number, type: string, content: Json, by: 'human' | 'agent' = 'human'): Event {
  const ts = '2026-01-01T00:00:00.000Z';
  return { id: `e${seq}`, ts, thread: 't', seq, type, from: 'ana', to: 'all', content, meta: { by }, v: 1, hash: '' };
}

/** A thread with so many agents, all of whom hear every message of a human. */
function threadOf(agents: number): ThreadState {
  let state = evolveThread(initialThread('t'), eventOf(1, 'thread.created', { title: 'x', kind: 'conversation' }));
  state = evolveThread(state, eventOf(2, 'control', { invited_auto: { on: true } }));
  const participants = Object.fromEntries(
    Array.from({ length: agents }, (_, i) => [`p${i}`, { invited: true, profile: {} }]),
  );
  return { ...state, participants: { ...state.participants, ...participants } };
}

/** Processor time of one event, the least of several: others may be at work on the machine. */
function costOf(state: ThreadState, event: Event): number {
  const costs = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    for (let i = 0; i < 4; i++) evolveThread(state, event);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...costs);
}

test.each([
  ['a message that everybody hears', eventOf(3, 'message', 'hello everybody')],
  ['an invitation', eventOf(3, 'control', { invite: { participant_id: 'new', profile: {} } })],
])('[T23] %s takes at most time proportional to the participants', (_, event) => {
  const [few, many] = [threadOf(250), threadOf(2000)];
  costOf(few, event);
  // Eight times as many: 64 would be quadratic.
  expect(costOf(many, event) / costOf(few, event)).toBeLessThan(30);
});
