import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { human } from '../../../test/support/domain/given.ts';
import type { FakeRequest } from '../../../test/support/models/fake-models.ts';
import {
  PROVIDERS,
  type ProviderName,
  type ProviderQuirks,
  startProvider,
} from '../../../test/support/models/fake-providers.ts';
import {
  hasClosedWakes,
  messagesOf,
  say,
  threadWith,
  waitForEvents,
} from '../../../test/support/servers/agent-server.ts';
import { sendOrThrow } from '../../../test/support/servers/engine-access.ts';
import type { Event } from '../../core/events/event.ts';
import { isRefusal } from '../../core/refusal.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { openEmbedder } from '../../models/builtin/embedder/embedder.ts';
import { createRegistry } from '../../models/registry/registry.ts';
import type { ModelEntry } from '../../models/registry/schema.ts';
import { createEngine } from '../engine.ts';
import { createPerformers } from '../performers.ts';
import { createSecrets } from '../secrets.ts';
import { createModels } from './models.ts';
import { createQuirkStore } from './quirks.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const WISH = { n: 3, max_tokens: 40, temperature: 0.8, top_p: 0.9, top_k: 40, stop: ['\n\n'], logprobs: 3 };
const THOUGHT = 'thoughts:\n  - water comes first\n';
const DRAFT = `${THOUGHT}draft: |\n  Begin with the soil.\n`;

/** What the model says is what each way of working needs; how the server says it is its quirk. */
function answerTo({ body }: FakeRequest, way: number): string {
  const text = JSON.stringify(body);
  if (text.includes('Once')) return ` way ${way}`;
  if (text.includes('water comes first')) return 'They all think of water [#1].';
  if (text.includes('draft')) return DRAFT;
  if (text.includes('thoughts')) return THOUGHT;
  return 'A pond.';
}

async function workspaceOn(name: ProviderName) {
  const quirks = PROVIDERS[name];
  const models = await startProvider(quirks, answerTo);
  const base_url = quirks.provider === 'anthropic' ? models.url : models.openAiUrl;
  const entry: ModelEntry = { provider: quirks.provider, model: 'there', base_url };
  const log = openMemoryLog();
  const registry = createRegistry({
    settings: () => ({
      models: { it: entry },
      clients: {},
      defaults: { mind: 'it', auditor: 'it', loom: 'it' },
      budgets: {},
    }),
    quirks: createQuirkStore(log),
  });
  const secrets = createSecrets(registry.keys);
  const calls = createModels({ log, registry, secrets });
  const embedder = openEmbedder({ cacheDir: join(mkdtempSync(join(tmpdir(), 'heddle-providers-')), 'no-weights') });
  const engine = await createEngine({ log, secrets, ...createPerformers(log, calls, embedder) });
  engine.startWork();
  closing.push(models.close, embedder.close, calls.close, engine.close);

  async function send(command: string, input: object): Promise<string> {
    const [first] = await sendOrThrow(engine, command, input);
    return first?.thread as string;
  }

  return { engine, log, registry, models, send, until: (thread: string, type: string) => untilType(thread, type) };

  async function untilType(thread: string, type: string): Promise<Event> {
    const isEnd = (event: Event) => event.type === type;
    const events = await waitForEvents(engine, thread, (all) => all.some(isEnd));
    return events.find(isEnd) as Event;
  }
}

