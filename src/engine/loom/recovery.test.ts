import { afterEach, expect, test, vi } from 'vitest';
import { type CompletionStream, stubModel, stubSettings } from '../../../test/support/models/stub-model.ts';
import type { Event } from '../../core/events/event.ts';
import { GenerationFinished } from '../../core/loom/events.ts';
import { isRefusal } from '../../core/refusal.ts';
import { type Command, modeState } from '../../core/workspace.ts';
import {
  type AppendOutcome,
  type EventLog,
  eventOf,
  eventTypeOf,
  NoSpace,
  StoreUnavailable,
} from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { FINISHED_WORK } from '../../log/record-kinds.ts';
import type { Chunk } from '../../models/model.ts';
import { createRegistry } from '../../models/registry/registry.ts';
import { createModels } from '../calls/models.ts';
import { createEngine, type Engine } from '../engine.ts';
import { createSecrets } from '../secrets.ts';
import { createGenerate } from './generate.ts';

const ana = { id: 'ana', kind: 'human' } as const;
const open = new Set<Engine>();
afterEach(async () => {
  for (const engine of open) await engine.close();
  open.clear();
});

/** A server on a log, with one model that answers as the test says. */
async function serve(log: EventLog, answer: CompletionStream, n = 16) {
  const { model, requests } = stubModel(answer, { context: 9000, n });
  const registry = createRegistry({ settings: () => stubSettings, open: async () => model });
  const models = createModels({ log, registry, secrets: createSecrets() });
  const engine = await createEngine({ log, performers: { 'loom.generate': createGenerate(models) } });
  engine.startWork();
  open.add(engine);
  const stop = async () => {
    open.delete(engine);
    await engine.close();
  };
  return { requests, engine, stop, usage: () => models.usage.of('workspace') };
}

async function beginLoom({ engine }: { engine: Engine }, text = 'Once') {
  const input = { title: 'T', kind: 'loom', setup: { text }, invite: [] };
  const created = await engine.handle(ana, { name: 'create', input } as Command);
  if (isRefusal(created)) throw new Error(created.refusal.message);
  return created.events[0]?.thread as string;
}

async function generate({ engine }: { engine: Engine }, thread: string, input: object = {}) {
  const handled = await engine.handle(ana, {
    name: 'generate',
    input: { thread, edits: [], text: '', ...input },
  } as Command);
  if (isRefusal(handled)) throw new Error(handled.refusal.message);
}

/** How the generation of a thread ended. */
function waitForEnd({ engine }: { engine: Engine }, thread: string): Promise<Event> {
  return new Promise((resolve) => {
    const close = engine.tail.subscribe({
      thread,
      after: 0,
      onEvents: (rows) => {
        const over = rows.map(eventOf).find(({ type }) => /^generation\.(finished|failed)$/.test(type));
        if (over) resolve(over);
        if (over) close();
      },
      onLive: () => {},
      ready: async () => {},
      onError: () => {},
    });
  });
}

const done: Chunk = { type: 'done', usage: { promptTokens: 3, generatedTokens: 4 }, dropped: 0 };
const textsOf = (event: Event) => GenerationFinished.read(event)?.content.choices.map(({ content }) => content);

const streamOf = (text: string): CompletionStream =>
  async function* () {
    yield { type: 'text', choice: 0, text };
    yield { type: 'end', choice: 0, reason: 'stop' };
    yield done;
  };

test('[W28] finished text is stored even if others keep writing to the loom first', async () => {
  const memory = openMemoryLog();
  const now = performance.now.bind(performance);
  let conflicts = 0;
  // A command is decided again for two seconds; then it is refused.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + conflicts * 3_000);
  const append: EventLog['append'] = async (batch) => {
    const isResult = batch.some(({ events }) => events.some((event) => eventTypeOf(event) === 'generation.finished'));
    if (!isResult || conflicts === 4) return memory.append(batch);
    conflicts++;
    return batch.map(({ expected }): AppendOutcome => ({ status: 'conflict', thread: expected[0]?.thread ?? '' }));
  };
  const server = await serve({ ...memory, append }, streamOf(' upon'));
  const thread = await beginLoom(server);
  const over = waitForEnd(server, thread);
  await generate(server, thread, { n: 1 });
  const event = await over;
  clock.mockRestore();
  expect(event.type).toBe('generation.finished');
  expect(textsOf(event)).toEqual([' upon']);
  expect([server.requests.length, conflicts]).toEqual([1, 4]);
  expect(await memory.records(FINISHED_WORK)).toEqual([]);
});

test('[W28] a full disk or an unavailable store loses no finished text, and nothing is requested or counted twice', async () => {
  const memory = openMemoryLog();
  const faults = { putBlobs: 3, putRecords: 3, append: 3 };
  let isWorking = false;
  function failOnce<Name extends keyof typeof faults>(name: Name, fault: () => Error): EventLog[Name] {
    const write = memory[name] as (...args: unknown[]) => Promise<unknown>;
    return (async (...args: unknown[]) => {
      if (isWorking && faults[name]-- > 0) throw fault();
      return write(...args);
    }) as never;
  }
  const log = {
    ...memory,
    putBlobs: failOnce('putBlobs', () => new NoSpace('The disk is full.')),
    putRecords: failOnce('putRecords', () => new StoreUnavailable('The store is away.')),
    append: failOnce('append', () => new NoSpace('The disk is full.')),
  };
  const server = await serve(log, async function* (request, signal) {
    isWorking = true;
    yield* streamOf(' upon')(request, signal);
  });
  const thread = await beginLoom(server);
  const over = waitForEnd(server, thread);
  await generate(server, thread, { n: 1 });
  expect(textsOf(await over)).toEqual([' upon']);
  expect(server.requests).toHaveLength(1);
  expect(await server.usage()).toMatchObject({ calls: 1, promptTokens: 3, generatedTokens: 4 });
  expect(Object.values(faults).every((left) => left < 0)).toBe(true);
}, 20_000);

