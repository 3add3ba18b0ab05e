import { expect, test } from 'vitest';
import { alpha, beta, controls, created, given, human } from '../../../../test/support/domain/given.ts';

const invited = controls(human, {
  invite: { participant_id: 'alpha', profile: { kind: 'agent', roles: ['counter'] } },
});
const task = [human, 'post', { thread: 't1', type: 'task', to: 'alpha', content: 'Count the beans.' }] as const;
const result = (content: unknown, meta: object = { reply_to: 'e3' }) =>
  [alpha, 'post', { thread: 't1', type: 'result', content, meta }] as const;
const answerStep = (text: string) =>
  [alpha, 'answer', { thread: 't1', event: 'e3', up_to: 3, outcome: 'answered', text }] as const;

test('[T26] a result is a text, or an object with text, data and status', () => {
  for (const content of [
    'Twelve.',
    { text: 'Twelve.', data: { beans: 12 } },
    { data: [1, 2] },
    { status: 'failed', text: 'No beans.' },
  ]) {
    const thread = given(created, invited, [...task]);
    expect(thread.when(...result(content))).toMatchObject([{ type: 'result', content }]);
    expect(thread.state().openTasks).toEqual({});
  }
  const claimed = given(created, invited, [...task], [...result({ status: 'claimed' })]);
  expect(claimed.state().openTasks).toMatchObject({ e3: { claimedBy: 'alpha' } });
});

test('[T26] what a woken agent writes about its task is the result, and FAILED means that it cannot do it', () => {
  const thread = given(created, invited, [...task]);
  expect(thread.when(...answerStep('Twelve.'))).toMatchObject([
    { type: 'wake.closed' },
    { type: 'result', from: 'alpha', content: 'Twelve.', meta: { reply_to: 'e3' } },
  ]);
  expect(thread.state().openTasks).toEqual({});
  const other = given(created, invited, [...task]);
  expect(other.when(...answerStep('FAILED: there are no beans.'))).toMatchObject([
    { type: 'wake.closed' },
    { type: 'result', content: { status: 'failed', text: 'there are no beans.' } },
  ]);
});

test('[T26] a draft about a task is posted as its result, or as a message if the task is over', () => {
  const drafting = controls(human, { invite: { participant_id: 'alpha', profile: { posting: 'draft' } } });
  const thread = given(created, invited, [...task], drafting, [...answerStep('Twelve.')]);
  expect(thread.when(human, 'draft_accept', { thread: 't1', index: 1 })).toMatchObject([
    { type: 'draft.settled' },
    { type: 'result', from: 'alpha', content: 'Twelve.', meta: { reply_to: 'e3', accepted_by: 'ana' } },
  ]);
  const cancelled = [
    human,
    'post',
    { thread: 't1', type: 'result', content: { status: 'cancelled' }, meta: { reply_to: 'e3' } },
  ] as const;
  const late = given(created, invited, [...task], drafting, [...answerStep('Twelve.')], [...cancelled]);
  expect(late.when(human, 'draft_accept', { thread: 't1', index: 1 })).toMatchObject([{}, { type: 'message' }]);
});

test('[T22] [T25] only humans can set instructions, and a person never has any', () => {
  const profile = { instructions: 'Be brief.' };
  const thread = given(created, invited);
  expect(thread.when(...controls(alpha, { profile: profile }))).toMatchObject({ code: 'forbidden' });
  expect(thread.when(...controls(beta, { invite: { participant_id: 'alpha', profile: profile } }))).toMatchObject({
    code: 'forbidden',
  });
  expect(thread.when(...controls(human, { invite: { participant_id: 'ana', profile: profile } }))).toMatchObject({
    code: 'forbidden',
  });
  thread.when(...controls(human, { invite: { participant_id: 'alpha', profile: profile } }));
  expect(thread.state().participants.alpha?.profile).toMatchObject({ instructions: 'Be brief.', roles: ['counter'] });
});
