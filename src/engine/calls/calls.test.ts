import { afterEach, describe, expect, test } from 'vitest';
import type { Refusal } from '../../core/refusal.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import type { Chunk, Model } from '../../models/model.ts';
import type { PromptPart } from '../../models/prompt/fit.ts';
import { createRegistry } from '../../models/registry/registry.ts';
import type { Budgets, ModelEntry } from '../../models/registry/schema.ts';
import { createSecrets } from '../secrets.ts';
import type { CallReply } from './calls.ts';
import { createModels } from './models.ts';

const KEY = 'sk-a-key-that-must-not-be-kept';
const entry: ModelEntry = { provider: 'openai-chat', model: 'x', price: { input: 10, output: 100 } };
const request = { prompt: 'one two three', maxTokens: 5 };
const open: (() => Promise<unknown>)[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((close) => close()))));

describe('[M5] a call', () => {
  test('[M5] a call returns text, usage and cost, and keeps the full response without secrets', async () => {
    const { models } = workspaceWith();
    const chunks: Chunk[] = [];
    const reply = (await models.calls.complete(
      { ...request, n: 2, logprobs: 1 },
      { model: 'echo', purpose: 'test', thread: 't1', run: 'r1', onChunk: (chunk) => chunks.push(chunk) },
    )) as CallReply;
    expect(reply.choices).toEqual([
      { text: 'word word', reason: 'stop', tokens: [] },
      { text: 'word word', reason: 'stop', tokens: [] },
    ]);
    expect(reply).toMatchObject({
      model: 'echo',
      usage: { promptTokens: 3, generatedTokens: 4 },
      cost: (3 * 10 + 4 * 100) / 1e6,
      seed: 7,
      truncated: 0,
      legibility: 'full',
    });
    expect(chunks.at(-1)?.type).toBe('done');
    const raw = JSON.parse((await models.calls.raw(reply.raw)) ?? '');
    expect(raw).toMatchObject({
      model: 'echo',
      purpose: 'test',
      thread: 't1',
      run: 'r1',
      request: { prompt: 'one two three' },
      response: { status: 200, body: 'the body, with [removed]' },
      usage: { promptTokens: 3 },
      cost: reply.cost,
    });
    expect(raw.latency.totalMs).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify(raw)).not.toContain(KEY);
  });

  test('[M5] a failed call is kept and counted too, with what it had used', async () => {
    const { models } = workspaceWith();
    const refused = (await models.calls.complete(request, {
      model: 'breaks',
      purpose: 'test',
      thread: 't',
    })) as Refusal;
    expect(refused.refusal).toMatchObject({ code: 'model_unavailable', message: 'It broke off with [removed].' });
    const raw = JSON.parse((await models.calls.raw(refused.refusal.raw as string)) ?? '');
    expect(raw).toMatchObject({ choices: [{ text: 'word' }], outcome: { refusal: { code: 'model_unavailable' } } });
    expect(await models.usage.of('thread', 't')).toEqual({
      calls: 1,
      failures: 1,
      promptTokens: 4,
      generatedTokens: 2,
      cost: 0.00024,
    });
  });

  test('[M5] usage adds up exactly by workspace, model, thread, run and day, also after a restart', async () => {
    const { models, log } = workspaceWith();
    const replies = Array.from({ length: 40 }, (_, i) =>
      models.calls.complete(request, { model: 'echo', purpose: 'test', thread: `t${i % 2}`, run: 'r' }),
    );
    await Promise.all(replies);
    const again = workspaceWith({ log }).models.usage;
    const all = { calls: 40, failures: 0, promptTokens: 120, generatedTokens: 80, cost: 0.0092 };
    expect(await again.of('workspace')).toEqual(all);
    expect(await again.of('run', 'r')).toEqual(all);
    expect(await again.report()).toMatchObject({
      total: all,
      models: [{ model: 'echo', ...all }],
      threads: [
        { thread: 't0', calls: 20 },
        { thread: 't1', calls: 20 },
      ],
      days: [{ day: '2026-03-01', model: 'echo', ...all }],
    });
  });

  test('[M5] several servers on one log lose no usage', async () => {
    const log = openMemoryLog();
    const servers = [workspaceWith({ log }), workspaceWith({ log }), workspaceWith({ log })];
    const replies = Array.from({ length: 30 }, (_, i) =>
      servers[i % 3]?.models.calls.complete(request, { model: 'echo', purpose: 'test' }),
    );
    await Promise.all(replies);
    expect(await servers[0]?.models.usage.of('workspace')).toMatchObject({ calls: 30, promptTokens: 90 });
  });
});

