import { expect, test } from 'vitest';
import { alpha, beta, controls, created, given, human, says } from '../../../../test/support/domain/given.ts';
import type { Event } from '../../events/event.ts';
import { deliveriesFor } from './routing.ts';

const invite = (id: string, profile: object = {}) =>
  controls(human, { invite: { participant_id: id, profile: { kind: 'agent', ...profile } } });
const givenTwoAgents = () => given(created, invite('alpha'), invite('beta', { roles: ['critic'] }));

function codes(thread: ReturnType<typeof given>, step: Parameters<typeof thread.when>) {
  const [event] = thread.when(...step) as Event[];
  return Object.fromEntries(deliveriesFor(thread.state(), event as Event).map((d) => [d.participant, d.code]));
}

test('[T13] a human message to all wakes every agent of a small thread and none of a large one', () => {
  expect(codes(givenTwoAgents(), says(human, 'hello'))).toEqual({ alpha: 'woken', beta: 'queued' });
  const large = given(created, ...['a', 'b', 'c', 'd'].map((id) => invite(id)));
  expect(new Set(Object.values(codes(large, says(human, 'hello'))))).toEqual(new Set(['not_addressed']));
});

test('[T15] with invited_auto a human message to all wakes every agent, however many there are', () => {
  const large = given(created, ...['a', 'b', 'c', 'd'].map((id) => invite(id)));
  large.when(...controls(human, { invited_auto: { on: true } }));
  expect(codes(large, says(human, 'hello'))).toEqual({ a: 'woken', b: 'queued', c: 'queued', d: 'queued' });
  expect(codes(large, says(human, 'hello @c'))).toMatchObject({ a: 'not_addressed', c: 'woken' });
});

test('[T13] an agent’s message to all wakes nobody, but it can wake an agent by address', () => {
  expect(codes(givenTwoAgents(), says(alpha, 'hello'))).toEqual({ beta: 'not_addressed' });
  expect(codes(givenTwoAgents(), says(alpha, 'hello', { to: 'beta' }))).toEqual({ beta: 'woken' });
});

test('[T13] a prod, an invitation and a task wake the participants they name', () => {
  expect(codes(givenTwoAgents(), controls(alpha, { prod: ['beta'] }))).toEqual({ beta: 'woken' });
  expect(codes(givenTwoAgents(), invite('gamma'))).toEqual({
    alpha: 'not_addressed',
    beta: 'not_addressed',
    gamma: 'woken',
  });
  const task = [human, 'post', { thread: 't1', type: 'task', content: { text: 'review', role: 'critic' } }] as const;
  expect(codes(givenTwoAgents(), [...task])).toEqual({ alpha: 'not_addressed', beta: 'woken' });
});

test('[T2] [T13] inviting someone again changes the profile and wakes nobody, unless they were uninvited', () => {
  const thread = givenTwoAgents();
  expect(codes(thread, invite('beta', { posting: 'draft' }))).toEqual({
    alpha: 'not_addressed',
    beta: 'not_addressed',
  });
  expect(thread.state().participants.beta?.profile).toMatchObject({ posting: 'draft', roles: ['critic'] });
  thread.when(...controls(human, { uninvite: { participant_id: 'beta' } }));
  expect(codes(thread, invite('beta'))).toEqual({ alpha: 'not_addressed', beta: 'woken' });
});

test('[T7] muted and paused agents are never woken, and the reason says so', () => {
  const thread = givenTwoAgents();
  thread.when(...controls(human, { mute: { targets: ['alpha'], mode: 'soft' } }));
  expect(codes(thread, says(human, 'hello'))).toEqual({ alpha: 'muted', beta: 'woken' });
  expect(codes(thread, says(alpha, 'psst', { to: 'beta' }))).toEqual({ beta: 'muted' });
  thread.when(...controls(human, { pause: { on: true } }));
  expect(codes(thread, says(human, 'hello', { to: 'beta' }))).toEqual({ alpha: 'muted', beta: 'paused' });
});

test('[T8] agents do not wake agents once a thread is done or past its time to live', () => {
  const thread = givenTwoAgents();
  thread.when(...says(human, 'begin'));
  thread.when(...controls(human, { ttl_seconds: 60 }));
  thread.at('2026-01-01T00:00:59.000Z');
  expect(codes(thread, says(alpha, 'x', { to: 'beta' }))).toEqual({ beta: 'woken' });
  thread.at('2026-01-01T00:01:01.000Z');
  expect(codes(thread, says(alpha, 'x', { to: 'beta' }))).toEqual({ beta: 'ttl' });
  thread.when(...controls(human, { ttl_seconds: 0 }));
  thread.when(...controls(human, { done: true }));
  expect(codes(thread, says(alpha, 'x', { to: 'beta' }))).toEqual({ beta: 'done' });
  expect(codes(thread, says(human, 'x', { to: 'beta' }))).toEqual({ alpha: 'not_addressed', beta: 'woken' });
});

test('[T12] a notice wakes nobody', () => {
  const thread = givenTwoAgents();
  const step = [{ id: 'system', kind: 'automation' }, 'notice', { thread: 't1', text: 'fyi' }] as const;
  expect(new Set(Object.values(codes(thread, [...step])))).toEqual(new Set(['not_addressed']));
});

test('[T17] addressing someone who is not in the thread is reported', () => {
  expect(codes(givenTwoAgents(), says(human, 'hello', { to: ['nobody', 'beta'] }))).toEqual({
    alpha: 'not_addressed',
    beta: 'woken',
    nobody: 'not_invited',
  });
  expect(codes(givenTwoAgents(), says(beta, 'to myself', { to: 'beta' }))).toEqual({ alpha: 'not_addressed' });
});
