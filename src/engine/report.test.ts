import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGate, startFakeModels } from '../../test/support/fake-models.ts';
import { remoteEngine } from '../../test/support/remote-engine.ts';
import { type EventLog, NoSpace, type Outcome, typeOf } from '../log/event-log.ts';
import { openMemoryLog } from '../log/memory.ts';
import { FINISHED } from '../log/record-kinds.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Server = Awaited<ReturnType<typeof remoteEngine>>;

interface Way {
  readonly kind: 'dialogue' | 'exchange' | 'conversation' | 'loom';
  readonly setup?: object;
  /** What the model writes first, for others. */
  readonly before?: readonly string[];
  /** What the model writes. */
  readonly says: string;
  begin(server: Server, thread: string): Promise<unknown>;
  /** The event that has what it wrote. */
  readonly result: string;
}

const oneMind = { minds: [{ id: 'left', model: null }] };
const WAYS: readonly (readonly [string, Way])[] = [
  [
    'an iteration of a mind',
    {
      kind: 'dialogue',
      says: 'thoughts: []\ndraft: Here I am.',
      begin: (server, thread) => server.send('message', { thread, text: 'Hi', run: { iterations: 1 } }),
      result: 'iteration.ended',
    },
  ],
  [
    'a mind of an exchange',
    {
      kind: 'exchange',
      setup: oneMind,
      says: 'thoughts: [Here I am.]',
      begin: (server, thread) => server.send('run_rounds', { thread, rounds: 1 }),
      result: 'mind.spoke',
    },
  ],
  [
    'an audit',
    {
      kind: 'exchange',
      setup: { ...oneMind, audit_every: 1 },
      before: ['thoughts: [One.]'],
      says: 'Here I am. [#1]',
      begin: (server, thread) => server.send('run_rounds', { thread, rounds: 1 }),
      result: 'audit.written',
    },
  ],
  ['an answer of an agent', { kind: 'conversation', says: 'Here I am.', begin: async () => {}, result: 'message' }],
  [
    'a generation of a loom',
    {
      kind: 'loom',
      setup: { text: 'Once' },
      says: 'Here I am.',
      begin: (server, thread) => server.send('generate', { thread, edits: [], text: '', n: 1 }),
      result: 'generation.finished',
    },
  ],
];

/** A store that has no room for so many writes once it is full. */
function openFullLog(writes: number) {
  const memory = openMemoryLog();
  const disk = { isFull: false, left: writes };
  function failing<Name extends 'putBlobs' | 'putRecords' | 'append'>(name: Name): EventLog[Name] {
    const write = memory[name] as (...args: unknown[]) => Promise<unknown>;
    return (async (...args: unknown[]) => {
      if (!disk.isFull || disk.left === 0) return write(...args);
      disk.left--;
      throw new NoSpace('The disk is full.');
    }) as never;
  }
  const [putBlobs, putRecords, append] = [failing('putBlobs'), failing('putRecords'), failing('append')];
  return { disk, log: { ...memory, putBlobs, putRecords, append } satisfies EventLog };
}

function has(batch: Parameters<EventLog['append']>[0], type: string): boolean {
  return batch.some(({ events }) => events.some((event) => typeOf(event) === type));
}

/** A thread whose model has been asked; `onAsked` is called when the request has come in. */
async function begin(way: Way, log: EventLog, onAsked: () => void = () => {}) {
  const models = await startFakeModels();
  closing.push(models.close);
  models.script(...(way.before ?? []).map((text) => ({ text })));
  models.answer(() => {
    onAsked();
    return { text: way.says };
  });
  const server = await remoteEngine(models.openAiUrl, { log });
  closing.push(server.close);
  const thread = await server.create(way.kind, way.setup);
  await way.begin(server, thread);
  const stored = async (type: string) => (await server.events(thread)).filter((event) => event.type === type);
  const untilStored = async (type: string) => {
    await server.until(thread, async () => (await stored(type)).length > 0);
    return stored(type);
  };
  const asked = () => models.requests.length - (way.before ?? []).length;
  const events = (holds: (all: Awaited<ReturnType<Server['events']>>) => boolean) =>
    server.until(thread, async () => holds(await server.events(thread)));
  return { asked, server, untilStored, events };
}

