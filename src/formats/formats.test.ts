import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { human } from '../../test/support/domain/given.ts';
import { readExport } from '../../test/support/stores/exports.ts';
import { freshPostgres } from '../../test/support/stores/postgres-url.ts';
import { isRefusal } from '../core/refusal.ts';
import type { ConversationCommand } from '../core/threads/commands.ts';
import { createEngine } from '../engine/engine.ts';
import { createIndexRows } from '../engine/imports/index-rows.ts';
import { createBlobs } from '../log/blobs.ts';
import type { EventLog, StoredEvent } from '../log/event-log.ts';
import { openMemoryLog } from '../log/memory/memory-log.ts';
import { openPostgresLog } from '../log/postgres/postgres-log.ts';
import { THREAD_INDEX } from '../log/record-kinds.ts';
import { GENESIS, seal } from '../log/seal.ts';
import { openSqliteLog } from '../log/sqlite/sqlite-log.ts';
import { importFile } from './import/import-file.ts';
import { readImportedRanges } from './import/imported-ranges.ts';
import { verifyFile, verifyLog } from './verify/verify.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'heddle-formats-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const stores: Record<string, () => Promise<EventLog>> = {
  memory: async () => openMemoryLog(),
  SQLite: async () => openSqliteLog(join(await mkdtemp(join(dir, 'db-')), 'heddle.db')),
  PostgreSQL: async () => openPostgresLog(await freshPostgres()),
};

describe('from any store to any store', () => {
  for (const from of Object.keys(stores)) {
    for (const to of Object.keys(stores)) {
      test(`[L20] an export of ${from} imported into ${to} has the same ids, seqs, hashes, order and index`, async () => {
        const source = await open(from);
        await fillLog(source);
        const file = await exportToFile(source);
        const target = await open(to);
        const imported = await importFile(target, file, { derived: createIndexRows(target) });

        expect(imported.report.dropped).toEqual([]);
        expect(await readAllEvents(target)).toEqual(await readAllEvents(source));
        expect(await target.records(THREAD_INDEX)).toEqual(await source.records(THREAD_INDEX));
        expect((await verifyLog(target, undefined)).broken).toBeUndefined();
        expect(readFileSync(await exportToFile(target), 'utf8')).toBe(readFileSync(file, 'utf8'));
      });
    }
  }
});

test('[L20] importing the same file again changes nothing, and a longer one adds what is new', async () => {
  const source = await open('SQLite');
  const { post, main } = await fillLog(source);
  const early = await exportToFile(source);
  const target = await open('SQLite');
  await importFile(target, early, { derived: createIndexRows(target) });
  const before = await readAllEvents(target);

  const again = await importFile(target, early, { derived: createIndexRows(target) });
  expect(again).toMatchObject({ added: 0, skipped: before.length });
  expect(await readAllEvents(target)).toEqual(before);

  await post(main, 'one more');
  const later = await importFile(target, await exportToFile(source), { derived: createIndexRows(target) });
  expect(later).toMatchObject({ added: 1, skipped: before.length });
  expect((await importFile(target, early)).added).toBe(0);
});

test('[L20] a thread that continued differently is refused with the event named, and nothing is imported', async () => {
  const source = await open('memory');
  const { post, main } = await fillLog(source);
  const target = await open('memory');
  await importFile(target, await exportToFile(source), { derived: createIndexRows(target) });
  const other = await createEngine({ log: target });
  await other.handle(human, { name: 'post', input: { thread: main, type: 'message', content: 'here' } });
  await other.close();
  const later = await post(main, 'there');
  const before = await readAllEvents(target);

  await expect(importFile(target, await exportToFile(source))).rejects.toThrow(
    new RegExp(`Thread ${main} continued differently here: event ${later.seq} is .* and ${later.id} in the file`),
  );
  expect(await readAllEvents(target)).toEqual(before);
});

