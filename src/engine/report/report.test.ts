import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGate, startFakeModels } from '../../../test/support/models/fake-models.ts';
import { openRemoteEngine } from '../../../test/support/servers/remote-engine.ts';
import { type AppendOutcome, type EventLog, eventTypeOf, NoSpace, StoreUnavailable } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { FINISHED_WORK } from '../../log/record-kinds.ts';

const closing: (() => Promise<void>)[] = [];
const keepToClose = (close: () => Promise<void>) => void closing.push(close);
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type ReportServer = Awaited<ReturnType<typeof openRemoteEngine>>;

interface ReportScenario {
  readonly kind: 'dialogue' | 'exchange' | 'conversation' | 'loom';
  readonly setup?: object;
  /** What the model writes first, for others. */
  readonly before?: readonly string[];
  /** What the model writes. */
  readonly says: string;
  begin(server: ReportServer, thread: string): Promise<unknown>;
  /** The event that has what it wrote. */
  readonly result: string;
  /** A person ends it before it is stored. */
  end(server: ReportServer, thread: string): Promise<unknown>;
  /** The event that has it then. */
  readonly late: string;
}

const oneMind = { minds: [{ id: 'left', model: null }] };
const WAYS: readonly (readonly [string, ReportScenario])[] = [
  [
    'an iteration of a mind',
    {
      kind: 'dialogue',
      says: 'thoughts: []\ndraft: Here I am.',
      begin: (server, thread) => server.send('message', { thread, text: 'Hi', run: { iterations: 1 } }),
      result: 'iteration.ended',
      end: (server, thread) => server.send('stop_run', { thread }),
      late: 'iteration.late',
    },
  ],
  [
    'a mind of an exchange',
    {
      kind: 'exchange',
      setup: oneMind,
      says: 'thoughts: [Here I am.]',
      begin: (server, thread) => server.send('run', { thread, rounds: 1 }),
      result: 'mind.spoke',
      end: (server, thread) => server.send('stop_run', { thread }),
      late: 'call.late',
    },
  ],
  [
    'an audit',
    {
      kind: 'exchange',
      setup: { ...oneMind, audit_every: 1 },
      before: ['thoughts: [One.]'],
      says: 'Here I am. [#1]',
      begin: (server, thread) => server.send('run', { thread, rounds: 1 }),
      result: 'audit.written',
      end: (server, thread) => server.send('stop_run', { thread }),
      late: 'call.late',
    },
  ],
  [
    'an answer of an agent',
    {
      kind: 'conversation',
      says: 'Here I am.',
      begin: async () => {},
      result: 'message',
      end: (server, thread) => server.send('stop_answer', { thread, participant: 'wise' }),
      late: 'draft.proposed',
    },
  ],
  [
    'a generation of a loom',
    {
      kind: 'loom',
      setup: { text: 'Once' },
      says: 'Here I am.',
      begin: (server, thread) => server.send('generate', { thread, edits: [], text: '', n: 1 }),
      result: 'generation.finished',
      end: (server, thread) => server.send('stop', { thread }),
      late: 'generation.finished',
    },
  ],
];

/** A store that has no room for so many writes once it is full. */
function openFullLog(writes: number) {
  const memory = openMemoryLog();
  const disk = { isFull: false, left: writes };
  function failWhile<Name extends 'putBlobs' | 'putRecords' | 'append'>(name: Name): EventLog[Name] {
    const write = memory[name] as (...args: unknown[]) => Promise<unknown>;
    return (async (...args: unknown[]) => {
      if (!disk.isFull || disk.left === 0) return write(...args);
      disk.left--;
      throw new NoSpace('The disk is full.');
    }) as never;
  }
  const [putBlobs, putRecords, append] = [failWhile('putBlobs'), failWhile('putRecords'), failWhile('append')];
  return { disk, log: { ...memory, putBlobs, putRecords, append } satisfies EventLog };
}

function hasEvent(batch: Parameters<EventLog['append']>[0], type: string): boolean {
  return batch.some(({ events }) => events.some((event) => eventTypeOf(event) === type));
}

interface Listeners {
  /** The request has come in. */
  onAsked?(): void;
  /** What to close then; tests that run beside others have an end of their own. */
  onEnd?(close: () => Promise<void>): void;
}

