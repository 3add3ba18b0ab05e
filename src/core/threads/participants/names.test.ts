import { expect, test } from 'vitest';
import { alpha, controls, created, given, human, says } from '../../../../test/support/domain/given.ts';
import type { Event } from '../../events/event.ts';
import { checkRunner } from './names.ts';

const invite = (id: string, profile: object = { kind: 'agent' }) =>
  controls(human, { invite: { participant_id: id, profile } });
const decisions = (thread: ReturnType<typeof given>) =>
  Object.fromEntries((thread.state().routing.last?.decisions ?? []).map((each) => [each.participant, each]));

test.each(['prod', 'mute', 'unmute', 'uninvite'])(
  '[T27] %s of a participant who is not in the thread is refused with the closest name',
  (name) => {
    const thread = given(created, invite('scout', { kind: 'agent', nickname: 'Pathfinder' }));
    const controlNaming = (id: string) =>
      controls(human, {
        [name]: name === 'prod' ? [id] : name === 'uninvite' ? { participant_id: id } : { targets: [id] },
      });
    for (const id of ['scuot', 'pathfindre'])
      expect(thread.when(...controlNaming(id))).toMatchObject({
        ...{ code: 'unknown_participant', participant: id },
        message: expect.stringContaining('Did you mean "scout"? Nothing was changed.'),
      });
    // The invitation had asked it to reply: who silences it calls that off.
    const alone = ['prod', 'unmute'].includes(name);
    const events = thread.when(...controlNaming('scout')) as Event[];
    expect(events.map(({ type }) => type)).toEqual(alone ? ['control'] : ['control', 'wake.closed']);
  },
);

test('[T27] a task for an unknown name is refused with the closest name', () => {
  const thread = given(created, invite('scout'));
  const giveTask = (to: string | string[]) =>
    thread.when(human, 'post', { thread: 't1', type: 'task', to, content: 'Go.' });
  for (const to of ['scuot', ['scout', 'scuot']])
    expect(giveTask(to)).toMatchObject({
      ...{ code: 'unknown_participant', participant: 'scuot' },
      message:
        'Nobody in "Plans" is called "scuot". Did you mean "scout"? Nothing was posted; invite them first, or name somebody who is here.',
    });
  expect(giveTask('zebra')).toMatchObject({
    message: expect.stringContaining('is called "zebra". Nothing was posted;'),
  });
  expect(Object.keys(thread.state().openTasks)).toEqual([]);
  // A participant of the workspace may come and answer.
  for (const to of ['scout', 'Scout', 'beta']) expect(giveTask(to)).toMatchObject([{ type: 'task' }]);
});

test('[T27] an unknown client or model is refused with the list of known ones', () => {
  const context = { runners: () => ({ clients: ['codex'], models: ['small', 'chat'] }) } as never;
  expect(checkRunner({ client: 'cod' }, {}, context)?.refusal).toMatchObject({
    ...{
      code: 'unknown_client',
      message: expect.stringContaining('Did you mean "codex"? There are "model", "codex".'),
    },
  });
  expect(checkRunner({ client: 'model', model: 'caht' }, {}, context)?.refusal).toMatchObject({
    ...{ code: 'unknown_model', message: expect.stringContaining('There are "small", "chat".') },
  });
  expect(checkRunner({ model: 'gone' }, { model: 'gone' }, context)).toBeUndefined();
  expect(checkRunner({ client: 'codex', model: 'its own' }, {}, context)).toBeUndefined();
});

test('[T27] an unknown @name counts as a mention: it wakes nobody, and the sender is told', () => {
  const thread = given(created, invite('alpha'), controls(human, { invited_auto: { on: true } }));
  expect(thread.when(...says(human, 'hello @NobodyHere, and me@example.org'))).toMatchObject([
    { meta: { unknown: ['NobodyHere'] } },
  ]);
  expect(decisions(thread).alpha).toMatchObject({
    ...{ decision: 'no', code: 'not_addressed', reason: 'it mentions @NobodyHere, and nobody here has that name' },
  });
  thread.when(...says(human, 'hello @alpha and @nobody'));
  expect(decisions(thread).alpha).toMatchObject({ decision: 'wake' });
});

