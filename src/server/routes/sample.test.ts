import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { FETCH_MS, storiesFile } from '../../../test/support/models/weights.ts';
import { bodyOf, openTestServer } from '../../../test/support/servers/server.ts';
import { HeddleRefusal } from '../../client/index.ts';
import { createModels } from '../../engine/calls/models.ts';
import { createEngine, type Engine } from '../../engine/engine.ts';
import { createPerformers } from '../../engine/performers.ts';
import { makeSample } from '../../engine/sample.ts';
import { createSecrets } from '../../engine/secrets.ts';
import { eventOf } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { openEmbedder } from '../../models/builtin/embedder/embedder.ts';
import { createRegistry } from '../../models/registry/registry.ts';

beforeAll(async () => {
  await storiesFile();
}, FETCH_MS);

const empty = mkdtempSync(join(tmpdir(), 'heddle-no-weights-'));
afterAll(() => rmSync(empty, { recursive: true, force: true }));

async function openServer(...options: Parameters<typeof openTestServer>) {
  const server = await openTestServer(...options);
  onTestFinished(() => server.close());
  return server;
}

test('[I16] [L7] the sample is four threads, one of each kind, and requesting it twice gives the same one', async () => {
  const server = await openServer();
  const first = await server.client().sample();
  expect(first.threads.map(({ kind }) => kind)).toEqual(['conversation', 'dialogue', 'exchange', 'loom']);
  const before = await server.engine.log.head();
  const second = await server.client().sample();
  expect(second.threads).toEqual(first.threads);
  expect(await server.engine.log.head()).toBe(before);
  expect((await server.client().threads.list()).threads).toHaveLength(4);
});

test('[I16] [L7] an interrupted sample is completed by requesting it again', async () => {
  const { engine, models, client } = await openServer();
  const ada = { id: 'ada', kind: 'human' } as const;
  let remaining = 5;
  const handle = ((...wish: Parameters<typeof engine.handle>) => {
    if (remaining-- === 0) throw new Error('The server was killed here.');
    return engine.handle(...wish);
  }) as typeof engine.handle;
  await expect(makeSample({ handle }, models.registry, ada)).rejects.toThrow('killed');
  const { threads } = await client().sample();
  expect(threads).toHaveLength(4);
  expect((await client().threads.list()).threads.map(({ id }) => id).sort()).toEqual(
    threads.map(({ id }) => id).sort(),
  );
  const { events } = await client()
    .thread(threads[0]?.id as string)
    .events();
  expect(events.map(({ type }) => type)).toEqual(['thread.created', 'message', 'control']);
});

test('[I16] [T6] only a human can request the sample', async () => {
  const server = await openServer();
  const refused = await server.send('POST', '/api/sample', { token: server.agent, body: {} });
  expect(refused.status).toBe(403);
  expect(await server.engine.log.head()).toBe(0);
});

test('[I16] [M3] without the small model no sample is made, and a message says what to do', async () => {
  const server = await openServer({ registry: createRegistry({ env: { HEDDLE_CACHE: empty } }) });
  const error = await server
    .client()
    .sample()
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(HeddleRefusal);
  expect(error).toMatchObject({ code: 'model_unavailable', message: expect.stringContaining('npm run weights') });
  expect(await server.engine.log.head()).toBe(0);
});

test('[I4] a sign-in link opens the tour if it says so, and no other page', async () => {
  const server = await openServer();
  const follow = async (more: string) => {
    const { url } = await server.client().signInLink();
    return server.app.request(`${url.slice(new URL(url).origin.length)}${more}`, { method: 'POST' });
  };
  expect(await (await follow('')).text()).toContain('url=/"');
  expect(await (await follow('&to=tour')).text()).toContain('url=/#tour"');
  expect(await bodyOf(follow('&to=//evil.example'))).toMatchObject({ error: { code: 'malformed' } });
});

describe('the small model really works in the sample', () => {
  const log = openMemoryLog();
  const secrets = createSecrets();
  const models = createModels({ log, secrets, registry: createRegistry() });
  const embedder = openEmbedder();
  let engine: Engine;
  beforeAll(async () => {
    engine = await createEngine({ log, secrets, ...createPerformers(log, models, embedder) });
    engine.startWork();
    await makeSample(engine, models.registry, { id: 'ada', kind: 'human' });
  });
  afterAll(async () => {
    await engine.close();
    await models.close();
    await embedder.close();
  });

  /** Waits for one thread at a time: the model runs at low priority, so on a busy machine all four take minutes. */
  async function readEventsUntil(end: string) {
    const read = async () => (await log.readAll(0, 1000)).map(eventOf);
    await expect.poll(async () => (await read()).map(({ type }) => type), { timeout: 60_000 }).toContain(end);
    const events = await read();
    return (type: string) => events.filter((event) => event.type === type);
  }

  test('[I16] the small model answers in the conversation', async () => {
    const eventsOfType = await readEventsUntil('wake.closed');
    expect(eventsOfType('message').map(({ from }) => from)).toEqual(['ada', 'muse']);
    expect(await attentionIn('conversation')).not.toBe('needs_you');
  }, 90_000);

  test('[I16] the small model continues the loom in three ways', async () => {
    const eventsOfType = await readEventsUntil('generation.finished');
    expect(eventsOfType('generation.finished')).toMatchObject([{ content: { choices: [{}, {}, {}] } }]);
    expect(await attentionIn('loom')).not.toBe('needs_you');
  }, 90_000);

  test('[I16] the small model thinks in the exchange, audits it once and then asks for the person', async () => {
    const eventsOfType = await readEventsUntil('rounds.paused');
    expect(eventsOfType('audit.written')).toHaveLength(1);
    expect(await attentionIn('exchange')).toBe('needs_you');
  }, 90_000);

  test('[I16] the small model drafts four replies in the dialogue and then asks for the person', async () => {
    const eventsOfType = await readEventsUntil('run.paused');
    expect(eventsOfType('iteration.ended').filter(({ content }) => 'draft' in (content as object))).toHaveLength(4);
    expect(await attentionIn('dialogue')).toBe('needs_you');
  }, 90_000);

  async function attentionIn(kind: string) {
    const summary = (await engine.index()).find((each) => each.kind === kind);
    return (summary?.about as { attention?: string } | undefined)?.attention;
  }
});
