import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { NoSpace, StoreUnavailable } from '../event-log.ts';
import { sqliteMigrations } from '../migrations/sqlite.ts';
import { createPrivateFile } from '../private-file.ts';
import { errorCodeOf, isDamaged, isDiskFull, SQLITE_AUTH, SQLITE_CANTOPEN, SQLITE_READONLY } from './errors.ts';

/** Marks the file as ours ("hddl"), so that another program's database is never migrated. */
const APPLICATION_ID = 0x6864646c;
const BUSY_MS = 5000;

export interface SqliteOptions {
  /** `NORMAL` may lose the last commits in a power cut; `heddle doctor` says so. */
  readonly synchronous?: 'FULL' | 'NORMAL';
  readonly readOnly?: boolean;
  /** Whether the caller holds the workspace's lock: leases left by others are then void (L26). */
  readonly isOwner?: boolean;
}

/** Opens or creates a workspace's file, or says what is wrong with it and what to do (L16). */
export function openDatabase(path: string, options: SqliteOptions): DatabaseSync {
  const { readOnly = false } = options;
  if (readOnly && !existsSync(path)) throw new StoreUnavailable(`There is no workspace database at ${path} yet.`);
  if (!readOnly) createPrivateFile(path);
  try {
    return prepareDatabase(new DatabaseSync(path, { timeout: BUSY_MS, readOnly }), path, options);
  } catch (error) {
    if (!readOnly || !cannotShare(error) || !isJournalEmpty(path)) throw explainOpenError(error, path);
  }
  // Reading needs a few pages to share the file, which a full or read-only disk cannot provide; then open it
  // unshared.
  const unsharedUrl = pathToFileURL(path);
  unsharedUrl.searchParams.set('immutable', '1');
  return prepareDatabase(new DatabaseSync(unsharedUrl, { readOnly }), path, options);
}

function prepareDatabase(db: DatabaseSync, path: string, { synchronous = 'FULL', readOnly = false }: SqliteOptions) {
  try {
    if (!readOnly) db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous};`);
    checkCompatible(db, path);
    if (!readOnly) migrate(db, path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Whether everything is in the file itself and nothing in its journal. */
function isJournalEmpty(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

function cannotShare(error: unknown): boolean {
  const code = errorCodeOf(error);
  return isDiskFull(error) || code === SQLITE_CANTOPEN || code === SQLITE_READONLY;
}

function checkCompatible(db: DatabaseSync, path: string) {
  const applicationId = readNumber(db, 'PRAGMA application_id');
  const tableCount = readNumber(db, 'SELECT count(*) FROM sqlite_schema');
  if (applicationId !== APPLICATION_ID && tableCount > 0) {
    throw new StoreUnavailable(`${path} is a database of another program. Choose another directory with --workspace.`);
  }
  const version = readNumber(db, 'PRAGMA user_version');
  if (version > sqliteMigrations.length) {
    throw new StoreUnavailable(
      `${path} was written by a newer Heddle (database version ${version}; this one supports up to ${sqliteMigrations.length}). Update Heddle, or open another workspace.`,
    );
  }
}

function migrate(db: DatabaseSync, path: string) {
  if (readNumber(db, 'PRAGMA user_version') === sqliteMigrations.length) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    // Check again under the lock: another process may have migrated meanwhile.
    checkCompatible(db, path);
    for (const migration of sqliteMigrations.slice(readNumber(db, 'PRAGMA user_version'))) {
      if (typeof migration === 'string') db.exec(migration);
      else migration(db);
    }
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${sqliteMigrations.length}; COMMIT`);
  } catch (error) {
    // A full disk has already rolled it back.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Expires the leases but keeps their rows, so that fences never restart. */
export function expireLeases(db: DatabaseSync) {
  try {
    db.exec('UPDATE leases SET expires = 0 WHERE expires > 0');
  } catch {
    // The disk is full: the leases expire by themselves.
  }
}

function readNumber(db: DatabaseSync, sql: string): number {
  return Number(Object.values(db.prepare(sql).get() ?? {})[0] ?? 0);
}

function explainOpenError(error: unknown, path: string): unknown {
  if (error instanceof StoreUnavailable) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (isDamaged(error)) {
    return new StoreUnavailable(
      `${path} is damaged (SQLite says: ${message}). Nothing was changed. Put a backup in its place with "heddle restore", or keep a copy and try "sqlite3 heddle.db .recover".`,
    );
  }
  if (isDiskFull(error)) {
    return new NoSpace(
      `The disk of ${path} is full, so nothing can be written. Free some space and try again; reading still works.`,
    );
  }
  const { errcode } = error as { errcode?: number };
  if (errcode === SQLITE_CANTOPEN || errcode === SQLITE_READONLY || errcode === SQLITE_AUTH) {
    return new StoreUnavailable(
      `${path} cannot be opened for writing (SQLite says: ${message}). Check that the directory exists and that you may read and write it.`,
    );
  }
  return error;
}