/** A thread whose model has been asked. */
async function begin(way: ReportScenario, log: EventLog, { onAsked, onEnd = keepToClose }: Listeners = {}) {
  const models = await startFakeModels();
  onEnd(models.close);
  models.script(...(way.before ?? []).map((text) => ({ text })));
  models.answer(() => {
    onAsked?.();
    return { text: way.says };
  });
  const server = await openRemoteEngine(models.openAiUrl, { log });
  onEnd(server.close);
  const thread = await server.create(way.kind, way.setup);
  await way.begin(server, thread);
  const eventsOfType = async (type: string) => (await server.events(thread)).filter((event) => event.type === type);
  const untilStored = async (type: string) => {
    await server.until(thread, async () => (await eventsOfType(type)).length > 0);
    return eventsOfType(type);
  };
  const countRequests = () => models.requests.length - (way.before ?? []).length;
  const events = (holds: (all: Awaited<ReturnType<ReportServer['events']>>) => boolean) =>
    server.until(thread, async () => holds(await server.events(thread)));
  return { asked: countRequests, server, untilStored, events };
}

// What these do is mostly to wait for the next attempt: so they wait together.
describe.concurrent('with a full disk', () => {
  test.for(WAYS)(
    '[W28] %s is stored after it, and its model is asked and paid once',
    async ([, way], { onTestFinished: onEnd }) => {
      const { log, disk } = openFullLog(4);
      const { asked, server, untilStored } = await begin(way, log, {
        onAsked: () => {
          disk.isFull = true;
        },
        onEnd,
      });
      const [event, ...more] = await untilStored(way.result);
      expect(JSON.stringify(event)).toContain('Here I am.');
      expect([more, asked(), disk.left]).toEqual([[], 1, 0]);
      expect(await server.models.usage.of('workspace')).toMatchObject({
        calls: 1 + (way.before ?? []).length,
        failures: 0,
      });
      expect([await log.records(FINISHED_WORK), server.faults]).toEqual([[], []]);
    },
  );

  test.for(WAYS)(
    '[W28] %s is stored after it, although it lasted longer than a lease',
    async ([, way], { onTestFinished: onEnd }) => {
      let skipped = 0;
      const memory = openMemoryLog(() => Date.now() + skipped);
      const append: EventLog['append'] = async (batch) => {
        if (skipped > 0 || !hasEvent(batch, way.result)) return memory.append(batch);
        // When there is room again, the lease is over.
        skipped = 60_000;
        throw new NoSpace('The disk is full.');
      };
      const { asked, untilStored } = await begin(way, { ...memory, append }, { onEnd });
      const [event, ...more] = await untilStored(way.result);
      expect(JSON.stringify(event)).toContain('Here I am.');
      expect([skipped, more, asked()]).toEqual([60_000, [], 1]);
      expect(await memory.records(FINISHED_WORK)).toEqual([]);
    },
  );
});

test.each(WAYS)('[W28] %s is stored although others keep writing to the thread first', async (_, way) => {
  const memory = openMemoryLog();
  const now = performance.now.bind(performance);
  let conflicts = 0;
  // A command is decided again for two seconds; then it is refused.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + conflicts * 3_000);
  onTestFinished(() => clock.mockRestore());
  const append: EventLog['append'] = async (batch) => {
    if (!hasEvent(batch, way.result) || conflicts === 4) return memory.append(batch);
    conflicts++;
    return batch.map(({ expected }): AppendOutcome => ({ status: 'conflict', thread: expected[0]?.thread ?? '' }));
  };
  const { asked, server, untilStored } = await begin(way, { ...memory, append });
  const [event, ...more] = await untilStored(way.result);
  expect(JSON.stringify(event)).toContain('Here I am.');
  expect([more, asked(), conflicts, server.faults]).toEqual([[], 1, 4, []]);
  expect(await memory.records(FINISHED_WORK)).toEqual([]);
});

/** A server that has finished something and cannot store it; then a person acts, and it is gone. */
async function stopWithKeptResult(way: ReportScenario, log: EventLog, end: ReportScenario['end'] = way.end) {
  let isFull = false;
  const append: EventLog['append'] = async (batch) => {
    if (isFull && batch.some(({ lease }) => lease?.name.startsWith('job/'))) throw new NoSpace('The disk is full.');
    return log.append(batch);
  };
  const models = await startFakeModels();
  closing.push(models.close);
  models.script(...(way.before ?? []).map((text) => ({ text })));
  models.answer(() => {
    isFull = true;
    return { text: way.says };
  });
  const first = await openRemoteEngine(models.openAiUrl, { log: { ...log, append } });
  const thread = await first.create(way.kind, way.setup);
  await way.begin(first, thread);
  await vi.waitUntil(async () => (await log.records(FINISHED_WORK)).length === 1);
  expect(await end(first, thread)).not.toHaveProperty('code');
  await first.close();
  expect(await log.records(FINISHED_WORK)).toHaveLength(1);
  const requestCount = models.requests.length;
  return { thread, url: models.openAiUrl, askedAgain: () => models.requests.length - requestCount };
}

