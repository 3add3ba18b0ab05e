import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { entry, statuses } from '../contract/support.ts';
import { openSqliteLog } from './sqlite-log.ts';

test('[L26] leases of the previous owner are void when the next one opens the workspace', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-owner-'));
  const path = join(directory, 'heddle.db');
  const first = openSqliteLog(path, { isOwner: true });
  const names = ['mind', 'runner'];
  const leases = await Promise.all(names.map((name) => first.lease(name, 'dead', 60_000)));
  await first.close();
  const second = openSqliteLog(path, { isOwner: true });
  for (const [i, name] of names.entries()) {
    expect(statuses(await second.append([entry(name, 0, 1, { lease: leases[i]! })]))).toEqual(['fenced']);
    const taken = await second.lease(name, 'living', 60_000);
    expect(taken!.fence).toBeGreaterThan(leases[i]!.fence);
  }
  await second.close();
  rmSync(directory, { recursive: true, force: true });
});

test('[L9] while another process writes, a write waits and everything else continues', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-busy-'));
  const path = join(directory, 'heddle.db');
  const log = openSqliteLog(path);
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  let isWaiting = true;
  const appending = log.append([entry('a')]).finally(() => {
    isWaiting = false;
  });
  // Reached while the other still holds the file: waiting within SQLite would have kept us from here.
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(await log.head()).toBe(0);
  }
  expect(isWaiting).toBe(true);
  other.exec('COMMIT');
  expect(statuses(await appending)).toEqual(['committed']);
  other.close();
  await log.close();
  rmSync(directory, { recursive: true, force: true });
});

test('[L24] a workspace of an earlier version gets its order chain when it is opened for writing', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-order-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'heddle.db');
  const log = openSqliteLog(path);
  await log.append([entry('a', 0, 1500), entry('b', 0, 3)]);
  const [mark] = (await log.orderMarks(0, 10)) ?? [];
  await log.close();
  const db = new DatabaseSync(path);
  db.exec('DROP TABLE order_marks; PRAGMA user_version = 1');
  db.close();

  const reading = openSqliteLog(path, { readOnly: true });
  expect(await reading.orderMarks(0, 10)).toBeUndefined();
  await reading.close();
  const opened = openSqliteLog(path);
  expect(await opened.orderMarks(1000, 10)).toEqual([mark]);
  expect(await opened.orderMarks(0, 10)).toHaveLength(2);
  await opened.close();
});