describe('[M7] budgets', () => {
  const options = { model: 'echo', purpose: 'test', thread: 't', run: 'r' };

  test.each<[string, Budgets, string, RegExp]>([
    ['run', { run: { tokens: 10 } }, 'tokens', /budget of this run is used up: 10 of 10 tokens\. Start another run/],
    [
      'thread',
      { thread: { tokens: 10 } },
      'tokens',
      /budget of this thread is used up.*heddle control t budget tokens=N/,
    ],
    ['workspace', { workspace: { tokens: 10 } }, 'tokens', /budget of this workspace.*page's settings.*heddle\.yaml/],
    ['workspace', { workspace: { money: 0.0004 } }, 'money', /is used up: \$0\.00046 of \$0\.0004\b/],
  ])(
    '[M7] the %s’s budget stops calls and says which budget, how much and how to continue',
    async (scope, budgets, unit, words) => {
      const { models } = workspaceWith({ budgets });
      for (let i = 0; i < 2; i++) expect(await models.calls.complete(request, options)).toHaveProperty('choices');
      const { refusal } = (await models.calls.complete(request, options)) as Refusal;
      expect(refusal).toMatchObject({ code: 'budget_reached', budget: scope, unit });
      expect(refusal.message).toMatch(words);
      expect((await models.usage.of('workspace')).calls).toBe(2);
    },
  );

  test('[M7] a budget of a thread or a run takes precedence over the settings', async () => {
    const { models } = workspaceWith({ budgets: { thread: { tokens: 1 }, run: { tokens: 1 } } });
    const own = { thread: { tokens: 100 }, run: { tokens: 7 } };
    expect(await models.calls.complete(request, { ...options, budgets: own })).toHaveProperty('choices');
    expect(await models.calls.complete(request, { ...options, budgets: own })).toMatchObject({
      refusal: { code: 'budget_reached', budget: 'run', limit: 7, used: 5 },
    });
  });

  test('[M7] a prompt that alone exceeds the budget is refused with the numbers, and money only limits priced models', async () => {
    const { models } = workspaceWith({ budgets: { run: { tokens: 7 }, workspace: { money: 0.0001 } } });
    expect(await models.calls.complete(request, { ...options, model: 'free' })).toHaveProperty('choices');
    const { refusal } = (await models.calls.complete(request, { ...options, model: 'free' })) as Refusal;
    expect(refusal.message).toMatch(/too small for this: 5 of 7 tokens are used, and this takes 4\./);
    expect(await models.calls.complete(request, { model: 'echo', purpose: 'test' })).toHaveProperty('choices');
    expect(await models.calls.complete(request, { model: 'echo', purpose: 'test' })).toMatchObject({
      refusal: { code: 'budget_reached', unit: 'money' },
    });
    expect(await models.calls.complete(request, { model: 'free', purpose: 'test' })).toHaveProperty('choices');
  });

  test('[M7] a budget still applies after a restart and stops applying when it is raised', async () => {
    const { models, log } = workspaceWith({ budgets: { workspace: { tokens: 5 } } });
    await models.calls.complete(request, options);
    const later = workspaceWith({ log, budgets: { workspace: { tokens: 5 } } });
    expect(await later.models.calls.complete(request, options)).toMatchObject({ refusal: { code: 'budget_reached' } });
    later.budgets.workspace = { tokens: 50 };
    expect(await later.models.calls.complete(request, options)).toHaveProperty('choices');
  });

  test('[M7] many calls at once exceed a budget by no more than the answers in progress', async () => {
    const { models } = workspaceWith({ budgets: { workspace: { tokens: 20 } } });
    await Promise.all(Array.from({ length: 50 }, () => models.calls.complete(request, options)));
    const { promptTokens } = await models.usage.of('workspace');
    expect(promptTokens).toBeLessThanOrEqual(20);
  });
});

describe('[M10] an input too long', () => {
  const parts: PromptPart[] = [
    { kind: 'fixed', id: 'rules', text: 'be brief' },
    ...Array.from({ length: 60 }, (_, i): PromptPart => ({ kind: 'pool', id: `p${i}`, text: 'some thought' })),
    { kind: 'awaiting', id: 'm', text: 'what is it' },
  ];
  const build = (given: readonly PromptPart[]) => ({ prompt: given.map(({ text }) => text).join('\n'), maxTokens: 10 });

  test('[M10] it is shortened to fit the model, and the result says what was left out', async () => {
    const { models } = workspaceWith();
    const reply = (await models.calls.complete({ parts, build }, { model: 'echo', purpose: 'test' })) as CallReply;
    expect(reply.dropped?.pool.length).toBe(36);
    expect(reply.usage.promptTokens).toBe(5 + 2 * 24);
    const raw = JSON.parse((await models.calls.raw(reply.raw)) ?? '');
    expect(raw.request.prompt).toMatch(/^be brief\n(some thought\n)+what is it$/);
  });

  test('[M10] it is refused before any request if not even the message fits', async () => {
    const { models } = workspaceWith();
    const long: PromptPart[] = [{ kind: 'awaiting', id: 'm', text: 'word '.repeat(60) }];
    expect(await models.calls.complete({ parts: long, build }, { model: 'echo', purpose: 'test' })).toMatchObject({
      refusal: { code: 'context_too_small' },
    });
    const plain = { prompt: 'word '.repeat(60), maxTokens: 10 };
    expect(await models.calls.complete(plain, { model: 'echo', purpose: 'test' })).toMatchObject({
      refusal: { code: 'context_too_small', promptTokens: 61, limit: 54 },
    });
    expect((await models.usage.of('workspace')).calls).toBe(0);
  });
});

interface CallsSetup {
  readonly log?: ReturnType<typeof openMemoryLog>;
  readonly budgets?: Budgets;
}

/** Two models of this process: one says a word twice, the other breaks off after the first. Words are their tokens. */
function workspaceWith({ log = openMemoryLog(), budgets = {} }: CallsSetup = {}) {
  const changing: { -readonly [Name in keyof Budgets]: Budgets[Name] } = { ...budgets };
  const registry = createRegistry({
    settings: () => ({
      models: { echo: entry, breaks: entry, free: { provider: 'embedded' } },
      clients: {},
      defaults: {},
      budgets: changing,
    }),
    open: async (name) => wordModel(name),
  });
  const now = () => Date.UTC(2026, 2, 1, 12);
  const models = createModels({ log, registry, secrets: createSecrets(() => [KEY]), now });
  open.push(models.close);
  return { models, log, budgets: changing };
}

function wordModel(id: string): Model {
  async function* complete({ prompt, n = 1 }: { prompt: string; n?: number }): AsyncGenerator<Chunk> {
    const timing = { started: '2026-03-01T12:00:00.000Z', totalMs: 3 };
    const raw = { model: 'x', status: 200, headers: {}, body: `the body, with ${KEY}`, timing };
    for (let choice = 0; choice < n; choice++) yield { type: 'text', choice, text: 'word' };
    if (id === 'breaks') {
      const refusal = { code: 'model_unavailable', message: `It broke off with ${KEY}.` } as const;
      return yield { type: 'refused', refusal, raw };
    }
    for (let choice = 0; choice < n; choice++) yield { type: 'text', choice, text: ' word' };
    for (let choice = 0; choice < n; choice++) yield { type: 'end', choice, reason: 'stop' };
    const usage = { promptTokens: words(prompt), generatedTokens: 2 * n };
    yield { type: 'done', usage, seed: 7, dropped: 0, raw };
  }
  return {
    id,
    capabilities: { context: 64, n: 4, logprobs: 0, streaming: true, fillInTheMiddle: false, frame: false },
    complete,
    chat: ({ messages, ...rest }) => complete({ ...rest, prompt: messages.map(({ content }) => content).join(' ') }),
    countTokens: async (text) => words(text),
    close: async () => {},
  };
}

function words(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}
