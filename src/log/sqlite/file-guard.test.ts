import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { chain, commandFor, entry, seqs, statuses } from '../contract/support.ts';
import { type EventLog, StoreUnavailable } from '../event-log.ts';
import { openSqliteLog } from './sqlite-log.ts';

function newPath(): string {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-ground-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'heddle.db');
}

function open(path: string): EventLog {
  const log = openSqliteLog(path);
  onTestFinished(() => log.close().catch(() => {}));
  return log;
}

/** A log with events 1 to 3 of the thread "a". */
async function openFilled(path: string) {
  const log = open(path);
  const events = chain('a', 3);
  await log.append([{ expected: [{ thread: 'a', seq: 0 }], events }]);
  return { log, next: chain('a', 1, { after: 3, previous: events[2]!.hash }) };
}

/** What a process finds that opens the files as they are now, as after a crash. */
async function readAfterCrash(path: string): Promise<string[]> {
  const copy = newPath();
  for (const end of ['', '-wal']) copyFileSync(path + end, copy + end);
  return seqs(await open(copy).readAll(0, 100));
}

test.each([
  ['deleted', (path: string) => rmSync(path), /was deleted or moved .* nothing can be saved/],
  ['moved away', (path: string) => renameSync(path, `${path}.old`), /was deleted or moved/],
  [
    'replaced',
    (path: string) => {
      new DatabaseSync(`${path}.new`).close();
      renameSync(`${path}.new`, path);
    },
    /was replaced by another file/,
  ],
  [
    'in a directory that was moved',
    (path: string) => renameSync(join(path, '..'), `${join(path, '..')}-away`),
    /moved/,
  ],
])('[L26] no write is acknowledged and nothing is read once the database was %s', async (_, lose, sentence) => {
  const path = newPath();
  const { log, next } = await openFilled(path);
  lose(path);
  const append = () => log.append([{ expected: [{ thread: 'a', seq: 3 }], events: next, command: commandFor('four') }]);
  await expect(append()).rejects.toThrow(sentence);
  await expect(append()).rejects.toThrow(StoreUnavailable);
  await expect(log.readAll(0, 100)).rejects.toThrow(sentence);
  await expect(log.putRecords([{ kind: 'k', key: 'a', value: 'v' }])).rejects.toThrow(sentence);
  expect(() => log.mustStand()).toThrow(sentence);
});

test('[L26] a replaced database is noticed even if nothing else happened in the directory for long', async () => {
  const path = newPath();
  const { log } = await openFilled(path);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  for (const thread of ['b', 'c']) expect(statuses(await log.append([entry(thread)]))).toEqual(['committed']);
  rmSync(path);
  await expect(log.append([entry('d')])).rejects.toThrow(/was deleted or moved/);
});

test('[L26] when the database is back, everything works again without a restart', async () => {
  const path = newPath();
  const { log, next } = await openFilled(path);
  const append = { expected: [{ thread: 'a', seq: 3 }], events: next, command: commandFor('four') };
  renameSync(path, `${path}.old`);
  await expect(log.append([append])).rejects.toThrow(StoreUnavailable);
  renameSync(`${path}.old`, path);
  log.mustStand();
  // The first try was refused when it was in the file already: the same wish is answered, and not done twice (L7).
  expect(statuses(await log.append([append]))).toEqual(['repeated']);
  expect(statuses(await log.append([entry('b')]))).toEqual(['committed']);
  expect(await readAfterCrash(path)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
});

test('[L26] acknowledged events are complete in the file that was moved away, and the new file stays intact', async () => {
  const path = newPath();
  const other = newPath();
  const second = open(other);
  for (let i = 0; i < 50; i++) await second.append([entry(`t${i}`)]);
  await second.close();
  const { log } = await openFilled(path);
  renameSync(path, `${path}.old`);
  renameSync(other, path);
  await expect(log.append([entry('b')])).rejects.toThrow(StoreUnavailable);
  await log.close();
  expect(await (await open(path)).head()).toBe(50);
  const db = new DatabaseSync(path);
  expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  db.close();
  expect(seqs(await open(`${path}.old`).readAll(0, 100)).slice(0, 3)).toEqual(['a1', 'a2', 'a3']);
});

test('[L26] an idle server leaves no journal behind that damages a replacement file', async () => {
  const path = newPath();
  const other = newPath();
  const second = open(other);
  for (let i = 0; i < 50; i++) await second.append([entry(`t${i}`)]);
  await second.close();
  const { log } = await openFilled(path);
  renameSync(other, path);
  await log.close();
  expect(await open(path).head()).toBe(50);
});

test.each(['-wal', '-shm'])(
  '[L26] with its %s deleted, nothing acknowledged before or after is lost in a crash',
  async (end) => {
    const path = newPath();
    const { log, next } = await openFilled(path);
    rmSync(path + end);
    const append = { expected: [{ thread: 'a', seq: 3 }], events: next };
    expect(statuses(await log.append([append]))).toEqual(['committed']);
    expect(await readAfterCrash(path)).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect(statuses(await log.append([entry('b')]))).toEqual(['committed']);
    expect(await readAfterCrash(path)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
  },
);

test('[L26] while another program blocks a new journal, a write is refused and not lost', async () => {
  const path = newPath();
  const { log, next } = await openFilled(path);
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.prepare('SELECT count(*) FROM events').get();
  rmSync(`${path}-wal`);
  const append = { expected: [{ thread: 'a', seq: 3 }], events: next, command: commandFor('four') };
  await expect(log.append([append])).rejects.toThrow(/journal .* Close other programs/);
  reader.close();
  expect(statuses(await log.append([append]))).toEqual(['repeated']);
  expect(await readAfterCrash(path)).toEqual(['a1', 'a2', 'a3', 'a4']);
});
