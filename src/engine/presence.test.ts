import { expect, test } from 'vitest';
import { alpha, human } from '../../test/support/domain/given.ts';
import { modeState } from '../core/workspace.ts';
import { eventOf, type StoredEvent } from '../log/event-log.ts';
import { openMemoryLog } from '../log/memory/memory-log.ts';
import { createEngine, type Engine } from './engine.ts';
import { createPresence, DECLARED_MS, LIVE_GRACE_MS } from './presence.ts';

type AcceptedResult = Exclude<Awaited<ReturnType<Engine['handle']>>, { refusal: unknown }>;
type LoadedThread = NonNullable<Awaited<ReturnType<Engine['state']>>>;

function openBoard() {
  let time = Date.parse('2026-01-01T00:00:00Z');
  let elapsed = 0;
  const announcements: string[] = [];
  const presence = createPresence({
    now: () => time,
    elapsed: () => elapsed,
    onChange: (_thread, { participant, state, reach }) => announcements.push(`${participant} ${state} ${reach}`),
  });
  const advance = (ms: number) => {
    time += ms;
    elapsed += ms;
  };
  return { presence, told: announcements, pass: advance, setBack: (ms: number) => (time -= ms) };
}

test('[L26] setting the clock back keeps nobody present for longer', () => {
  const { presence, pass, setBack } = openBoard();
  presence.declare('t', 'alpha', 'thinking');
  presence.connect('t', 'ana')();
  setBack(3_600_000);
  pass(LIVE_GRACE_MS);
  expect(presence.of('t')).toMatchObject([{ state: 'thinking' }, { participant: 'ana', state: 'offline' }]);
  pass(DECLARED_MS);
  expect(presence.of('t')).toMatchObject([{ state: 'offline' }, { state: 'offline' }]);
});

test('[T3] presence declared by polling lasts two minutes', () => {
  const { presence, told, pass } = openBoard();
  presence.declare('t', 'alpha', 'thinking');
  expect(presence.of('t')).toMatchObject([{ participant: 'alpha', state: 'thinking', reach: 'declared' }]);
  pass(DECLARED_MS - 1);
  presence.sweep();
  expect(presence.of('t')).toMatchObject([{ state: 'thinking' }]);
  pass(1);
  expect(presence.of('t')).toMatchObject([{ state: 'offline', reach: 'none' }]);
  presence.sweep();
  expect(told).toEqual(['alpha thinking declared', 'alpha offline none']);
});

test('[T3] a connection counts as live while it lasts and a few seconds longer', () => {
  const { presence, told, pass } = openBoard();
  const first = presence.connect('t', 'ana');
  const second = presence.connect('t', 'ana');
  pass(10 * DECLARED_MS);
  expect(presence.of('t')).toMatchObject([{ state: 'listening', reach: 'live' }]);
  first();
  pass(10 * LIVE_GRACE_MS);
  expect(presence.of('t')).toMatchObject([{ reach: 'live' }]);
  second();
  pass(LIVE_GRACE_MS - 1);
  expect(presence.of('t')).toMatchObject([{ state: 'listening', reach: 'live' }]);
  pass(1);
  presence.sweep();
  expect(presence.of('t')).toEqual([]);
  expect(told).toEqual(['ana listening live', 'ana offline none']);
});

test('[D15] closing the last view of a dialogue makes me absent, unless I set my engagement by hand', async () => {
  let time = Date.parse('2026-01-01T00:00:00Z');
  const engine = await createEngine({ log: openMemoryLog(), now: () => time });
  const create = { title: 'Talk', kind: 'dialogue' as const, invite: [] };
  const thread = ((await engine.handle(human, { name: 'create', input: create })) as AcceptedResult).events[0]
    ?.thread as string;
  const engagement = async () =>
    modeState('dialogue', ((await engine.state(thread)) as LoadedThread).state)?.engagement;
  const setEngagement = (engagement: 'reviewing' | 'engaged') =>
    engine.handle(human, { name: 'engagement', input: { thread, engagement } });
  const advance = async (ms: number) => {
    time += ms;
    engine.presence.sweep();
    await new Promise(setImmediate);
  };

  await setEngagement('engaged');
  await advance(10 * LIVE_GRACE_MS);
  expect(await engagement()).toBe('engaged');
  const [first, second] = [engine.presence.connect(thread, 'ana'), engine.presence.connect(thread, 'ana')];
  const agent = engine.presence.connect(thread, 'alpha');
  first();
  await advance(LIVE_GRACE_MS);
  expect(await engagement()).toBe('engaged');
  second();
  // A page that is loaded again comes back in time.
  const again = engine.presence.connect(thread, 'ana');
  await advance(LIVE_GRACE_MS);
  expect(await engagement()).toBe('engaged');
  again();
  await advance(LIVE_GRACE_MS);
  await expect.poll(engagement).toBe('absent');
  expect(eventOf((await engine.log.lastOf(thread)) as StoredEvent)).toMatchObject({
    type: 'engagement.set',
    from: 'ana',
    content: { engagement: 'absent' },
  });
  await setEngagement('reviewing');
  agent();
  await advance(LIVE_GRACE_MS);
  expect(await engagement()).toBe('reviewing');
  await engine.close();
});

test('[T3] repeating the same presence is a heartbeat and is not announced', () => {
  const { presence, told } = openBoard();
  for (let i = 0; i < 5; i++) presence.declare('t', 'alpha', 'typing');
  expect(told).toEqual(['alpha typing declared']);
});

test('[T2] presence details change a profile only while the participant is there', () => {
  const { presence } = openBoard();
  presence.declare('t', 'alpha', 'listening', { nickname: 'Al' });
  expect(presence.of('t')[0]?.details).toEqual({ nickname: 'Al' });
});

test('[L19] presence from another server lasts until it stops repeating it', () => {
  const { presence, pass } = openBoard();
  presence.applyRemote('t', { participant: 'beta', state: 'typing', reach: 'live', since: '2026-01-01T00:00:00.000Z' });
  expect(presence.of('t')).toMatchObject([{ participant: 'beta', state: 'typing', reach: 'live' }]);
  expect(presence.listConnected()).toEqual([]);
  pass(46_000);
  expect(presence.of('t')).toMatchObject([{ state: 'offline' }]);
});

test('[T3] the start and end of thinking are recorded where the thread asks for it, heartbeats never are', async () => {
  const engine = await createEngine({ log: openMemoryLog() });
  const handled = await engine.handle(human, {
    name: 'create',
    input: { title: 'T', kind: 'conversation', invite: [] },
  });
  const thread = (handled as { events: readonly StoredEvent[] }).events[0]?.thread as string;
  await engine.declare(alpha, thread, 'thinking');
  await engine.declare(alpha, thread, 'idle');
  expect(await engine.log.head()).toBe(1);
  await engine.handle(human, {
    name: 'post',
    input: { thread, type: 'control', content: { presence_log: { on: true } } },
  });
  for (const state of ['thinking', 'thinking', 'typing', 'thinking', 'listening'] as const)
    await engine.declare(alpha, thread, state);
  const rows = (await engine.log.readThread(thread, 2, 10)).map(
    (row) => (eventOf(row).content as { transition: string }).transition,
  );
  expect(rows).toEqual(['thinking.start', 'thinking.end', 'thinking.start', 'thinking.end']);
  await engine.close();
});
