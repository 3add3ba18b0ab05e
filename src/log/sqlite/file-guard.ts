import { realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type EventLog, StoreUnavailable } from '../event-log.ts';

/** The files that an open database stands on: what is written into deleted or replaced ones is lost (L26). */
export interface FileGuard {
  /** Looks at the disk, which costs one stat; throws unless the files are those that were opened. */
  check(): void;
  /** Throws while the files are known to be gone. It costs nothing before that, and notices when they are back. */
  mustStand(): void;
  close(): void;
}

/** A server that nobody writes to notices within this, before it can be killed with a journal left behind. */
const CHECK_MS = 1_000;
/** The time of a directory's last change is too coarse to tell two changes apart that follow at once. */
const STABLE_MS = 2_000;

export function guardFiles(db: DatabaseSync, path: string): FileGuard {
  const directory = dirname(path);
  const realPath = realpathSync(path);
  const journalPaths = [`${realPath}-wal`, `${realPath}-shm`];
  /** A change of any of the files is a change of their directory, unless they are elsewhere behind a link. */
  const isInDirectory = dirname(realPath) === realpathSync(directory);
  const originalIdentity = identityOf(path);
  let journalIdentities = journalPaths.map(identityOf);
  let lastStats: Stats | undefined;
  let failure: StoreUnavailable | undefined;
  const timer = setInterval(checkQuietly, CHECK_MS).unref();

  function check() {
    const directoryStats = statSync(directory, { throwIfNoEntry: false });
    if (!failure && isInDirectory && isStable(directoryStats) && isSameStats(directoryStats, lastStats)) return;
    failure = undefined;
    const currentIdentity = identityOf(path);
    if (currentIdentity !== originalIdentity) {
      failure = fileGoneError(path, currentIdentity !== undefined);
      checkpoint(db);
      throw failure;
    }
    if (journalPaths.some((name, i) => identityOf(name) !== journalIdentities[i])) renewJournal();
    lastStats = directoryStats;
  }

  /** The database itself is there, but its journal is not: everything goes into the database, and a new one is begun. */
  function renewJournal() {
    try {
      checkpoint(db);
      db.exec('PRAGMA journal_mode = DELETE; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; COMMIT');
      journalIdentities = journalPaths.map(identityOf);
    } catch (error) {
      failure = journalError(path, error);
      throw failure;
    }
  }

  function mustStand() {
    if (failure) check();
  }

  function checkQuietly() {
    try {
      check();
    } catch {
      // Whoever uses the log is told.
    }
  }

  return {
    check,
    mustStand,
    close() {
      clearInterval(timer);
      checkQuietly();
    },
  };
}

/** The same log, that neither reads nor writes while its files are gone. */
export function withFileGuard(log: EventLog): EventLog {
  const unguarded = new Set(['mustStand', 'announce', 'listen', 'close']);
  const entries = Object.entries(log).map(([name, value]) => {
    if (typeof value !== 'function' || unguarded.has(name)) return [name, value];
    return [
      name,
      async (...args: unknown[]) => {
        log.mustStand();
        return value(...args);
      },
    ];
  });
  return Object.fromEntries(entries);
}

/**
 * Brings all that is in the journal into the file that it belongs to, wherever that is now, and empties it: SQLite would
 * take it for the journal of any file that is put in the old one's place, and damage that.
 */
function checkpoint(db: DatabaseSync) {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Somebody is reading, or the disk is full: tried again at the next look.
  }
}

function identityOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}

function isSameStats(one: Stats, other: Stats | undefined): boolean {
  return one.ino === other?.ino && one.dev === other.dev && one.ctimeMs === other.ctimeMs;
}

function isStable(directory: Stats | undefined): directory is Stats {
  return directory !== undefined && Math.abs(Date.now() - directory.ctimeMs) > STABLE_MS;
}

function fileGoneError(path: string, isReplaced: boolean): StoreUnavailable {
  const what = isReplaced ? 'was replaced by another file' : 'was deleted or moved';
  const restart = isReplaced ? 'restart Heddle to work with the new file' : 'restart Heddle to begin a new one';
  return new StoreUnavailable(
    `The database ${path} ${what} while Heddle was using it, so nothing can be saved or read. Put the same file back, or ${restart}. Then send this again.`,
  );
}

function journalError(path: string, error: unknown): StoreUnavailable {
  return new StoreUnavailable(
    `The journal of the database (${path}-wal or -shm) was deleted while Heddle was using it, and a new one could not be started (SQLite says: ${(error as Error).message}). Nothing can be saved until then. Close other programs that have the database open, and send this again.`,
  );
}
