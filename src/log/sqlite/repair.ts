import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { StoreUnavailable } from '../event-log.ts';
import { makePrivately } from '../private-file.ts';
import type { MendedLog, Repair } from '../repair.ts';
import { openDatabase } from './open-database.ts';
import { makeOrderMarks } from './order-marks.ts';
import { openSqliteLog } from './sqlite-log.ts';

/**
 * Mends a copy of the file. The damaged one is not touched before `accept`, and then there is no moment without a whole
 * file under its name.
 */
export async function mendSqlite(path: string, repair: Repair, keepAt: string): Promise<MendedLog> {
  const copy = `${path}.repair`;
  remove(copy);
  copyDatabase(path, copy);
  applyTo(copy, repair);
  const log = openSqliteLog(copy);
  return {
    log,
    async accept() {
      await log.close();
      settle(copy);
      settle(path);
      linkSync(path, keepAt);
      renameSync(copy, path);
      remove(searchOf(copy));
      return keepAt;
    },
    async discard() {
      await log.close();
      remove(copy);
      remove(searchOf(copy));
    },
  };
}

function copyDatabase(path: string, copy: string) {
  makePrivately(copy);
  const db = openDatabase(path, {});
  db.prepare('VACUUM INTO ?').run(copy);
  db.close();
}

function applyTo(path: string, { mends, forks, records }: Repair) {
  const db = openDatabase(path, {});
  db.exec('BEGIN IMMEDIATE');
  const event = db.prepare('UPDATE events SET body = ?, hash = ? WHERE position = ?');
  for (const { position, body, hash } of mends) event.run(body, hash, position);
  const fork = db.prepare('UPDATE forks SET seq = ? WHERE thread = ?');
  for (const { thread, seq } of forks) fork.run(seq, thread);
  const record = db.prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?)');
  for (const { kind, key, value } of records) record.run(kind, key, value);
  db.exec('DELETE FROM snapshots');
  makeOrderMarks(db);
  db.exec('COMMIT');
  db.close();
}

/** Brings everything into the file itself: a journal of the one must never be read with the other. */
function settle(path: string) {
  const db = openDatabase(path, {});
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  if (existsSync(`${path}-wal`)) {
    throw new StoreUnavailable(
      `Another process has ${path} open. Stop it and run the repair again. Nothing was changed.`,
    );
  }
}

function searchOf(path: string): string {
  return `${path}.search.db`;
}

function remove(path: string) {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
}