test('[T27] a message from an earlier version with an unknown name keeps its meaning', () => {
  const thread = given(created, invite('alpha'));
  const [posted] = thread.when(...says(human, 'hello @nobody')) as [object];
  expect(posted).toHaveProperty('meta.unknown');
  const old = given(created, invite('alpha'), says(human, 'hello'));
  expect(decisions(old).alpha).toMatchObject({ decision: 'wake' });
});

test('[T13] ids invited by an agent do not make a thread large, and still hear what is addressed to them', () => {
  const bare = Array.from({ length: 50 }, (_, i) => controls(alpha, { invite: { participant_id: `x${i}` } }));
  const thread = given(created, invite('alpha'), invite('beta'), ...bare, says(human, 'hello all'));
  expect(decisions(thread)).toMatchObject({
    alpha: { decision: 'wake' },
    beta: { decision: 'queue', reason: expect.stringContaining('next if alpha stays silent') },
    x0: { decision: 'no', reason: 'an agent invited x0, and no human has profiled it' },
  });
  thread.when(...says(human, 'and you, @x0?'));
  expect(decisions(thread).x0).toMatchObject({ decision: 'wake' });
  thread.when(...invite('x0'));
  thread.when(...says(human, 'hello all'));
  expect(decisions(thread).x0).toMatchObject({ decision: 'queue' });
});

test('[T29] ids may have capitals, and ids that differ only in case are the same', () => {
  const thread = given(created, invite('Claude'));
  thread.when(...invite('claude', { nickname: 'C' }));
  expect(Object.keys(thread.state().participants)).toEqual(['ana', 'Claude']);
  expect(thread.state().participants.Claude?.profile).toMatchObject({ kind: 'agent', nickname: 'C' });
  expect(thread.when(...says(human, 'you', { to: 'CLAUDE' }))).toMatchObject([{ to: 'Claude' }]);
  expect(thread.when(...controls(human, { mute: { targets: ['claude', 'Claude'] } }))).toMatchObject([
    { content: { mute: { targets: ['Claude'] } } },
    { type: 'wake.closed', content: { participant: 'Claude', outcome: 'stopped' } },
  ]);
  expect(
    thread.when(human, 'side_open', { thread: 't1', question: 'Why?', members: ['cLAUDE', 'claude'] }),
  ).toMatchObject([{ content: { side_of: { members: ['Claude'] } } }, {}, {}, {}]);
  const impostor = { id: 'claude', kind: 'agent' } as const;
  expect(thread.when(...says(impostor, 'it is me'))).toMatchObject({
    ...{ code: 'forbidden', message: expect.stringContaining('differ only in case') },
  });
});

test('[T29] a human’s spelling of an id takes precedence over an agent’s', () => {
  const thread = given(created, controls(alpha, { invite: { participant_id: 'GAMMA' } }), invite('gamma'));
  expect(Object.keys(thread.state().participants)).toEqual(['ana', 'alpha', 'gamma']);
  thread.when(...controls(alpha, { invite: { participant_id: 'Gamma' } }));
  expect(Object.keys(thread.state().participants)).toEqual(['ana', 'alpha', 'gamma']);
});

test('[T29] a task for an outdated spelling goes to the participant who replaced it', () => {
  const thread = given(created, controls(alpha, { invite: { participant_id: 'GAMMA' } }));
  const [task] = thread.when(human, 'post', { thread: 't1', type: 'task', to: 'gamma', content: 'Look.' }) as [Event];
  expect(task.to).toBe('GAMMA');
  const gamma = { id: 'gamma', kind: 'agent' } as const;
  expect(
    thread.when(gamma, 'post', { thread: 't1', type: 'result', content: 'Done.', meta: { reply_to: task.id } }),
  ).toMatchObject([{ from: 'gamma' }]);
});
