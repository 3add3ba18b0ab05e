import { expect, test } from 'vitest';
import { alpha, beta, controls, created, given, human, says } from '../../../../test/support/domain/given.ts';
import type { Actor, Event } from '../../events/event.ts';
import { WAKE_LIMITS } from './policy.ts';
import { deliveriesFor } from './routing.ts';

const PAID = { kind: 'agent', client: 'model', model: 'm' };
const FROM_T1 = { thread: 't1', link: '/threads/t1#e1', what: 'message', event: 'e1', hash: 'h' } as const;
type World = ReturnType<typeof given>;

/** A human has let alpha and beta in and spoken to alpha. */
function givenAgents(): World {
  const agents = ['alpha', 'beta', 'paid'].map((id) =>
    controls(human, { invite: { participant_id: id, profile: id === 'paid' ? PAID : { kind: 'agent' } } }),
  );
  return given(created, ...agents, says(human, 'Look into it.', { to: 'alpha' }));
}

const createdThread = (world: World, name: 'create' | 'fork' | 'side_open', input: object, actor: Actor = alpha) =>
  (world.when(actor, name, input) as Event[])[0]?.thread as string;

function address(world: World, thread: string, actor: Actor = alpha, to = 'paid') {
  const [event] = world.when(actor, 'post', { thread, type: 'message', content: 'please answer this', to }) as Event[];
  return deliveriesFor(world.state(thread), event as Event).find(({ participant }) => participant === to);
}

const WAYS = {
  'a new thread from a text': (world: World) =>
    createdThread(world, 'create', { title: 'New', origin: FROM_T1, invite: [{ participant_id: 'paid' }] }),
  'a fork': (world: World) => createdThread(world, 'fork', { thread: 't1' }),
  'a side channel': (world: World) =>
    createdThread(world, 'side_open', { thread: 't1', question: 'Which?', members: ['paid'] }),
} as const;

test('[T16] forty threads created by an agent wake no paid agent until a human takes part', () => {
  const world = givenAgents();
  const threads = Array.from({ length: 40 }, () =>
    createdThread(world, 'create', { title: 'New', invite: [{ participant_id: 'paid' }] }),
  );
  for (const thread of threads) {
    expect(address(world, thread)).toMatchObject({ decision: 'no', code: 'hop_limit' });
    expect(world.jobs(thread)).toEqual([]);
  }
  const [thread = ''] = threads;
  expect(address(world, thread)?.reason).toBe('no human has written in this thread, which alpha created; a human can let it continue'); // biome-ignore format: one comparison
  world.when(human, 'post', {
    thread,
    type: 'control',
    content: { invite: { participant_id: 'paid', profile: PAID } },
  });
  world.when(human, 'post', { thread, type: 'message', content: 'Go on.' });
  expect(address(world, thread)).toMatchObject({ decision: 'wake' });
  expect(world.jobs(thread)).toMatchObject([{ kind: 'agent.answer', input: { participant: 'paid' } }]);
});

test('[T16] a human can let agents continue in a thread that an agent created, even before any was stopped', () => {
  for (const stopped of [true, false]) {
    const world = givenAgents();
    const thread = createdThread(world, 'create', { title: 'New', invite: [{ participant_id: 'beta' }] });
    if (stopped) address(world, thread, alpha, 'beta');
    world.when(human, 'post', { thread, type: 'control', content: { continue: true } });
    expect(address(world, thread, alpha, 'beta')).toMatchObject({ decision: 'wake' });
  }
});

test.each(Object.entries(WAYS))('[T16] %s counts against the message that its creator acted on', (_, make) => {
  const world = givenAgents();
  const root = world.state().lastHuman;
  expect(world.state().routing.causes.alpha).toEqual({ root, depth: 1 });
  const thread = make(world);
  expect(world.state(thread).madeFor).toMatchObject({ root, depth: 1 });
  const spent = world.state().routing.spent.find((each) => each.root === root)?.wakes;
  expect(spent).toBe(world.state(thread).madeFor?.wakes);
  const [event] = world.when(alpha, 'post', { thread, type: 'message', content: 'so be it' }) as Event[];
  expect(event?.meta.cause).toEqual({ root, depth: 1 });
});

test.each(Object.entries(WAYS))(
  '[T22] in %s the server runs the participants that a human described in the original thread',
  (_, make) => {
    const world = givenAgents();
    const thread = make(world);
    expect(world.state(thread).participants.paid?.profile).toEqual(PAID);
    expect(address(world, thread)).toMatchObject({ decision: 'wake' });
  },
);

test('[T16] all threads that an agent creates together wake no more agents than one thread would', () => {
  for (const make of [...Object.values(WAYS), undefined]) {
    const world = givenAgents();
    const ways = Object.values(WAYS);
    const threads = Array.from({ length: 40 }, (_, i) => (make ?? (ways[i % ways.length] as typeof make & {}))(world));
    // And of those others, as deep as it goes.
    for (const thread of threads.slice(0, 5))
      for (let i = 0; i < 5; i++) threads.push(createdThread(world, 'fork', { thread }), createdThread(world, 'side_open', { thread, question: 'And?', members: ['paid'] })); // biome-ignore format: two ways
    // Whom invitations woke, and whom messages wake: in the first thread beta goes back to something else.
    let wakeCount = threads.reduce((sum, thread) => sum + (world.state(thread).routing.wakes.paid?.length ?? 0), 0);
    for (const thread of ['t1', ...threads])
      for (const actor of thread === 't1' ? [alpha, alpha, alpha] : [alpha, beta, alpha, beta, alpha, beta])
        if (address(world, thread, actor)?.decision === 'wake') wakeCount++;
    expect(wakeCount).toBeGreaterThan(0);
    expect(wakeCount).toBeLessThanOrEqual(WAKE_LIMITS.wakes);
  }
});

test('[T16] an agent that nobody woke shares the allowance of the last human message', () => {
  const world = givenAgents();
  const gamma: Actor = { id: 'gamma', kind: 'agent' };
  for (let i = 0; i < 6; i++) createdThread(world, 'fork', { thread: 't1' }, gamma);
  const thread = createdThread(world, 'fork', { thread: 't1' }, gamma);
  expect(address(world, thread, gamma)).toMatchObject({ code: 'hop_limit' });
  expect(address(world, 't1', gamma)).toMatchObject({ code: 'hop_limit' });
});

test('[T11] the budget of a side channel applies inside it', () => {
  const world = givenAgents();
  const thread = createdThread(world, 'side_open', {
    thread: 't1',
    question: 'Which?',
    members: ['paid'],
    budget: { tokens: 5 },
  });
  expect(world.state(thread).budget).toEqual({ tokens: 5 });
});
