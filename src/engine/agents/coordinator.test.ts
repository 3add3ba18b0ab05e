import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { human } from '../../../test/support/domain/given.ts';
import { FETCH_MS, fetchPinned } from '../../../test/support/models/weights.ts';
import {
  type AgentServer,
  hasClosedWakes,
  messagesOf,
  openAgentServer,
  say,
  threadWith as threadOf,
  waitForEvents,
  waitForPresence,
  waitForQuiet,
  wakeOutcomes,
} from '../../../test/support/servers/agent-server.ts';
import { readEvents } from '../../../test/support/servers/engine-access.ts';
import type { Command } from '../../core/workspace.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { STORIES } from '../../models/builtin/weights/pinned.ts';
import type { Engine } from '../engine.ts';

const opened: AgentServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

/** A server with scripted models, by name. */
async function server(scripts: Readonly<Record<string, object>>): Promise<Engine> {
  const open = await openAgentServer({ scripts });
  opened.push(open);
  return open.engine;
}

function threadWith(engine: Engine, ...agents: readonly [id: string, profile: object][]): Promise<string> {
  return threadOf(
    engine,
    ...agents.map(([id, profile]) => [id, { client: 'model', model: id, ...profile }] as [string, object]),
  );
}

test('[T18] woken agents answer under their own ids, one after the other, and their usage is recorded', async () => {
  const engine = await server({
    alpha: { answers: [{ text: 'PASS' }, { text: 'A pond.' }] },
    beta: { answers: [{ text: 'PASS' }, { text: 'And a bench.' }] },
  });
  const thread = await threadWith(engine, ['alpha', {}], ['beta', {}]);
  engine.startWork();
  await waitForEvents(engine, thread, hasClosedWakes(2));
  await engine.handle(human, say(thread, 'What does the garden need?'));
  const events = await waitForEvents(engine, thread, hasClosedWakes(4));
  expect(messagesOf(events)).toEqual(['ana: What does the garden need?', 'alpha: A pond.', 'beta: And a bench.']);
  const outcomes = events.filter(({ type }) => type === 'wake.closed').map(({ content }) => content);
  expect(outcomes).toMatchObject([
    { outcome: 'declined', reason: 'It passed.' },
    { outcome: 'declined' },
    { outcome: 'answered', usage: { model: 'alpha', raw: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    { outcome: 'answered' },
  ]);
});

test(
  '[T18] [M3] the small built-in model answers without instructions it cannot follow, and is labelled as small',
  async () => {
    await fetchPinned(STORIES);
    const open = await openAgentServer({ models: { tiny: { provider: 'embedded' } } });
    opened.push(open);
    const { engine } = open;
    const thread = await threadOf(engine, ['tiny', { client: 'model', model: 'tiny' }]);
    await engine.handle(human, say(thread, 'Once upon a time there was a garden'));
    engine.startWork();
    const events = await waitForEvents(engine, thread, (all) => messagesOf(all).length === 2);
    expect(messagesOf(events)[1]).toMatch(/^tiny: .*[a-z]{2,}/s);
    expect(messagesOf(events)[1]).not.toMatch(/PASS|You are tiny/);
    const { usage } = wakeOutcomes(events).at(-1) as { usage: { prompt_tokens: number } };
    expect(usage).toMatchObject({ model: 'tiny', small: true, generated_tokens: expect.any(Number) });
    expect(usage.prompt_tokens).toBeLessThan(40);
  },
  FETCH_MS,
);

test('[T18] an agent that fails says why in the thread and wakes nobody', async () => {
  const engine = await server({ alpha: { answers: [{ fault: 'unknown_model' }] } });
  const thread = await threadWith(engine, ['alpha', {}]);
  engine.startWork();
  const events = await waitForEvents(engine, thread, hasClosedWakes(1));
  expect(events.at(-1)?.content).toMatchObject({
    participant: 'alpha',
    outcome: 'failed',
    reason: expect.stringMatching(/model/),
  });
});

test('[T7] pausing cancels an answer, and it is requested again after the pause', async () => {
  const engine = await server({
    alpha: { answers: [{ text: 'Here. It takes me a while.', pace: 60_000 }, { text: 'Now.' }] },
  });
  const thread = await threadWith(engine, ['alpha', {}]);
  engine.startWork();
  const control = (content: object) =>
    engine.handle(human, { name: 'post', input: { thread, type: 'control', content } } as Command);
  await waitForPresence(engine, thread, 'thinking');
  await control({ pause: { on: true } });
  await waitForPresence(engine, thread, 'listening');
  await control({ pause: { on: false } });
  expect(messagesOf(await waitForEvents(engine, thread, hasClosedWakes(1)))).toEqual(['alpha: Now.']);
});

test('[T19] the answer of an agent that drafts waits beside the thread until a human posts it', async () => {
  const engine = await server({ alpha: { answers: [{ text: 'A first thought.' }] } });
  const thread = await threadWith(engine, ['alpha', { posting: 'draft' }]);
  engine.startWork();
  expect(messagesOf(await waitForEvents(engine, thread, hasClosedWakes(1)))).toEqual([]);
  await engine.handle(human, { name: 'draft_accept', input: { thread, index: 1 } });
  const events = await waitForEvents(engine, thread, (all) => all.some(({ type }) => type === 'message'));
  expect(events.at(-1)).toMatchObject({ from: 'alpha', content: 'A first thought.', meta: { accepted_by: 'ana' } });
});

test('[T18] answers pending when a server stopped are given once by the next one, and nothing else is repeated', async () => {
  const log = openMemoryLog();
  const scripts = (text: string, pace: number) => ({
    alpha: { answers: [{ text, pace, repeat: 'always' }] },
    beta: { answers: [{ text: 'Mine.' }] },
  });
  const first = await openAgentServer({ log, scripts: scripts('It takes me a while.', 60_000) });
  const thread = await threadWith(first.engine, ['alpha', {}], ['beta', {}]);
  first.engine.startWork();
  await waitForEvents(first.engine, thread, hasClosedWakes(1));
  await waitForPresence(first.engine, thread, 'thinking');
  await first.close();
  const second = await openAgentServer({ log, scripts: scripts('Now.', 0) });
  opened.push(second);
  second.engine.startWork();
  expect(messagesOf(await waitForEvents(second.engine, thread, hasClosedWakes(2)))).toEqual([
    'beta: Mine.',
    'alpha: Now.',
  ]);
});

test('[T13] an agent waits at most half a minute for another to answer first', async () => {
  const words = Array.from({ length: 100 }, (_, i) => `word${i}`).join(' ');
  const engine = await server({
    alpha: { answers: [{ text: 'PASS' }, { text: words, pace: 1000 }] },
    beta: { answers: [{ text: 'PASS' }, { text: 'I could not wait.' }] },
  });
  const thread = await threadWith(engine, ['alpha', {}], ['beta', {}]);
  engine.startWork();
  await waitForEvents(engine, thread, hasClosedWakes(2));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  await engine.handle(human, say(thread, 'What does the garden need?'));
  const answered = waitForEvents(engine, thread, hasClosedWakes(3));
  await vi.advanceTimersByTimeAsync(29_000);
  expect(messagesOf(await readEvents(engine, thread))).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(messagesOf(await answered).at(-1)).toBe('beta: I could not wait.');
});

test('[T16] two agents that answer each other stop by themselves', async () => {
  const engine = await server({
    alpha: { answers: [{ text: '@beta, what do you say?', repeat: 'always' }] },
    beta: { answers: [{ text: '@alpha, and you?', repeat: 'always' }] },
  });
  const thread = await threadWith(engine, ['alpha', {}], ['beta', {}]);
  await engine.handle(human, {
    name: 'post',
    input: { thread, type: 'control', content: { discussion: { on: true } } },
  });
  engine.startWork();
  await waitForEvents(engine, thread, hasClosedWakes(2));
  await waitForQuiet(engine, thread);
  const { thread: state } = (await engine.state(thread))?.state ?? {};
  expect(state?.routing.stopped.length).toBeGreaterThan(0);
});

test('[T3] an agent that this server can run is wakeable, others are not', async () => {
  const engine = await server({ alpha: { answers: [] } });
  const thread = await threadWith(engine, ['alpha', {}], ['beta', { client: 'elsewhere' }]);
  const loaded = await engine.state(thread);
  expect(engine.presencesOf((loaded as NonNullable<typeof loaded>).state)).toMatchObject([
    { participant: 'alpha', reach: 'wakeable', state: 'listening' },
  ]);
});
