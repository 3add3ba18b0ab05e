import { afterEach, expect, test } from 'vitest';
import { type FakeStep, startFakeModels } from '../../../test/support/models/fake-models.ts';
import { createNight } from '../../../test/support/models/night.ts';
import { openRemoteEngine } from '../../../test/support/servers/remote-engine.ts';
import type { LoomState } from '../../core/loom/state.ts';
import { modeState, type State } from '../../core/workspace.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A loom whose model was asked to go on. */
const generate = (...steps: readonly FakeStep[]) => generateWays(1, ...steps);

async function generateWays(n: number, ...steps: readonly FakeStep[]) {
  const night = createNight();
  const models = await startFakeModels();
  closing.push(models.close);
  models.script(...steps);
  const server = await openRemoteEngine(models.openAiUrl, { night, retries: 0 });
  closing.push(server.close);
  const thread = await server.create('loom', { text: 'Once' });
  await server.send('generate', { thread, edits: [], text: '', n });
  const eventsOfType = async (type: string) => (await server.events(thread)).filter((event) => event.type === type);
  const until = (type: string) => night.until(async () => (await eventsOfType(type)).length > 0);
  const state = async () => modeState('loom', (await server.engine.state(thread))?.state as State) as LoomState;
  return { models, server, thread, of: eventsOfType, until, state };
}

const rateLimit = (seconds?: number): FakeStep => ({
  fault: 'rate_limited',
  ...(seconds !== undefined && { retry_after: seconds }),
});

test('[W32] a generation that waits for its provider says why and until when, and continues then', async () => {
  const { models, of, until, state } = await generate(rateLimit(90), { text: ' upon' });
  await until('generation.waiting');
  const why = 'The model "far" is rate-limited (429): Too many requests.';
  const [event] = await of('generation.waiting');
  const { until: next } = (event?.content ?? {}) as { until: string };
  expect(event).toMatchObject({ from: 'far', content: { why }, meta: { blobs: [expect.any(String)] } });
  expect((Date.parse(next) - Date.parse(event?.ts ?? '')) / 1000).toBe(90);
  expect((await state()).openGenerations).toMatchObject([{ waiting: { why, until: next } }]);
  await until('generation.finished');
  expect(await of('generation.finished')).toMatchObject([{ content: { choices: [{ content: ' upon' }] } }]);
  expect([models.requests.length, (await state()).openGenerations]).toEqual([2, []]);
});

test('[W32] a generation waits at most ten minutes and then says so', async () => {
  const { of, until } = await generate({ fault: 'rate_limited', repeat: 'always' });
  await until('generation.failed');
  const message = expect.stringContaining('A loom waits 10 minutes at most: generate again later.');
  expect(await of('generation.failed')).toMatchObject([{ content: { message } }]);
  const waits = await of('generation.waiting');
  const { until: last = '' } = (waits.at(-1)?.content ?? {}) as { until?: string };
  const minutesTo = (ts = '') => (Date.parse(ts) - Date.parse(waits[0]?.ts ?? '')) / 60_000;
  expect(minutesTo((await of('generation.failed'))[0]?.ts)).toBeGreaterThanOrEqual(9.9);
  expect(minutesTo(last)).toBeLessThan(10.1);
});

test('[W32] [M7] a budget that is used up meanwhile ends the wait without a request', async () => {
  const { models, server, thread, of, until } = await generate(rateLimit(90), { text: ' upon' });
  await until('generation.waiting');
  const content = { budget: { tokens: 1 } };
  expect(await server.send('post', { thread, type: 'control', content })).not.toHaveProperty('code');
  await until('generation.failed');
  expect(await of('generation.failed')).toMatchObject([{ content: { code: 'budget_reached' } }]);
  expect(models.requests).toHaveLength(1);
});

test('[W32] stopping ends the wait', async () => {
  const { models, server, thread, of, until } = await generate(rateLimit(300), { text: ' upon' });
  await until('generation.waiting');
  expect(await server.send('stop', { thread })).not.toHaveProperty('code');
  await until('generation.failed');
  expect([models.requests.length, await of('generation.finished')]).toEqual([1, []]);
});

test.each([
  ['a server that is broken', { fault: 'server_error', status: 500 }],
  ['a refused key', { fault: 'server_error', status: 401 }],
] as const)('[W32] %s is reported at once, so that the writer can decide', async (_, fault) => {
  const { models, of, until } = await generate(fault);
  await until('generation.failed');
  expect([models.requests.length, await of('generation.waiting')]).toEqual([1, []]);
});

test('[W32] text received before a provider failed is kept and not requested again', async () => {
  const cut: FakeStep = { text: 'one two three four', fault: 'cut', after: 2 };
  const { models, of, until } = await generate(cut, { text: ' again' });
  await until('generation.finished');
  const [event] = await of('generation.finished');
  expect(event?.content).toMatchObject({ choices: [{ content: expect.stringContaining('one'), finish: 'failed' }] });
  expect(models.requests).toHaveLength(1);
});

test('[W16] [W32] a truncated text is kept as truncated, even if an earlier attempt was complete', async () => {
  const end = { id: 'x', choices: [{ index: 0, text: '', finish_reason: 'stop' }] };
  const blank: FakeStep = { wire: [`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`], type: 'text/event-stream' };
  const cut: FakeStep = { text: 'one two three four', fault: 'cut', after: 2 };
  const { of, until } = await generateWays(3, blank, rateLimit(4), cut);
  await until('generation.finished');
  const [event] = await of('generation.finished');
  expect(event?.content).toMatchObject({ choices: [{ content: expect.stringContaining('one'), finish: 'failed' }] });
});