describe.each(WAYS)('%s', (_, way) => {
  test('[W28] is stored after the disk was full, and its model is asked and paid once', async () => {
    const { log, disk } = openFullLog(4);
    const { asked, server, untilStored } = await begin(way, log, () => {
      disk.isFull = true;
    });
    const [event, ...more] = await untilStored(way.result);
    expect(JSON.stringify(event)).toContain('Here I am.');
    expect([more, asked(), disk.left]).toEqual([[], 1, 0]);
    expect(await server.models.usage.of('workspace')).toMatchObject({
      calls: 1 + (way.before ?? []).length,
      failures: 0,
    });
    expect([await log.records(FINISHED), server.faults]).toEqual([[], []]);
  });

  test('[W28] is stored after the disk was full for longer than a lease holds', async () => {
    let skipped = 0;
    const memory = openMemoryLog(() => Date.now() + skipped);
    const append: EventLog['append'] = async (batch) => {
      if (skipped > 0 || !has(batch, way.result)) return memory.append(batch);
      // When there is room again, the lease is over.
      skipped = 60_000;
      throw new NoSpace('The disk is full.');
    };
    const { asked, untilStored } = await begin(way, { ...memory, append });
    const [event, ...more] = await untilStored(way.result);
    expect(JSON.stringify(event)).toContain('Here I am.');
    expect([skipped, more, asked()]).toEqual([60_000, [], 1]);
    expect(await memory.records(FINISHED)).toEqual([]);
  });

  test('[W28] is stored although others keep writing to the thread first', async () => {
    const memory = openMemoryLog();
    const now = performance.now.bind(performance);
    let conflicts = 0;
    // A command is decided again for two seconds; then it is refused.
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + conflicts * 3_000);
    onTestFinished(() => clock.mockRestore());
    const append: EventLog['append'] = async (batch) => {
      if (!has(batch, way.result) || conflicts === 4) return memory.append(batch);
      conflicts++;
      return batch.map(({ expected }): Outcome => ({ status: 'conflict', thread: expected[0]?.thread ?? '' }));
    };
    const { asked, server, untilStored } = await begin(way, { ...memory, append });
    const [event, ...more] = await untilStored(way.result);
    expect(JSON.stringify(event)).toContain('Here I am.');
    expect([more, asked(), conflicts, server.faults]).toEqual([[], 1, 4, []]);
    expect(await memory.records(FINISHED)).toEqual([]);
  });
});

test.each(WAYS)('[W28] of %s that may not be stored, the reason is', async (_, way) => {
  const token = `hdl_${'a'.repeat(43)}`;
  const log = openMemoryLog();
  const { asked, server, events } = await begin({ ...way, says: way.says.replace('I am', token) }, log);
  await events((all) => all.some(({ content }) => JSON.stringify(content).includes('The text contains a secret')));
  expect([asked(), server.faults]).toEqual([1, []]);
  expect(JSON.stringify(await log.readAll(0, 1000))).not.toContain(token);
});

test('[W28] what a mind finished while it waited for the one before it is not asked for again after a restart', async () => {
  const log = openMemoryLog();
  const models = await startFakeModels();
  closing.push(models.close);
  const of = (id: string) => models.requests.filter(({ body }) => JSON.stringify(body).includes(`self: ${id}`));
  const gate = createGate(0);
  models.answer((request) => {
    const isLeft = JSON.stringify(request.body).includes('self: left');
    if (isLeft && of('left').length === 1) return { text: 'thoughts: [Never told.]', gate };
    return { text: `thoughts: [${isLeft ? 'Left.' : 'Right.'}]` };
  });
  const minds = ['left', 'right'].map((id) => ({ id, model: null }));
  const first = await remoteEngine(models.openAiUrl, { log });
  const thread = await first.create('exchange', { minds, parallel: true });
  await first.send('run_rounds', { thread, rounds: 1 });
  await gate.reached;
  await vi.waitUntil(async () => (await first.models.usage.of('workspace')).calls === 1);
  await first.close();

  const second = await remoteEngine(models.openAiUrl, { log });
  closing.push(second.close);
  await second.until(thread, async () => (await second.exchange(thread)).rounds.length === 1);
  const { pool } = await second.exchange(thread);
  expect(pool.thoughts.slice(0).map(({ author, text }) => `${author}: ${text}`)).toEqual([
    'left: Left.',
    'right: Right.',
  ]);
  expect([of('left').length, of('right').length, await log.records(FINISHED)]).toEqual([2, 1, []]);
});
