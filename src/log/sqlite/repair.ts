import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { StoreUnavailable } from '../event-log.ts';
import { createPrivateFile } from '../private-file.ts';
import type { LogRepair, RepairedLog } from '../repair.ts';
import { openDatabase } from './open-database.ts';
import { rebuildOrderMarks } from './order-marks.ts';
import { openSqliteLog } from './sqlite-log.ts';

/**
 * Repairs a copy of the file. The damaged file is not touched before `accept`, and a complete file exists under its
 * name at every moment.
 */
export async function repairSqlite(path: string, repair: LogRepair, backupPath: string): Promise<RepairedLog> {
  const copyPath = `${path}.repair`;
  removeFiles(copyPath);
  copyDatabase(path, copyPath);
  applyRepair(copyPath, repair);
  const log = openSqliteLog(copyPath);
  return {
    log,
    async accept() {
      await log.close();
      checkpoint(copyPath);
      checkpoint(path);
      linkSync(path, backupPath);
      renameSync(copyPath, path);
      removeFiles(searchPathOf(copyPath));
      return backupPath;
    },
    async discard() {
      await log.close();
      removeFiles(copyPath);
      removeFiles(searchPathOf(copyPath));
    },
  };
}

function copyDatabase(path: string, copyPath: string) {
  createPrivateFile(copyPath);
  const db = openDatabase(path, {});
  db.prepare('VACUUM INTO ?').run(copyPath);
  db.close();
}

function applyRepair(path: string, { rewrites, forks, records }: LogRepair) {
  const db = openDatabase(path, {});
  db.exec('BEGIN IMMEDIATE');
  const updateEvent = db.prepare('UPDATE events SET body = ?, hash = ? WHERE position = ?');
  for (const { position, body, hash } of rewrites) updateEvent.run(body, hash, position);
  const updateFork = db.prepare('UPDATE forks SET seq = ? WHERE thread = ?');
  for (const { thread, seq } of forks) updateFork.run(seq, thread);
  const putRecord = db.prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?)');
  for (const { kind, key, value } of records) putRecord.run(kind, key, value);
  db.exec('DELETE FROM snapshots');
  rebuildOrderMarks(db);
  db.exec('COMMIT');
  db.close();
}

/** Moves everything into the file itself: the journal of one file must never be read with the other. */
function checkpoint(path: string) {
  const db = openDatabase(path, {});
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  if (existsSync(`${path}-wal`)) {
    throw new StoreUnavailable(
      `Another process has ${path} open. Stop it and run the repair again. Nothing was changed.`,
    );
  }
}

function searchPathOf(path: string): string {
  return `${path}.search.db`;
}

function removeFiles(path: string) {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
}
