import { describe, expect, test } from 'vitest';
import { facts, mind } from '../../test/support/domain/dialogue.ts';
import { alpha, created, given, human, says } from '../../test/support/domain/given.ts';
import type { Event } from './events/event.ts';
import type { LoomState } from './loom/state.ts';
import { viewNode, viewPath } from './loom/view.ts';

const origin = { thread: 't1', link: '/threads/t1#e2', what: 'message', event: 'e2', hash: 'h2' } as const;
const seed = {
  versions: [
    { text: 'Once.', author: 'alpha', kind: 'model', ts: '2026-01-01T00:00:00.000Z' },
    { text: 'Once more.', author: 'bea', kind: 'human', ts: '2026-01-02T00:00:00.000Z' },
  ],
  message: '> before\n\nOnce more.',
};
const createStep = (kind: string, more: object = {}) =>
  [human, 'create', { title: 'Opened', kind, origin, seed, ...more }] as const;
const types = (events: unknown) => (events as Event[]).map(({ type }) => type);

describe('opening a thread from a text', () => {
  test('[I29] [W7] a loom opened from a text starts with it, keeps its authors and knows its origin', () => {
    const world = given(created, says(human, 'Once more.'), [...createStep('loom')]);
    const loom = world.mode<LoomState>('t2');
    expect(viewPath(loom, 't2', 'ana')).toMatchObject({ text: 'Once more.', path: [{ author: 'bea', kind: 'human' }] });
    const { edited_from, versions } = viewNode(loom, viewPath(loom, 't2', 'ana').tip, 'ana', String) ?? {};
    expect(versions?.[0]).toBe(edited_from);
    expect(viewNode(loom, edited_from ?? '', 'ana', String)).toMatchObject({ author: 'alpha', kind: 'model' });
    expect(world.state('t2').origin).toEqual(origin);
  });

  test('[I29] [D3] a dialogue opened from a text has it waiting as the first message', () => {
    const world = given(created, says(human, 'Once more.'), [...createStep('dialogue')]);
    expect(types(world.events.slice(2))).toEqual(['thread.created', 'turn.opened']);
    expect(world.events.at(-1)?.content).toEqual({ turn: 1, text: seed.message });
    expect(world.when(human, 'message', { thread: 't2', text: 'More' })).toMatchObject({ code: 'draft_pending' });
  });

  test('[I29] a thread cannot be opened from an event that does not exist', () => {
    const lost = { ...origin, thread: 'nowhere' };
    expect(given(created).when(...createStep('loom', { origin: lost }))).toMatchObject({ code: 'unknown_thread' });
  });

  test('[I29] [L13] a fork of an opened thread sends texts back to the same origin, but not what was sent into it before', () => {
    const world = given(created, says(human, 'Once more.'), [...createStep('loom')]);
    world.when(human, 'bring', { thread: 't2', as: 'branch', text: ' Again.', origin });
    world.when(human, 'fork', { thread: 't2' });
    const fork = world.events.find(({ content }) => (content as { forked_from?: unknown }).forked_from)?.thread;
    expect(world.state(fork)).toMatchObject({ origin, brought: [] });
    expect(world.state('t2').brought).toMatchObject([{ from: origin }]);
  });
});

