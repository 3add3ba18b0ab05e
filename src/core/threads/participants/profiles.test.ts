import { expect, test } from 'vitest';
import { alpha, controls, created, given, human, says } from '../../../../test/support/domain/given.ts';
import type { Event } from '../../events/event.ts';
import { workspace } from '../../workspace.ts';
import { evolveThread } from '../evolve.ts';
import { threadJobs } from '../jobs.ts';

const forbidden = { code: 'forbidden' };
const invite = (participant_id: string, profile: object = {}) => ({ invite: { participant_id, profile } });
const RUN = { kind: 'agent', client: 'model', model: 'm' };

test('[T22] nobody can make the server speak as the human', () => {
  const thread = given(created);
  for (const actor of [alpha, human]) {
    for (const profile of [RUN, { client: 'model' }, { kind: 'agent' }, { posting: 'draft' }, { model: 'm' }])
      expect(thread.when(...controls(actor, invite('ana', profile)))).toMatchObject(forbidden);
    expect(thread.when(actor, 'create', { title: 'New', invite: [{ participant_id: 'ana', profile: RUN }] })).toMatchObject(forbidden); // biome-ignore format: one comparison a line
  }
  expect(thread.when(...controls(human, { profile: { client: 'model' } }))).toMatchObject(forbidden);
  expect(thread.when(...controls(human, invite('ana', { kind: 'human', nickname: 'Ana' })))).toHaveLength(1);
  expect(thread.when(...controls(human, { profile: { roles: ['editor'] } }))).toHaveLength(1);
});

test('[T22] anyone who wrote as a human counts as a person in that thread, with or without a credential', () => {
  const ben = { id: 'ben', kind: 'human' } as const;
  const thread = given(created, says(ben, 'Hello.'));
  expect(thread.when(...controls(human, invite('ben', RUN)))).toMatchObject(forbidden);
});

test('[T22] an agent cannot describe another participant', () => {
  const thread = given(created, controls(human, invite('beta', { client: 'model', posting: 'draft' })));
  for (const profile of [
    { client: 'cli' },
    { posting: 'direct' },
    { roles: ['boss'] },
    { nickname: 'B' },
    { spec: 'x' },
  ])
    for (const id of ['beta', 'gamma'])
      expect(thread.when(...controls(alpha, invite(id, profile))), JSON.stringify(profile)).toMatchObject(forbidden);
  expect(thread.when(...controls(alpha, invite('beta', { client: 'model' })))).toHaveLength(1);
  expect(thread.when(...controls(alpha, invite('gamma')))).toMatchObject([{ content: { invite: { profile: {} } } }]);
  expect(thread.state().participants.gamma).toEqual({ invited: true, bare: true, profile: {} });
  expect(thread.jobs().map(({ input }) => (input as { participant: string }).participant)).not.toContain('gamma');
});

test('[T22] an agent can set its own nickname and restrict itself, but nothing more', () => {
  const thread = given(created, controls(human, invite('beta', { nickname: 'Bee' })));
  for (const profile of [{ kind: 'human' }, { client: 'model' }, { model: 'm' }, { roles: ['r'] }, { every: 1 }])
    for (const control of [{ profile }, invite('alpha', profile)])
      expect(thread.when(...controls(alpha, control)), JSON.stringify(control)).toMatchObject(forbidden);
  expect(thread.when(...controls(alpha, { profile: { nickname: 'Al', posting: 'draft' } }))).toHaveLength(1);
  expect(thread.when(...controls(alpha, { profile: { posting: 'direct' } }))).toMatchObject(forbidden);
  expect(thread.state().participants.alpha?.profile).toEqual({ kind: 'agent', nickname: 'Al', posting: 'draft' });
  for (const nickname of ['ana', ' ANA ', 'beta', 'bee', 'ａｎａ'])
    expect(thread.when(...controls(alpha, { profile: { nickname } })), nickname).toMatchObject(forbidden);
});

test('[T22] an agent cannot take a reserved nickname or one with invisible characters', () => {
  const thread = given(created, controls(human, invite('beta', { nickname: 'B\u00adee' })));
  const setNickname = (nickname: string) => thread.when(...controls(alpha, { profile: { nickname } }));
  for (const nickname of ['system', ' System ', 'ALL', 'ｓｙｓｔｅｍ'])
    expect(setNickname(nickname), nickname).toMatchObject({
      ...forbidden,
      message: expect.stringContaining('is a name of the workspace itself'),
    });
  const unseen = [
    '\u200b',
    '\u202e',
    '\u00ad',
    '\n',
    '\r',
    '\u2028',
    '\t',
    '\0',
    '\ufeff',
    '\u3164',
    '\u{e0061}',
    '\ud800',
  ];
  for (const sign of unseen)
    for (const nickname of [`An${sign}a`, `${sign}Al`, `Al${sign}`])
      expect(setNickname(nickname), JSON.stringify(nickname)).toMatchObject({
        ...forbidden,
        message: expect.stringContaining('one line without control or invisible characters'),
      });
  expect(setNickname('Bee')).toMatchObject({
    ...forbidden,
    message: expect.stringContaining('"bee" is already the name of beta'),
  });
  for (const nickname of ['Al the 2nd', 'Žofie', '日本', '👩🏽‍💻 Al ❤️', ''])
    expect(setNickname(nickname), nickname).toHaveLength(1);
});