test.each(WAYS)(
  '[W28] nothing of %s stays beside the log if it was stored although the store did not confirm',
  async (_, way) => {
    const log = openMemoryLog();
    let isAway = false;
    const append: EventLog['append'] = async (batch) => {
      const outcomes = await log.append(batch);
      if (isAway || !hasEvent(batch, way.result)) return outcomes;
      isAway = true;
      throw new StoreUnavailable('The connection broke while it answered.');
    };
    let keptAfter = false;
    const putRecords: EventLog['putRecords'] = async (rows) => {
      await log.putRecords(rows);
      keptAfter ||= isAway && rows.some(({ kind }) => kind === FINISHED_WORK);
    };
    const { asked, server } = await begin(way, { ...log, append, putRecords });
    await vi.waitUntil(async () => keptAfter && (await nothingKept(log)), 10_000);
    const stored = (await log.readAll(0, 1000)).filter((row) => eventTypeOf(row) === way.result);
    expect([stored.length, asked(), server.faults]).toEqual([1, 1, []]);
  },
);

test('[W28] a kept result is stored even if I stop it while a server waits for a dead one’s lease', async () => {
  const [[, way]] = WAYS as [(typeof WAYS)[number]];
  const log = openMemoryLog();
  const { thread, url, askedAgain } = await stopWithKeptResult(way, log, async () => ({}));
  const [row] = await log.records(FINISHED_WORK);
  const lease = await log.lease(`job/${row?.key.replace(/\/0$/, '')}`, 'gone', 9_000);
  const waits = Promise.withResolvers<void>();
  const watchLease: EventLog['lease'] = async (name, ...rest) => {
    const taken = await log.lease(name, ...rest);
    if (name === lease?.name && !taken) waits.resolve();
    return taken;
  };
  const server = await openRemoteEngine(url, { log: { ...log, lease: watchLease } });
  closing.push(server.close);
  await waits.promise;
  expect(await way.end(server, thread)).not.toHaveProperty('code');
  if (lease) await log.release(lease);
  await vi.waitUntil(() => nothingKept(log), 10_000);
  const late = (await server.events(thread)).filter(({ type }) => type === way.late);
  expect(late).toMatchObject([{ content: { draft: 'Here I am.', why: 'stopped' } }]);
  expect([askedAgain(), server.faults]).toEqual([0, []]);
});

test('[W28] a kept result of a deleted thread is removed', async () => {
  const log = openMemoryLog();
  const models = await startFakeModels();
  closing.push(models.close);
  const command = { name: 'answer', input: { thread: 'gone', event: 'e', up_to: 1, outcome: 'answered', text: 'x' } };
  const value = JSON.stringify({ actor: { id: 'wise', kind: 'agent' }, id: 'answer/e/wise', command });
  await log.putRecords([
    { kind: FINISHED_WORK, key: 'gone/wake/e/wise/0', value },
    { kind: FINISHED_WORK, key: 'gone/generate/g/3', value: '{"model":"far","choices":[]}' },
  ]);
  const server = await openRemoteEngine(models.openAiUrl, { log });
  closing.push(server.close);
  await vi.waitUntil(() => nothingKept(log), 10_000);
  expect([server.faults, await log.head()]).toEqual([[], 0]);
});

const nothingKept = async (log: EventLog) => (await log.records(FINISHED_WORK)).length === 0;

