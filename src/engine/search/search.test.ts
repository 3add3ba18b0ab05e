import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createThread, sendOrThrow } from '../../../test/support/servers/engine-access.ts';
import { freshPostgres } from '../../../test/support/stores/postgres-url.ts';
import { manifest } from '../../core/events/manifest.ts';
import { isRefusal } from '../../core/refusal.ts';
import { TEXTS_VERSION, textsOf } from '../../core/search/texts.ts';
import type { EventLog } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { openPostgresLog } from '../../log/postgres/postgres-log.ts';
import { EMPTY_MARK } from '../../log/search/search-index.ts';
import { openSqliteLog } from '../../log/sqlite/sqlite-log.ts';
import { rebuildAll } from '../derived/rebuild.ts';
import { createEngine, type Engine } from '../engine.ts';
import { createIndexWriter } from './index-writer.ts';

async function open(log: EventLog): Promise<Engine> {
  const engine = await createEngine({ log });
  onTestFinished(async () => {
    await engine.close();
    await log.close();
  });
  return engine;
}

function place(): string {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-search-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const threadIn = (engine: Engine, title = 'Pond') => createThread(engine, { title, kind: 'conversation' });

function say(engine: Engine, thread: string, content: string) {
  return sendOrThrow(engine, 'post', { thread, type: 'message', content });
}

async function search(engine: Engine, q: string): Promise<string[]> {
  const answer = await engine.search({ q, limit: 100 });
  if (isRefusal(answer)) throw new Error(answer.refusal.message);
  return answer.hits.map(({ parts }) => parts.map(({ text }) => text).join(''));
}

test('[I30] every type of event has searchable texts or is known to have none', () => {
  const silent = [
    ...[
      'thread.archived',
      'thread.tagged',
      'thread.forked',
      'thread.opened',
      'control',
      'presence',
      'side.closed',
      'draft.settled',
      'wake.waiting',
      'wake.closed',
      'thought.clustered',
    ],
    ...['dialogue.configured', 'turn.withdrawn', 'drafts.seen', 'engagement.set', 'history.pruned'],
    ...['run.started', 'run.waiting', 'run.paused', 'run.resumed', 'run.ended'],
    ...[
      'rounds.started',
      'rounds.waiting',
      'rounds.paused',
      'rounds.resumed',
      'rounds.ended',
      'round.ended',
      'audit.failed',
    ],
    ...['auditor.role', 'observer.role', 'audit.asked', 'restart.detected', 'branch.begun', 'branch.rolled_back'],
    ...['thought.unvetoed', 'loom.configured', 'loom.switched', 'loom.preferred', 'loom.divided', 'loom.merged'],
    ...[
      'loom.reverted',
      'loom.repeated',
      'generation.requested',
      'generation.waiting',
      'generation.failed',
      'generation.stopped',
    ],
    ...['exploration.started', 'exploration.turned'],
  ];
  const message = {
    'thread.created': { title: 'word' },
    'thread.renamed': { title: 'word' },
    message: 'word',
    'message.versioned': { of: 'e', text: 'word' },
    task: { text: 'word' },
    result: { status: 'done', text: 'word' },
    'side.opened': { question: 'word' },
    'side.returned': { summary: 'word' },
    'notice.posted': { text: 'word' },
    'draft.proposed': { text: 'word' },
    'turn.opened': { turn: 1, text: 'word' },
    'turn.steered': { turn: 1, text: 'word' },
    'turn.accepted': { turn: 1, draft: 1, edited: { text: 'word' } },
    'iteration.ended': { turn: 1, thoughts: ['word'] },
    'iteration.late': { turn: 1, thoughts: [], draft: 'word' },
    'mind.spoke': { thoughts: ['word'] },
    'call.late': { round: 1, thoughts: ['word'] },
    'audit.written': { audit: 1, text: 'word' },
    'observer.spoke': { text: 'word' },
    'injection.made': { text: 'word' },
    'terms.set': { version: 2, set: { mind_prompt: 'word' } },
    'audit.skipped': { reason: 'word' },
    'restart.answered': { reason: 'word' },
    'exchange.halted': { reason: 'word' },
    'thought.vetoed': { thought: 1, reason: 'word' },
    'loom.committed': { edits: [], append: { node: 'n', content: 'word' } },
    'loom.imported': { nodes: [{ id: 'n', content: 'word' }] },
    'loom.marked': { node: 'n', note: 'word' },
    'generation.finished': { choices: [{ node: 'n', content: 'word' }] },
  };
  const durable = [...manifest.values()].filter((type) => type.durable).map(({ type }) => type);
  expect([...Object.keys(message), ...silent].toSorted()).toEqual(durable.toSorted());
  for (const [type, content] of Object.entries(message)) {
    const event = { id: 'e', ts: '', thread: 't', seq: 1, from: 'ann', to: 'all', meta: {}, v: 1, hash: '' } as const;
    expect([type, textsOf({ ...event, type, content }).map(({ text }) => text)]).toEqual([type, ['word']]);
  }
});

test('[I30] I can find what was said a moment ago, with and without a server', async () => {
  for (const log of [openMemoryLog(), openSqliteLog(join(place(), 'heddle.db'))]) {
    const engine = await open(log);
    const thread = await threadIn(engine);
    await say(engine, thread, 'a heron');
    expect(await search(engine, 'heron')).toEqual(['a heron']);
    engine.startWork();
    await say(engine, thread, 'another heron');
    expect(await search(engine, 'heron')).toHaveLength(2);
  }
});

test('[I30] a server indexes new events by itself', async () => {
  const engine = await open(openSqliteLog(join(place(), 'heddle.db')));
  engine.startWork();
  const thread = await threadIn(engine);
  await say(engine, thread, 'a heron');
  await vi.waitFor(async () => expect((await engine.log.search.mark()).position).toBe(2), 10_000);
  await say(engine, thread, 'another');
  await vi.waitFor(async () => expect((await engine.log.search.mark()).position).toBe(3), 10_000);
});

test('[L7] appending costs the same with an index, and writes nothing extra to the log', async () => {
  const directory = place();
  const engine = await open(openSqliteLog(join(directory, 'heddle.db')));
  const thread = await threadIn(engine);
  for (let i = 0; i < 10; i++) await say(engine, thread, `heron ${i}`);
  const counts = { ...engine.log.counts };
  const written = statSync(join(directory, 'heddle.db-wal')).size;
  expect(await search(engine, 'heron')).toHaveLength(10);
  expect(engine.log.counts).toEqual(counts);
  expect(counts).toMatchObject({ events: 11, syncs: 11 });
  expect(statSync(join(directory, 'heddle.db-wal')).size).toBe(written);
});

test('[L14] a crash between two batches neither repeats nor skips a text', async () => {
  const path = join(place(), 'heddle.db');
  const engine = await open(openSqliteLog(path));
  const thread = await threadIn(engine);
  for (let i = 0; i < 150; i++) await say(engine, thread, `heron ${i}`);
  // As if the process had ended there: the next one has only what was stored.
  await createIndexWriter(engine.log).step();
  const { position } = await engine.log.search.mark();
  expect(position).toBeGreaterThan(0);
  expect(position).toBeLessThan(151);
  const again = await open(openSqliteLog(path));
  const { hits: rows } = await (await indexAll(again)).search.find(
    { all: [{ words: ['heron'] }], any: [], none: [] },
    1e9,
    1000,
  );
  expect(rows.map((row) => row.position)).toEqual(Array.from({ length: 150 }, (_, i) => 151 - i));
});

async function indexAll({ log }: Engine): Promise<EventLog> {
  const writer = createIndexWriter(log);
  while ((await writer.step()) > 0);
  return log;
}

test('[L14] an index of another log or of an older format is rebuilt', async () => {
  const engine = await open(openSqliteLog(join(place(), 'heddle.db')));
  const thread = await threadIn(engine);
  await say(engine, thread, 'a heron');
  const wrong = { position: 1, part: 0, ts: 0, facets: [], text: 'heron' };
  for (const mark of [
    { position: 2, hash: 'of another log', version: TEXTS_VERSION },
    { position: 99, hash: 'further than this one', version: TEXTS_VERSION },
    { position: 2, hash: (await engine.log.readAll(1, 1))[0]?.hash as string, version: TEXTS_VERSION - 1 },
  ]) {
    await engine.log.search.clear();
    await engine.log.search.put(EMPTY_MARK, mark, [wrong, wrong]);
    expect(await search(engine, 'heron')).toEqual(['a heron']);
  }
});

test('[L14] a damaged index file, or one of a newer Heddle, is rebuilt', async () => {
  const directory = place();
  const path = join(directory, 'heddle.db');
  const first = openSqliteLog(path);
  const engine = await createEngine({ log: first });
  const thread = await threadIn(engine);
  await say(engine, thread, 'a heron');
  expect(await search(engine, 'heron')).toEqual(['a heron']);
  await engine.close();
  await first.close();
  writeFileSync(join(directory, 'heddle.search.db'), 'no database at all'.repeat(1000));
  expect(await search(await open(openSqliteLog(path)), 'heron')).toEqual(['a heron']);
  const newer = new DatabaseSync(join(directory, 'heddle.search.db'));
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  expect(await search(await open(openSqliteLog(path)), 'heron')).toEqual(['a heron']);
});

test('[L14] a rebuild produces the same index', async () => {
  for (const log of [
    openMemoryLog(),
    openSqliteLog(join(place(), 'heddle.db')),
    await openPostgresLog(await freshPostgres()),
  ]) {
    const engine = await open(log);
    const thread = await threadIn(engine, 'Heron pond');
    for (let i = 0; i < 5; i++) await say(engine, thread, `heron ${i}`);
    const before = await search(engine, 'heron');
    const progress: number[] = [];
    expect(await rebuildAll(log, (events) => progress.push(events))).toMatchObject({ events: 6, mended: 0 });
    expect(progress.at(-1)).toBe(6);
    expect(await search(engine, 'heron')).toEqual(before);
    expect(before).toHaveLength(6);
  }
});

test('[L19] several servers on one log index every text once', async () => {
  const url = await freshPostgres();
  const engines = [await open(await openPostgresLog(url)), await open(await openPostgresLog(url))] as const;
  for (const engine of engines) engine.startWork();
  const thread = await threadIn(engines[0]);
  for (let i = 0; i < 30; i++) await say(engines[i % 2] as Engine, thread, `heron ${i}`);
  const all = await Promise.all(engines.map((engine) => search(engine, 'heron')));
  for (const texts of all) expect(new Set(texts).size).toBe(30);
  for (const texts of all) expect(texts).toHaveLength(30);
});

test('[I30] search says how much is indexed, and a large workspace is indexed while it is used', async () => {
  const engine = await open(openMemoryLog());
  const thread = await threadIn(engine);
  for (let i = 0; i < 1500; i += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, k) => say(engine, thread, `heron ${i + k}`)));
  }
  engine.startWork();
  const early = await engine.search({ q: 'heron', limit: 1 });
  expect(early).toMatchObject({ indexed: { total: 1501 } });
  await vi.waitFor(
    async () => expect(await engine.search({ q: 'heron', limit: 1 })).toMatchObject({ indexed: { events: 1501 } }),
    10_000,
  );
});
