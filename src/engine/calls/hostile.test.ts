import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type FakeModels, type FakeWire, startFakeModels } from '../../../test/support/models/fake-models.ts';
import { isRefusal } from '../../core/refusal.ts';
import { NoSpace } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { createRegistry } from '../../models/registry/registry.ts';
import type { ModelEntry } from '../../models/registry/schema.ts';
import { createRemoteModel } from '../../models/remote/remote.ts';
import { createSecrets } from '../secrets.ts';
import { createModels } from './models.ts';

let fake: FakeModels;
const open: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  fake = await startFakeModels();
});
afterAll(() => fake.close());
afterEach(async () => void (await Promise.all(open.splice(0).map((close) => close()))));

const PROMPT = 'Tell me of looms, and of nothing else.';
const ANSWER = 'A loom holds threads.';
const PROMPT_TOKENS = { 'openai-completions': 13, 'openai-chat': 17, anthropic: 17 } as const;
const ANSWER_TOKENS = 7;
type Remote = keyof typeof PROMPT_TOKENS;
const REMOTE = Object.keys(PROMPT_TOKENS) as Remote[];

function event(value: unknown): string {
  const { type } = value as { type?: string };
  return `${type ? `event: ${type}\n` : ''}data: ${JSON.stringify(value)}\n\n`;
}

function textEvent(provider: Remote, text: string): string {
  if (provider === 'anthropic') return event({ type: 'content_block_delta', delta: { type: 'text_delta', text } });
  const delta = provider === 'openai-chat' ? { delta: { content: text } } : { text };
  return event({ choices: [{ index: 0, ...delta, finish_reason: null }] });
}

/** A whole answer that says it used so much. */
function wireAnswer(provider: Remote, prompt: unknown, generated: unknown): FakeWire {
  const type = 'text/event-stream';
  if (provider === 'anthropic') {
    const usage = { input_tokens: prompt, output_tokens: generated };
    const end = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: generated } };
    const begin = event({ type: 'message_start', message: { usage } });
    return { type, wire: [begin, textEvent(provider, ANSWER), event(end), event({ type: 'message_stop' })] };
  }
  const end = event({ choices: [{ index: 0, text: '', delta: {}, finish_reason: 'stop' }] });
  const usage = event({ choices: [], usage: { prompt_tokens: prompt, completion_tokens: generated } });
  return { type, wire: [textEvent(provider, ANSWER), end, usage, 'data: [DONE]\n\n'] };
}

function openModels(provider: Remote, { log = openMemoryLog(), streaming = true } = {}) {
  const baseUrl = provider === 'anthropic' ? fake.url : fake.openAiUrl;
  const entry: ModelEntry = { provider, model: 'x', base_url: baseUrl, price: { input: 10, output: 100 } };
  const registry = createRegistry({
    settings: () => ({ models: { x: entry }, clients: {}, defaults: {}, budgets: {} }),
    ...(!streaming && {
      open: async (id: string) =>
        createRemoteModel({ id, provider, model: 'x', baseUrl, context: 8192, capabilities: { streaming } }),
    }),
  });
  const models = createModels({ log, registry, secrets: createSecrets() });
  open.push(models.close);
  const before = fake.requests.length;
  const ask = (maxTokens?: number) => {
    const options = { model: 'x', purpose: 'test' };
    const most = maxTokens === undefined ? {} : { maxTokens };
    if (provider === 'openai-completions') return models.calls.complete({ prompt: PROMPT, ...most }, options);
    return models.calls.chat({ messages: [{ role: 'user', content: PROMPT }], ...most }, options);
  };
  return { ask, models, used: () => models.usage.of('workspace'), requests: () => fake.requests.length - before };
}

const ABSURD: readonly unknown[] = [0, 9e15, 1e300, -5, 3.5, '12', null, [], {}, undefined, true];

test.each(REMOTE)('[M13] an impossible usage report from %s is not believed', async (provider) => {
  for (const absurd of ABSURD) {
    const { ask, used } = openModels(provider);
    fake.script(wireAnswer(provider, absurd, absurd));
    const reply = await ask();
    if (isRefusal(reply)) throw new Error(reply.refusal.message);
    const usage = { promptTokens: PROMPT_TOKENS[provider], generatedTokens: ANSWER_TOKENS };
    expect(reply.usage, JSON.stringify(absurd)).toEqual({ ...usage, estimated: true });
    const cost = (10 * usage.promptTokens + 100 * usage.generatedTokens) / 1e6;
    expect(await used()).toEqual({ calls: 1, failures: 0, ...usage, cost });
  }
});