describe.each(WAYS)('%s', (_, way) => {
  test('[W28] it is stored after a restart if it ended while storing failed, and nothing of it stays beside the log', async () => {
    const log = openMemoryLog();
    const { thread, url, askedAgain } = await stopWithKeptResult(way, log);
    const server = await openRemoteEngine(url, { log });
    closing.push(server.close);
    await vi.waitUntil(() => nothingKept(log), 10_000);
    const late = (await server.events(thread)).filter(({ type }) => type === way.late);
    expect(late).toHaveLength(1);
    // Of an audit that comes too late, the raw response is what is kept.
    if (way.result !== 'audit.written') expect(JSON.stringify(late)).toContain('Here I am.');
    expect([askedAgain(), server.faults]).toEqual([0, []]);
  });

  test('[W28] it is not kept beside the log once it is stored', async () => {
    const log = openMemoryLog();
    let rows: { key: string; value: string }[] = [];
    const putRecords: EventLog['putRecords'] = async (writes) => {
      rows = [
        ...rows,
        ...writes.flatMap((row) => (row.kind === FINISHED_WORK && row.value !== null ? [row] : [])),
      ] as never;
      return log.putRecords(writes);
    };
    let failures = 1;
    const append: EventLog['append'] = async (batch) => {
      if (hasEvent(batch, way.result) && failures-- > 0) throw new NoSpace('The disk is full.');
      return log.append(batch);
    };
    const { server, untilStored } = await begin(way, { ...log, append, putRecords });
    await untilStored(way.result);
    await server.close();
    expect([rows.length > 0, await log.records(FINISHED_WORK)]).toEqual([true, []]);
    // As if it had been kept again by a server that did not know yet.
    await log.putRecords(rows.map((row) => ({ kind: FINISHED_WORK, key: row.key, value: row.value })));
    const before = await log.head();
    const second = await begin({ ...way, kind: 'loom', setup: { text: 'x' }, begin: async () => {} }, log);
    await vi.waitUntil(() => nothingKept(log), 10_000);
    const types = (await log.readAll(before, 100)).map(eventTypeOf);
    expect([types.includes(way.result), second.server.faults]).toEqual([false, []]);
  });

  test('[W28] [L17] a result with a secret is refused for that reason after a restart too', async () => {
    const token = `hdl_${'a'.repeat(43)}`;
    const log = openMemoryLog();
    const secret = { ...way, says: way.says.replace('I am', token) };
    const { url, thread } = await stopWithKeptResult(secret, log, async () => ({}));
    expect(JSON.stringify(await log.records(FINISHED_WORK))).not.toContain(token);
    const server = await openRemoteEngine(url, { log });
    closing.push(server.close);
    await vi.waitUntil(() => nothingKept(log), 10_000);
    const history = JSON.stringify(await server.events(thread));
    expect([history.includes('The text contains a secret'), history.includes('[removed]')]).toEqual([true, false]);
    expect(server.faults).toEqual([]);
  });
});

test.each([
  ['paused', { pause: { on: true } }],
  ['muted', { mute: { targets: ['wise'], mode: 'hard' } }],
] as const)(
  '[W28] [T18] an answer finished before its agent was %s becomes a draft after a restart',
  async (_, content) => {
    const [, way] = WAYS.find(([, { kind }]) => kind === 'conversation') as (typeof WAYS)[number];
    const log = openMemoryLog();
    const { thread, url, askedAgain } = await stopWithKeptResult(way, log, (server, id) =>
      server.send('post', { thread: id, type: 'control', content }),
    );
    const server = await openRemoteEngine(url, { log });
    closing.push(server.close);
    await vi.waitUntil(() => nothingKept(log), 10_000);
    const drafts = (await server.events(thread)).filter(({ type }) => type === 'draft.proposed');
    expect(drafts.map(({ content }) => (content as { text: string }).text)).toEqual(['Here I am.']);
    expect([askedAgain(), server.faults]).toEqual([0, []]);
  },
);

test.each(WAYS)('[W28] when %s may not be stored, the reason is', async (_, way) => {
  const token = `hdl_${'a'.repeat(43)}`;
  const log = openMemoryLog();
  const { asked, server, events } = await begin({ ...way, says: way.says.replace('I am', token) }, log);
  await events((all) => all.some(({ content }) => JSON.stringify(content).includes('The text contains a secret')));
  expect([asked(), server.faults]).toEqual([1, []]);
  expect(JSON.stringify(await log.readAll(0, 1000))).not.toContain(token);
});

test('[W28] a mind’s result that waited for the one before it is not requested again after a restart', async () => {
  const log = openMemoryLog();
  const models = await startFakeModels();
  closing.push(models.close);
  const requestsOf = (id: string) => models.requests.filter(({ body }) => JSON.stringify(body).includes(`self: ${id}`));
  const gate = createGate(0);
  models.answer((request) => {
    const isLeft = JSON.stringify(request.body).includes('self: left');
    if (isLeft && requestsOf('left').length === 1) return { text: 'thoughts: [Never told.]', gate };
    return { text: `thoughts: [${isLeft ? 'Left.' : 'Right.'}]` };
  });
  const minds = ['left', 'right'].map((id) => ({ id, model: null }));
  const first = await openRemoteEngine(models.openAiUrl, { log });
  const thread = await first.create('exchange', { minds, parallel: true });
  await first.send('run', { thread, rounds: 1 });
  await gate.reached;
  await vi.waitUntil(async () => (await first.models.usage.of('workspace')).calls === 1);
  await first.close();

  const second = await openRemoteEngine(models.openAiUrl, { log });
  closing.push(second.close);
  await second.until(thread, async () => (await second.exchange(thread)).rounds.length === 1);
  const { pool } = await second.exchange(thread);
  expect(pool.thoughts.slice(0).map(({ author, text }) => `${author}: ${text}`)).toEqual([
    'left: Left.',
    'right: Right.',
  ]);
  expect([requestsOf('left').length, requestsOf('right').length, await log.records(FINISHED_WORK)]).toEqual([2, 1, []]);
});