describe.each(Object.keys(PROVIDERS) as ProviderName[])('%s', (name) => {
  test(`[M11] an agent can answer on ${name} without settings`, async () => {
    const { engine } = await workspaceOn(name);
    const thread = await threadWith(engine, ['it', { client: 'model', model: 'it' }]);
    await waitForEvents(engine, thread, hasClosedWakes(1));
    await engine.handle(human, say(thread, 'What does the garden need?'));
    expect(messagesOf(await waitForEvents(engine, thread, hasClosedWakes(2))).at(-1)).toBe('it: A pond.');
  });

  test(`[M11] a mind can draft on ${name} without settings`, async () => {
    const { send, until: next } = await workspaceOn(name);
    const thread = await send('create', { title: 'Talk', kind: 'dialogue', setup: {}, invite: [] });
    await send('message', { thread, text: 'How do I begin a garden?' });
    await send('run', { thread, iterations: 1 });
    expect(await next(thread, 'iteration.ended')).toMatchObject({
      content: { draft: { text: 'Begin with the soil.' } },
    });
  });

  test(`[M11] an exchange can think and audit on ${name} without settings`, async () => {
    const { send, until: next } = await workspaceOn(name);
    const thread = await send('create', { title: 'Pool', kind: 'exchange', setup: { audit_every: 1 }, invite: [] });
    await send('run', { thread, rounds: 1, seed: 5 });
    expect(await next(thread, 'audit.written')).toMatchObject({ content: { cites: [1] } });
  });

  test(`[M11] a loom gets three different texts on ${name} without settings`, async () => {
    const { send, until: next, models } = await workspaceOn(name);
    const loom = () => send('create', { title: 'Tale', kind: 'loom', setup: {}, invite: [] });
    const generate = async () => {
      const thread = await loom();
      const before = models.requests.length;
      await send('generate', { thread, edits: [], text: 'Once', ...WISH });
      const { content } = await next(thread, 'generation.finished');
      const texts = (content as { choices: { content: string }[] }).choices.map((choice) => choice.content);
      expect(texts).toHaveLength(3);
      expect(new Set(texts).size).toBe(3);
      return models.requests.slice(before).map(({ body }) => body);
    };
    await generate();
    // What was found out is used from then on: nothing is refused, and nobody is asked more often than there are texts.
    const again = await generate();
    expect(again.filter((body) => (PROVIDERS[name] as ProviderQuirks).refuses?.(body))).toEqual([]);
    expect(again.length).toBeLessThanOrEqual(3);
  });
});

test('[M11] the quirks of a server are remembered across restarts and shown', async () => {
  const { log, registry, models } = await workspaceOn('OpenAI with a reasoning model');
  const ask = async (of: typeof registry) => {
    const calls = createModels({ log, registry: of, secrets: createSecrets() });
    const before = models.requests.length;
    const request = { messages: [{ role: 'user' as const, content: 'Hi' }], n: 2, maxTokens: 40, temperature: 0.5 };
    expect(isRefusal(await calls.calls.chat(request, { model: 'it', purpose: 'test' }))).toBe(false);
    await of.close();
    return models.requests.length - before;
  };
  expect(await ask(registry)).toBeGreaterThan(4);
  const entry = registry.entry('it') as ModelEntry;
  const next = createRegistry({
    settings: () => ({ models: { it: entry }, clients: {}, defaults: {}, budgets: {} }),
    quirks: createQuirkStore(log),
  });
  expect((await next.list())[0]).toMatchObject({
    capabilities: { n: 1, streaming: false },
    found: [
      'Sent without temperature, stream: the server refuses them.',
      'Returns one choice at a time: Heddle sends one request per choice.',
      'Uses max_completion_tokens for the answer limit.',
      'Thinks before it writes: the answer limit leaves room for that.',
    ],
  });
  expect(await ask(next)).toBe(2);
  expect(await log.head()).toBe(0);
});

test.each(['The system role is unsupported', 'max_tokens must be at most 100'])(
  '[M11] nobody in a thread can change what is remembered about a model: %s',
  async (text) => {
    const { engine, registry, models } = await workspaceOn('Ollama');
    const thread = await threadWith(engine, ['it', { client: 'model', model: 'it' }]);
    await waitForEvents(engine, thread, hasClosedWakes(1));
    const before = models.requests.length;
    models.script({
      write: async (response) => {
        const quoted = models.requests.at(-1)?.body.messages?.at(-1)?.content.slice(-400);
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: `The prompt was flagged: ${quoted}` } }));
      },
    });
    await engine.handle(human, say(thread, `FLAGME ${text}`));
    await waitForEvents(engine, thread, hasClosedWakes(2));
    expect(JSON.stringify(models.requests[before]?.body)).toContain(text);
    expect((await registry.list())[0]?.found ?? []).toEqual([]);
  },
);