test('[W28] a restart keeps the finished choices and only requests the others', async () => {
  const log = openMemoryLog();
  let number = 0;
  const first = await serve(
    log,
    async function* (request, signal) {
      const requestNumber = ++number;
      yield { type: 'text', choice: 0, text: `way ${requestNumber} of ${request.seed}` };
      if (requestNumber === 2) await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      yield { type: 'end', choice: 0, reason: requestNumber === 2 ? 'cancelled' : 'stop' };
      yield done;
    },
    1,
  );
  const thread = await beginLoom(first);
  await generate(first, thread, { n: 3, seed: 5 });
  await vi.waitUntil(async () => (await log.records(FINISHED_WORK)).length === 2);
  await first.stop();

  const second = await serve(log, streamOf('again'), 1);
  const event = await waitForEnd(second, thread);
  expect(second.requests.map(({ seed }) => seed)).toEqual([6]);
  expect(textsOf(event)).toEqual(['way 1 of 5', 'again', 'way 3 of 7']);
  expect(await log.records(FINISHED_WORK)).toEqual([]);
});

test('[W28] finished text is stored after a restart even if its model is gone', async () => {
  const memory = openMemoryLog();
  let isFull = false;
  const append: EventLog['append'] = async (batch) => {
    if (isFull) throw new NoSpace('The disk is full.');
    return memory.append(batch);
  };
  const first = await serve({ ...memory, append }, async function* (request, signal) {
    isFull = true;
    yield* streamOf(' upon')(request, signal);
  });
  const thread = await beginLoom(first);
  await generate(first, thread, { n: 1 });
  await vi.waitUntil(async () => (await memory.records(FINISHED_WORK)).length === 1);
  await first.stop();

  const second = await serve(memory, async function* () {
    yield { type: 'refused', refusal: { code: 'model_unavailable', message: 'It is gone.' } };
  });
  const event = await waitForEnd(second, thread);
  expect([event.type, textsOf(event), second.requests]).toEqual(['generation.finished', [' upon'], []]);
});

/** One choice is finished and the other still being written when the server is gone, after a stop that it had answered. */
async function stopAndDie(log: EventLog, isOneFinished: boolean) {
  let isDead = false;
  const append: EventLog['append'] = async (batch) => {
    if (isDead && batch.some(({ lease }) => lease)) throw new NoSpace('Nothing of it is stored any more.');
    return log.append(batch);
  };
  let number = 0;
  const writing = Promise.withResolvers<void>();
  const first = await serve(
    { ...log, append },
    async function* (_, signal) {
      const requestNumber = ++number;
      yield { type: 'text', choice: 0, text: `way ${requestNumber}` };
      const isFinished = isOneFinished && requestNumber === 1;
      if (requestNumber === 2) writing.resolve();
      if (!isFinished) await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      yield { type: 'end', choice: 0, reason: isFinished ? 'stop' : 'cancelled' };
      yield done;
    },
    1,
  );
  const thread = await beginLoom(first);
  await generate(first, thread, { n: 2 });
  await writing.promise;
  await vi.waitUntil(async () => (await log.records(FINISHED_WORK)).length === (isOneFinished ? 1 : 0));
  isDead = true;
  const stopped = await first.engine.handle(ana, { name: 'stop', input: { thread } } as Command);
  expect(isRefusal(stopped)).toBe(false);
  await first.stop();
  return thread;
}

test('[W28] a finished choice is stored even if the server dies right after a stop', async () => {
  const log = openMemoryLog();
  const thread = await stopAndDie(log, true);
  const second = await serve(log, streamOf('again'), 1);
  const event = await waitForEnd(second, thread);
  expect([event.type, textsOf(event), second.requests]).toEqual(['generation.finished', ['way 1'], []]);
  expect(await log.records(FINISHED_WORK)).toEqual([]);
  const { state } = (await second.engine.state(thread)) ?? {};
  expect(state && modeState('loom', state)?.openGenerations).toEqual([]);
});

test('[W16] a stopped generation ends after a restart without another request, even if nothing was finished', async () => {
  const log = openMemoryLog();
  const thread = await stopAndDie(log, false);
  const second = await serve(log, streamOf('again'), 1);
  const event = await waitForEnd(second, thread);
  expect([event.type, event.from, second.requests]).toEqual(['generation.failed', 'system', []]);
  expect(event.content).toMatchObject({ message: 'It was cancelled before it was finished.' });
});

test('[W28] probabilities that do not fit into an event never cost any text', async () => {
  const tokens = Array.from({ length: 2_000 }, (_, i) => ({
    text: ` word${i}`,
    logprob: -0.123456789 - i,
    alternatives: Array.from({ length: 5 }, (_, k) => ({ text: ` other${k}`, logprob: -1.987654321 - k })),
  }));
  const server = await serve(openMemoryLog(), async function* (request) {
    for (let choice = 0; choice < (request.n ?? 1); choice++) {
      yield { type: 'text', choice, text: 'x'.repeat(10_000), tokens };
      yield { type: 'end', choice, reason: 'length' };
    }
    yield done;
  });
  const thread = await beginLoom(server);
  const over = waitForEnd(server, thread);
  await generate(server, thread, { n: 8, max_tokens: 2_000 });
  const event = await over;
  expect(event.type).toBe('generation.finished');
  expect(textsOf(event)?.map((text) => text.length)).toEqual(Array(8).fill(10_000));
  const { choices } = GenerationFinished.read(event)?.content ?? {};
  expect(choices?.every(({ score }) => score !== undefined && score < 0)).toBe(true);
});