test.each(REMOTE)('[M13] a possible usage report from %s is believed, hidden reasoning included', async (provider) => {
  for (const [prompt, generated, maxTokens] of [
    [9, 5, undefined],
    [600, 5, undefined],
    [9, 900, 1000],
    [9, 50, 20],
  ] as const) {
    const { ask } = openModels(provider);
    fake.script(wireAnswer(provider, prompt, generated));
    expect(await ask(maxTokens)).toMatchObject({ usage: { promptTokens: prompt, generatedTokens: generated } });
  }
});

test.each(REMOTE)('[M13] when a stream of %s breaks off, what arrived is counted', async (provider) => {
  const { ask, used, requests } = openModels(provider);
  fake.script({ type: 'text/event-stream', wire: [textEvent(provider, 'x'.repeat(30_000))], cut: true });
  expect(isRefusal(await ask())).toBe(true);
  expect(await used()).toMatchObject({ failures: 1, promptTokens: PROMPT_TOKENS[provider], generatedTokens: 10_000 });
  expect(requests()).toBe(1);
});

test.each(REMOTE)('[M13] an endless answer of %s is cut, counted, reported and not retried', async (provider) => {
  const { ask, models, used, requests } = openModels(provider);
  function* endless() {
    for (;;) yield textEvent(provider, '\u00e9 "'.repeat(16 * 1024));
  }
  fake.script({ type: 'text/event-stream', wire: endless() });
  const reply = await ask();
  if (isRefusal(reply)) throw new Error(reply.refusal.message);
  const [choice] = reply.choices;
  expect(choice?.reason).toBe('length');
  expect(reply.cut).toBe(true);
  expect(Buffer.byteLength(choice?.text ?? '')).toBeLessThanOrEqual(480 * 1024);
  expect(choice?.text).not.toContain('\ufffd');
  expect(reply.usage.generatedTokens).toBeGreaterThan((480 * 1024) / 3);
  expect((await used()).generatedTokens).toBe(reply.usage.generatedTokens);
  expect(await models.calls.raw(reply.raw)).toContain('"cut":true');
  expect(requests()).toBe(1);
});

test.each(REMOTE)('[M13] a body of %s that is too long is counted, reported and not retried', async (provider) => {
  const { ask, used, requests } = openModels(provider, { streaming: false });
  fake.script({
    type: 'application/json',
    wire: ['{"x":"', ...Array.from({ length: 40 }, () => 'x'.repeat(1024 * 1024))],
  });
  const reply = await ask();
  expect(reply).toMatchObject({
    refusal: { code: 'too_large', message: expect.stringContaining('an endless answer') },
  });
  expect((await used()).generatedTokens).toBeGreaterThan((16 * 1024 * 1024) / 3);
  expect(requests()).toBe(1);
});

test('[M13] a record that is too large for the disk is shortened, and the answer is kept', async () => {
  const { ask, models, used } = openModels('openai-chat', { streaming: false });
  const body = JSON.stringify({ choices: [{ message: { content: 'short' }, finish_reason: 'stop' }] });
  // As long as a body may be; within JSON, each of these is two characters.
  fake.script({ type: 'application/json', wire: [body, '\n'.repeat(16 * 1024 * 1024 - body.length)] });
  const reply = await ask();
  if (isRefusal(reply)) throw new Error(reply.refusal.message);
  expect(reply.choices[0]?.text).toBe('short');
  expect(JSON.parse((await models.calls.raw(reply.raw)) ?? '')).toMatchObject({ choices: [{ text: 'short' }] });
  expect((await used()).calls).toBe(1);
});

test('[M13] usage is counted even if its record cannot be stored', async () => {
  const log = openMemoryLog();
  const full = { ...log, putBlobs: () => Promise.reject(new NoSpace('The disk is full.')) };
  const { ask, used } = openModels('openai-chat', { log: full });
  fake.script(wireAnswer('openai-chat', 12, 6));
  await expect(ask()).rejects.toThrow('The disk is full.');
  expect(await used()).toMatchObject({ calls: 1, promptTokens: 12, generatedTokens: 6 });
});
