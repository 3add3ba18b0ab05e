import { realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type EventLog, StoreUnavailable } from '../event-log.ts';

/** Watches the files of an open database: anything written to deleted or replaced files is lost (L26). */
export interface FileGuard {
  /** Checks the disk, which costs one stat; throws unless the files are the ones that were opened. */
  check(): void;
  /** Throws while the files are known to be gone. It costs nothing before that, and notices when they are back. */
  mustStand(): void;
  close(): void;
}

/** An idle server notices within this time, before it can be killed with a journal left behind. */
const CHECK_MS = 1_000;
/** The directory's modification time is too coarse to distinguish two changes in quick succession. */
const STABLE_MS = 2_000;

export function guardFiles(db: DatabaseSync, path: string): FileGuard {
  const directory = dirname(path);
  const realPath = realpathSync(path);
  const journalPaths = [`${realPath}-wal`, `${realPath}-shm`];
  /** A change to any of the files changes their directory, unless they are elsewhere behind a link. */
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

  /** The database exists but its journal is gone: writes everything into the database and starts a new journal. */
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
      // The next use of the log reports it.
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

/** The same log, except that it neither reads nor writes while its files are gone. */
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
 * Moves everything from the journal into its own file, wherever that is now, and empties the journal: SQLite would
 * apply it to any file put in the old one's place, and damage that file.
 */
function checkpoint(db: DatabaseSync) {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Another process is reading, or the disk is full: the next check tries again.
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
  const restart = isReplaced ? 'restart Heddle to work with the new file' : 'restart Heddle to create a new one';
  return new StoreUnavailable(
    `The database ${path} ${what} while Heddle was using it, so nothing can be saved or read. Put the same file back, or ${restart}. Then send this again.`,
  );
}

function journalError(path: string, error: unknown): StoreUnavailable {
  return new StoreUnavailable(
    `The journal of the database (${path}-wal or -shm) was deleted while Heddle was using it, and a new one could not be started (SQLite says: ${(error as Error).message}). Nothing can be saved. Close other programs that have the database open, and send this again.`,
  );
}