describe('sending a text to a thread', () => {
  const from = { ...origin, thread: 't2', link: '/loom/t2#n1', what: 'node' } as const;
  const givenThreadAndLoom = () => given(created, says(human, 'Once.'), [...createStep('loom')]);

  test('[I29] [T19] a text sent to a thread becomes a draft, and the posted message is sent back to the loom', () => {
    const world = givenThreadAndLoom();
    const [draft] = world.when(human, 'bring', {
      thread: 't1',
      as: 'draft',
      text: 'Twice.',
      origin: from,
      at: 'e2',
    }) as Event[];
    expect(draft).toMatchObject({
      type: 'draft.proposed',
      content: { text: 'Twice.', reply_to: 'e2' },
      meta: { origin: from },
    });
    expect(world.state('t1').brought).toEqual([{ from, at: draft?.id }]);
    const posted = world.when(human, 'draft_accept', { thread: 't1', index: 1 }) as Event[];
    expect(posted[0]).toMatchObject({ type: 'draft.settled', content: { of: draft?.id } });
    expect(posted[1]).toMatchObject({
      type: 'message',
      from: 'ana',
      meta: { by: 'human', origin: from, reply_to: 'e2' },
    });
    expect(posted[1]?.meta).not.toHaveProperty('cause');
    expect(world.state('t1').brought).toEqual([{ from, at: posted[1]?.id }]);
  });

  test('[I29] a text sent to a dialogue becomes a message, a steering note or an accepted draft with changes', () => {
    const world = givenThreadAndLoom();
    world.when(human, 'create', { title: 'Talk', kind: 'dialogue' });
    const thread = world.events.at(-1)?.thread as string;
    const bring = (as: string, text: string, at?: string) =>
      world.when(human, 'bring', { thread, as, text, origin: from, ...(at && { at }) });
    expect(bring('message', 'Noisy?')).toMatchObject([{ type: 'turn.opened', meta: { origin: from } }]);
    expect(world.state(thread).brought).toMatchObject([{ at: '1' }]);
    expect(bring('message', 'And?')).toMatchObject({ code: 'draft_pending', thread });
    expect(bring('steer', 'Shorter.')).toMatchObject([{ type: 'turn.steered', meta: { origin: from } }]);
    world.when(human, 'run', { thread });
    world.when(mind, 'report_iteration', { thread, ...facts(1), result: { thoughts: [], draft: 'Very much.' } });
    expect(bring('accept', 'Very.', '1.1')).toMatchObject([
      { type: 'turn.accepted', content: { turn: 1, draft: 1, edited: { text: 'Very.' } }, meta: { origin: from } },
      { type: 'run.ended' },
    ]);
    expect(world.state(thread).brought).toMatchObject([{ at: '1.1' }]);
  });

  test('[I29] [X5] a text sent to an exchange becomes an injection, and one sent to a loom becomes a branch', () => {
    const world = givenThreadAndLoom();
    world.when(human, 'create', { title: 'Pool', kind: 'exchange' });
    const thread = world.events.at(-1)?.thread as string;
    expect(world.when(human, 'bring', { thread, as: 'message', text: 'Look.', origin: from })).toMatchObject([
      { type: 'injection.made', meta: { origin: from } },
    ]);
    const into = { thread: 't2', as: 'branch', text: ' And then.', origin };
    expect(world.when(human, 'bring', into)).toMatchObject([{ type: 'loom.committed', meta: { origin } }]);
    const { path } = viewPath(world.mode<LoomState>('t2'), 't2', 'ana');
    expect(world.state('t2').brought).toMatchObject([{ at: path.at(-1)?.node }]);
  });

  test('[I29] [T6] only a person can send what only a person may say, and a muted participant can send nothing', () => {
    const world = givenThreadAndLoom();
    world.when(human, 'create', { title: 'Talk', kind: 'dialogue' });
    const thread = world.events.at(-1)?.thread as string;
    expect(world.when(alpha, 'bring', { thread, as: 'message', text: 'Hi', origin: from })).toMatchObject({
      code: 'forbidden',
    });
    world.when(human, 'post', { thread: 't1', type: 'control', content: { mute: { targets: ['alpha'] } } });
    expect(world.when(alpha, 'bring', { thread: 't1', as: 'draft', text: 'Hi', origin: from })).toMatchObject({
      code: 'participant_muted',
    });
  });

  test('[I29] a refusal to send a text lists the ways in which it can be sent', () => {
    expect(
      givenThreadAndLoom().when(human, 'bring', { thread: 't1', as: 'steer', text: 'Hi', origin: from }),
    ).toMatchObject({
      code: 'wrong_kind',
      message: '"Plans" is a conversation: a text can be sent there as "draft" or "message", not as "steer".',
    });
    for (const wrong of [
      { thread: 'nowhere', origin: from },
      { thread: 't1', origin: { ...from, thread: 'nowhere' } },
    ]) {
      expect(givenThreadAndLoom().when(human, 'bring', { as: 'draft', text: 'Hi', ...wrong })).toMatchObject({
        code: 'unknown_thread',
      });
    }
  });
});
