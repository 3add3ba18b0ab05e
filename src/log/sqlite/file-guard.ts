import { realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type EventLog, StoreUnavailable } from '../event-log.ts';

/** The files that an open database stands on: what is written into deleted or replaced ones is lost (L26). */
export interface Ground {
  /** Looks at the disk, which costs one stat; throws unless the files are those that were opened. */
  check(): void;
  /** Throws while the files are known to be gone. It costs nothing before that, and notices when they are back. */
  mustStand(): void;
  close(): void;
}

/** A server that nobody writes to notices within this, before it can be killed with a journal left behind. */
const LOOK_MS = 1_000;
/** The time of a directory's last change is too coarse to tell two changes apart that follow at once. */
const SETTLED_MS = 2_000;

export function watchGround(db: DatabaseSync, path: string): Ground {
  const directory = dirname(path);
  const real = realpathSync(path);
  const journals = [`${real}-wal`, `${real}-shm`];
  /** A change of any of the files is a change of their directory, unless they are elsewhere behind a link. */
  const isBelow = dirname(real) === realpathSync(directory);
  const file = identityOf(path);
  let journal = journals.map(identityOf);
  let seen: Stats | undefined;
  let lost: StoreUnavailable | undefined;
  const timer = setInterval(look, LOOK_MS).unref();

  function check() {
    const now = statSync(directory, { throwIfNoEntry: false });
    if (!lost && isBelow && isSettled(now) && isSame(now, seen)) return;
    lost = undefined;
    const found = identityOf(path);
    if (found !== file) {
      lost = gone(path, found !== undefined);
      settle(db);
      throw lost;
    }
    if (journals.some((name, i) => identityOf(name) !== journal[i])) renewJournal();
    seen = now;
  }

  /** The database itself is there, but its journal is not: everything goes into the database, and a new one is begun. */
  function renewJournal() {
    try {
      settle(db);
      db.exec('PRAGMA journal_mode = DELETE; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; COMMIT');
      journal = journals.map(identityOf);
    } catch (error) {
      lost = withoutJournal(path, error);
      throw lost;
    }
  }

  function mustStand() {
    if (lost) check();
  }

  function look() {
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
      look();
    },
  };
}

/** The same log, that neither reads nor writes while its files are gone. */
export function guarded(log: EventLog): EventLog {
  const anyway = new Set(['mustStand', 'announce', 'listen', 'close']);
  const methods = Object.entries(log).map(([name, value]) => {
    if (typeof value !== 'function' || anyway.has(name)) return [name, value];
    return [
      name,
      async (...given: unknown[]) => {
        log.mustStand();
        return value(...given);
      },
    ];
  });
  return Object.fromEntries(methods);
}

/**
 * Brings all that is in the journal into the file that it belongs to, wherever that is now, and empties it: SQLite would
 * take it for the journal of any file that is put in the old one's place, and damage that.
 */
function settle(db: DatabaseSync) {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Somebody is reading, or the disk is full: tried again at the next look.
  }
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

function isSame(one: Stats, other: Stats | undefined): boolean {
  return one.ino === other?.ino && one.dev === other.dev && one.ctimeMs === other.ctimeMs;
}

function isSettled(directory: Stats | undefined): directory is Stats {
  return directory !== undefined && Math.abs(Date.now() - directory.ctimeMs) > SETTLED_MS;
}

function gone(path: string, isReplaced: boolean): StoreUnavailable {
  const what = isReplaced ? 'was replaced by another file' : 'was deleted or moved';
  const restart = isReplaced ? 'restart Heddle to work with the new file' : 'restart Heddle to begin a new one';
  return new StoreUnavailable(
    `The database ${path} ${what} while Heddle was using it, so nothing can be saved or read. Put the same file back, or ${restart}. Then send this again.`,
  );
}

function withoutJournal(path: string, error: unknown): StoreUnavailable {
  return new StoreUnavailable(
    `The journal of the database (${path}-wal or -shm) was deleted while Heddle was using it, and a new one could not be started (SQLite says: ${(error as Error).message}). Nothing can be saved until then. Close other programs that have the database open, and send this again.`,
  );
}