test('[T22] a nickname from an earlier version is read as it was given', () => {
  const event = { seq: 2, from: 'alpha', type: 'control', content: { profile: { nickname: 'sys\u200btem' } } };
  const state = evolveThread(given(created).state(), { ...event, meta: { by: 'agent' } } as unknown as Event);
  expect(state.participants.alpha?.profile.nickname).toBe('sys\u200btem');
});

test('[T22] a participant’s kind is that of its credential', () => {
  const thread = given(created);
  expect(thread.when(...controls(human, invite('alpha', { kind: 'human' })))).toMatchObject(forbidden);
  thread.when(...controls(human, invite('gamma', { kind: 'human' })));
  thread.when({ id: 'gamma', kind: 'agent' }, 'post', { thread: 't1', type: 'message', content: 'Hi' });
  expect(thread.state().participants.gamma?.profile.kind).toBe('agent');
  thread.when(...controls(alpha, invite('ana')));
  expect(thread.state().participants.ana?.profile.kind).toBe('human');
});

test('[T22] an agent brings participants into a side channel with the profile that a human gave them', () => {
  const thread = given(created, controls(human, invite('beta', RUN)), says(human, 'Begin.'));
  const [side] = thread.when(alpha, 'side_open', { thread: 't1', question: 'Which?', members: ['beta', 'ana'] }) as Event[]; // biome-ignore format: one call
  const { participants } = thread.state(side?.thread);
  expect(participants.beta).toEqual({ invited: true, profile: RUN });
  expect(participants.ana).toEqual({ invited: true, profile: { kind: 'human' } });
  const later = given(created, controls(human, invite('beta', RUN)), says(human, 'Begin.'));
  const [opened] = later.when(alpha, 'side_open', { thread: 't1', question: 'Which?', members: ['gamma'] }) as Event[];
  later.when(alpha, 'post', { thread: opened?.thread, type: 'control', content: invite('beta') });
  expect(later.state(opened?.thread).participants.beta).toEqual({ invited: true, profile: RUN });
});

test('[T22] the server never lets a model write under a person’s id', () => {
  for (const [kind, setup] of [['dialogue', { self: 'ana' }], ['exchange', { minds: [{ id: 'ana', model: null }] }]]) // biome-ignore format: a table
    expect(given().when(human, 'create', { title: 'New', kind, setup })).toMatchObject(forbidden);
  const dialogue = given([human, 'create', { title: 'New', kind: 'dialogue' }]);
  expect(dialogue.when(human, 'configure', { set: { self: 'ana' } })).toMatchObject(forbidden);
  const exchange = given([human, 'create', { title: 'New', kind: 'exchange' }]);
  const set = { minds: [{ id: 'ana', model: null }] };
  expect(exchange.when(human, 'amend', { set })).toMatchObject(forbidden);
  expect(exchange.when(human, 'branch', { set })).toMatchObject(forbidden);
});

/** A log as an earlier version, or somebody else, may have written it. */
function read(...events: readonly [from: string, by: 'human' | 'agent', type: string, content: unknown][]) {
  return events.reduce(
    (state, [from, by, type, content], i) =>
      workspace.evolve(state, {
        ...{ id: `e${i + 1}`, seq: i + 1, thread: 't1', ts: '2026-01-01T00:00:00.000Z', to: 'all', v: 1, hash: '' },
        ...{ from, type, content: content as Event['content'], meta: { by } },
      }),
    workspace.initial('t1'),
  ).thread;
}

test('[T22] an old log in which an agent described others is read without those descriptions', () => {
  const creation = ['ana', 'human', 'thread.created', { title: 'Plans', kind: 'conversation' }] as const;
  const state = read(
    creation as never,
    ['alpha', 'agent', 'control', invite('ana', RUN)],
    ['alpha', 'agent', 'control', invite('beta', RUN)],
    ['alpha', 'agent', 'control', { profile: { kind: 'human', client: 'model', nickname: 'Al', posting: 'draft' } }],
    ['alpha', 'agent', 'message', '@ana @beta and all of you'],
  );
  expect(state.participants).toMatchObject({ ana: { human: true, invited: true, profile: { kind: 'human' } } });
  expect(state.participants.beta).toEqual({ invited: true, profile: {} });
  expect(state.participants.alpha?.profile).toEqual({ kind: 'agent', nickname: 'Al', posting: 'draft' });
  expect(threadJobs(state)).toEqual([]);
});

test('[T22] a person whom a log calls an agent is a person again from their first message', () => {
  const state = read(
    ['alpha', 'agent', 'thread.created', { title: 'Plans', kind: 'conversation' }],
    ['ben', 'human', 'control', invite('ana', RUN)],
    ['ana', 'human', 'message', 'It is me.'],
    ['ben', 'human', 'control', invite('ana', { ...RUN, nickname: 'Ana' })],
    ['ben', 'human', 'message', 'Good.'],
  );
  expect(state.participants.ana).toEqual({ invited: true, human: true, profile: { kind: 'human', nickname: 'Ana' } });
  expect(threadJobs(state)).toEqual([]);
});