test('[L13] exporting a fork includes its ancestors, even one that only names where the fork came from', async () => {
  const source = await open('SQLite');
  const { forkOfFork, main } = await fillLog(source);
  const file = await exportToFile(source, forkOfFork);
  const target = await open('SQLite');
  await importFile(target, file, { derived: createIndexRows(target) });

  const texts = async (log: EventLog) => (await log.readThread(forkOfFork, 0, 1000)).map((row) => row.body);
  expect(await texts(target)).toEqual(await texts(source));
  expect((await verifyLog(target, forkOfFork)).head).toBe((await verifyLog(source, forkOfFork)).head);
  expect(await target.record(THREAD_INDEX, forkOfFork)).toBe(await source.record(THREAD_INDEX, forkOfFork));
  // The rest of the workspace fits on top of it.
  await importFile(target, await exportToFile(source), { derived: createIndexRows(target) });
  expect(await target.record(THREAD_INDEX, main)).toBe(await source.record(THREAD_INDEX, main));
  expect((await verifyLog(target, undefined)).head).toBe((await verifyLog(source, undefined)).head);
});

test('[L13] reactions start after the imported events', async () => {
  const source = await open('memory');
  const { main } = await fillLog(source);
  const target = await open('memory');
  await importFile(target, await exportToFile(source));
  expect((await readImportedRanges(target, main))?.upTo).toBe((await source.lastOf(main))?.seq);
});

test('[L21] blobs travel once with the events that name them, and unused ones stay behind', async () => {
  const source = await open('SQLite');
  const { blob } = await fillLog(source);
  await createBlobs(source, (text) => text).put('nobody names this');
  const file = await exportToFile(source);
  expect(readFileSync(file, 'utf8').match(/"blob":/g)).toHaveLength(1);
  const target = await open('memory');
  await importFile(target, file);
  expect(await createBlobs(target, (text) => text).get(blob)).toBe('a long answer'.repeat(100));
});

test('[L21] a blob missing from the log is reported', async () => {
  const source = await open('memory');
  await source.append([{ expected: [], events: [link('t', 1, GENESIS, { meta: { blobs: ['f'.repeat(64)] } })] }]);
  const imported = await importFile(await open('memory'), await exportToFile(source));
  expect(imported.report.dropped).toEqual([{ field: 'blobs', count: 1, why: expect.any(String) }]);
});

test('[L3] types and fields of a newer version are kept unchanged', async () => {
  const source = await open('memory');
  const event = {
    ...JSON.parse(link('t', 1, GENESIS, { type: 'dream.woven', v: 9 }).body),
    aspect: { of: 'tomorrow' },
  };
  await source.append([{ expected: [], events: [seal(GENESIS, event)] }]);
  const target = await open('SQLite');
  await importFile(target, await exportToFile(source), { derived: createIndexRows(target) });
  expect(await readAllEvents(target)).toEqual(await readAllEvents(source));
});

