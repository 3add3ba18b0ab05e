import { expect, test } from 'vitest';
import type { WireThreadState } from '../../../../src/client/index.ts';
import {
  participantActions,
  postingAction,
  settingActions,
  splitParticipants,
  type ThreadParticipant,
} from './control-actions.ts';

const person = (more: Partial<ThreadParticipant> = {}): ThreadParticipant => ({
  ...{ id: 'alpha', invited: true, muted: null, profile: { kind: 'agent' } },
  ...more,
});
const names = (...of: Parameters<typeof participantActions>) => participantActions(...of).map(({ title }) => title);

test('[I12] about a person only what applies can be done', () => {
  expect(names(person(), 'human')).toEqual([
    'Ask alpha to reply',
    'Mute alpha',
    'Mute alpha and fold messages',
    'Remove alpha',
  ]);
  expect(names(person({ muted: 'hard', invited: false }), 'human')).toEqual([
    'Ask alpha to reply',
    'Unmute alpha',
    'Invite alpha',
  ]);
  expect(names(person({ muted: 'soft' }), 'alpha')).toEqual(['Mute alpha', 'Unmute alpha', 'Remove alpha']);
});

test('[T19] whether somebody drafts before it posts is turned round, and never for a person', () => {
  expect(postingAction(person())?.title).toBe('Let alpha draft before it posts');
  expect(postingAction(person({ profile: { kind: 'agent', posting: 'draft' } }))).toMatchObject({
    title: 'Let alpha post directly',
    controls: [{ invite: { participant_id: 'alpha', profile: { posting: 'direct' } } }],
  });
  expect(postingAction(person({ invited: false }))).toBeUndefined();
  expect(postingAction(person({ profile: { kind: 'human' } }))).toBeUndefined();
});

const state = {
  ...{ participants: [person(), person({ id: 'beta', invited: false })], ttl_seconds: 300, invited_auto: true },
  ...{ policy: { mode: 'auto' }, discussion: { on: false } },
} as unknown as WireThreadState;

test('[T2] you come first, then people, then agents; who is there without an invitation is listed apart', () => {
  const here = (id: string, is: string) => [id, { participant: id, state: is }] as const;
  const presence = new Map([here('alpha', 'idle'), here('gamma', 'idle'), here('delta', 'offline')]);
  const people = [
    person({ id: 'ben', invited: false, profile: { kind: 'human' } }),
    person({ id: 'ana', invited: false, profile: { kind: 'human' } }),
  ];
  const full = { ...state, participants: [...state.participants, ...people] };
  const { members, others } = splitParticipants(full, presence as never, 'ana');
  expect(members.map(({ id }) => id)).toEqual(['ana', 'ben', 'alpha']);
  expect(others.map(({ id }) => id)).toEqual(['beta', 'gamma']);
});

test('[I11] what is chosen from a field of the panel is an action each, but for what is chosen now', () => {
  const choices = new Map(settingActions(state).map(({ title, controls }) => [title, controls]));
  expect([...choices.keys()]).not.toContain('Agents may continue for 5 minutes after a human’s last message');
  expect([...choices.keys()]).not.toContain('A message to everyone wakes every agent');
  expect(choices.get('Agents may continue without a limit after a human’s last message')).toEqual([{ ttl_seconds: 0 }]);
  expect(choices.get('A message to everyone wakes only those named')).toEqual([
    { invited_auto: { on: false } },
    { policy: { mode: 'large' } },
  ]);
  expect(choices.get('Agents may wake each other by a mention')).toEqual([{ discussion: { on: true } }]);
});