describe('a bad file', () => {
  const damages: Record<string, [(lines: string[]) => string[], RegExp]> = {
    'a changed word': [(l) => l.map((x) => x.replace('second', 'seconD')), /does not link to the event before it/],
    'a missing line': [(l) => l.filter((x) => !x.includes('message 7')), /is missing/],
    'a cut end': [(l) => l.slice(0, -2), /was cut/],
    'a cut line': [(l) => [...l.slice(0, 3), `${l[3]?.slice(0, 40)}`], /Line 4 is not a line of an export/],
    'a missing thread': [(l) => l.filter((x) => !x.includes('"title":"Lonely"')), /lines are missing/],
    'lines after the end': [(l) => [...l.slice(0, -1), '{"more":1}', ''], /comes after the end/],
    'a newer format': [
      (l) => [`${l[0]?.replace('"version":1', '"version":7')}`, ...l.slice(1)],
      /format 7; this one reads 1/,
    ],
    'another file': [() => ['{"hello":1}', ''], /not a Heddle export/],
    'no content': [() => [''], /not a Heddle export/],
    'a changed blob': [
      (l) => l.map((x) => x.replace(/"gzip":"(.{30})./, '"gzip":"$1!')),
      /contains a blob that does not match/,
    ],
    'a lost blob': [(l) => l.filter((x) => !x.startsWith('{"blob"')), /lines are missing/],
    'white space': [(l) => l.map((x) => x.replace('"seq":2', '"seq": 2')), /canonical JSON/],
  };
  for (const [name, [damage, said]] of Object.entries(damages)) {
    test(`[L20] a file with ${name} is refused as a whole`, async () => {
      const source = await open('memory');
      await fillLog(source);
      const file = await exportToFile(source);
      writeFileSync(file, damage(readFileSync(file, 'utf8').split('\n')).join('\n'));
      const target = await open('memory');
      await expect(importFile(target, file)).rejects.toThrow(said);
      expect(await target.head()).toBe(0);
      const verified = await verifyFile(file).catch((error: Error) => error);
      expect(verified instanceof Error ? verified.message : verified.broken?.why).toMatch(said);
    });
  }

  test('[L20] a file with a duplicate id, or one that belongs to another event here, is refused as a whole', async () => {
    const first = link('a', 1, GENESIS, { id: 'twice' });
    const file = await writeExport([first, link('b', 1, GENESIS, { id: 'twice' })]);
    const target = await open('SQLite');
    await expect(importFile(target, file)).rejects.toThrow('Line 3: the id twice was used before in this file');
    expect(await target.head()).toBe(0);

    await importFile(target, await writeExport([first]));
    const other = await writeExport([link('b', 1, GENESIS, { id: 'new' }), link('b', 2, undefined, { id: 'twice' })]);
    await expect(importFile(target, other)).rejects.toThrow('the id twice already belongs to event 1 of thread a');
    expect(await target.head()).toBe(1);
  });

  test('[L15] with half a surrogate pair, and [L17] with a token, is refused whole', async () => {
    const target = await open('memory');
    const half = await writeExport([link('a', 1, GENESIS, { content: '\ud800' })]);
    await expect(importFile(target, half)).rejects.toThrow('half of a surrogate pair');
    const token = await writeExport([link('a', 1, GENESIS, { content: `hdl_${'x'.repeat(43)}` })]);
    const { createSecrets } = await import('../engine/secrets.ts');
    await expect(importFile(target, token, { refuses: createSecrets().check })).rejects.toThrow('contains a secret');
    expect(await target.head()).toBe(0);
  });
});

describe('verify', () => {
  test('[L24] a fork created during verification is not a forgery', async () => {
    const log = openMemoryLog();
    const { main } = await fillLog(log);
    const engine = await createEngine({ log });
    const forks = async () => {
      await engine.handle(human, { name: 'fork', input: { thread: main } });
      return log.forks();
    };
    expect((await verifyLog({ ...log, forks }, undefined)).broken).toBeUndefined();
    await engine.close();
  });

  test('[L5] verify names the first broken link of a workspace and of a thread', async () => {
    const path = join(await mkdtemp(join(dir, 'db-')), 'heddle.db');
    const log = openSqliteLog(path);
    const { main } = await fillLog(log);
    await log.close();
    const { DatabaseSync } = await import('node:sqlite');
    const db = new DatabaseSync(path);
    db.exec(`UPDATE events SET body = replace(body, 'second', 'SECOND') WHERE body LIKE '%"content":"second%'`);
    const { id, seq } = db
      .prepare(`SELECT id, seq FROM events WHERE body LIKE '%SECOND%'`)
      .get() as never as StoredEvent;
    db.close();
    const damaged = openSqliteLog(path);
    onTestFinished(() => damaged.close());
    expect((await verifyLog(damaged, undefined)).broken).toMatchObject({ thread: main, id, seq });
    expect((await verifyLog(damaged, main)).broken).toMatchObject({ thread: main, id, seq });
    await expect(exportToFile(damaged)).rejects.toThrow('Nothing was exported');
  });

  test('[L5] removing the last events changes the head, and the workspace notices removed events', async () => {
    const path = join(await mkdtemp(join(dir, 'db-')), 'heddle.db');
    const log = openSqliteLog(path);
    const { main, post } = await fillLog(log);
    const last = await post(main, 'last words');
    const before = await verifyLog(log, main);
    await log.close();
    const { DatabaseSync } = await import('node:sqlite');
    const db = new DatabaseSync(path);
    db.exec(`DELETE FROM events WHERE id = '${last.id}'`);
    db.close();
    const cut = openSqliteLog(path);
    onTestFinished(() => cut.close());
    const after = await verifyLog(cut, main);
    expect(after.broken).toBeUndefined();
    expect(after.head).not.toBe(before.head);
  });
});

/** Two threads, a fork, a fork of what that fork inherited, a side channel, a blob. */
async function fillLog(log: EventLog) {
  const engine = await createEngine({ log });
  const run = async (command: ConversationCommand): Promise<StoredEvent> => {
    const handled = await engine.handle(human, command);
    if (isRefusal(handled)) throw new Error(handled.refusal.message);
    return handled.events[0] as StoredEvent;
  };
  const create = async (title: string) =>
    (await run({ name: 'create', input: { title, kind: 'conversation', invite: [] } })).thread;
  const post = (thread: string, content: string) => run({ name: 'post', input: { thread, type: 'message', content } });
  const main = await create('Plans');
  await post(main, 'first');
  await create('Lonely');
  await post(main, 'second 👩‍👩‍👧‍👦 \u2028 "quoted" \\ \u0007');
  const fork = (await run({ name: 'fork', input: { thread: main, seq: 3 } })).thread;
  await post(fork, 'another way');
  const forkOfFork = (await run({ name: 'fork', input: { thread: fork, seq: 2 } })).thread;
  await post(forkOfFork, 'a third way');
  await run({ name: 'side_open', input: { thread: main, question: 'Why?', members: ['alpha'] } });
  for (let i = 0; i < 20; i++) await post(main, `message ${i}`);
  const blob = await createBlobs(log, (text) => text).put('a long answer'.repeat(100));
  const head = (await log.lastOf(main)) as StoredEvent;
  const named = link(main, head.seq + 1, head.hash, { meta: { blobs: [blob] } });
  await log.append([{ expected: [{ thread: main, seq: head.seq }], events: [named] }]);
  await engine.close();
  // What was appended past the engine is unknown to it.
  const after = await createEngine({ log });
  onTestFinished(() => after.close());
  return {
    main,
    fork,
    forkOfFork,
    blob,
    post: async (thread: string, content: string) => {
      const handled = await after.handle(human, { name: 'post', input: { thread, type: 'message', content } });
      if (isRefusal(handled)) throw new Error(handled.refusal.message);
      return handled.events[0] as StoredEvent;
    },
  };
}

let count = 0;
let previous = GENESIS;

function link(thread: string, seq: number, before = previous, more: object = {}) {
  const sealed = seal(before, {
    id: `x${++count}`,
    ts: '2026-01-01T00:00:00.000Z',
    thread,
    seq,
    type: 'message',
    from: 'ana',
    to: 'all',
    content: 'text',
    meta: {},
    v: 1,
    ...more,
  });
  previous = sealed.hash;
  return sealed;
}

async function writeExport(events: readonly ReturnType<typeof link>[]): Promise<string> {
  const heads: Record<string, object> = {};
  for (const { thread, seq, hash } of events) heads[thread] = { seq, hash };
  const { workspaceHash } = await import('./verify/chain.ts');
  const { wireTextOf: wireOf } = await import('../log/event-log.ts');
  const lines = [
    '{"heddle":"export","version":1,"created":"now"}',
    ...events.map(wireOf),
    JSON.stringify({
      end: true,
      events: events.length,
      blobs: 0,
      missing: [],
      head: workspaceHash(new Map(Object.entries(heads)) as never),
      heads,
    }),
  ];
  const file = join(dir, `written-${++count}.jsonl`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

async function exportToFile(log: EventLog, thread?: string): Promise<string> {
  const file = join(dir, `export-${++count}.jsonl`);
  writeFileSync(file, await readExport(log, thread));
  return file;
}

async function open(store: string): Promise<EventLog> {
  const log = await (stores[store] as () => Promise<EventLog>)();
  onTestFinished(() => log.close());
  return log;
}

async function readAllEvents(log: EventLog): Promise<readonly StoredEvent[]> {
  return (await log.readAll(0, 100_000)).map((row) => ({ ...row }));
}
