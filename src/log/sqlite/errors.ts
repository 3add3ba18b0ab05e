import { NoSpace, StoreUnavailable } from '../event-log.ts';

export const SQLITE_BUSY = 5;
export const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
export const SQLITE_CANTOPEN = 14;
export const SQLITE_AUTH = 23;
export const SQLITE_NOTADB = 26;
const SQLITE_IOERR_SHMSIZE = 4874;

/** SQLite's code of an error without its details; undefined if the error is not SQLite's. */
export function errorCodeOf(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}

export function isDamaged(error: unknown): boolean {
  const code = errorCodeOf(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

/** Also true if the few pages needed to share a file are missing. */
export function isDiskFull(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode === SQLITE_FULL || errcode === SQLITE_IOERR_SHMSIZE;
}

export function noSpaceError(): NoSpace {
  return new NoSpace('The disk is full: nothing was stored. Free some space and send it again; reading still works.');
}

/** Turns an error thrown by SQLite into one of our messages; a mistake in our own SQL is passed through unchanged. */
export function explainFailure(error: unknown): unknown {
  const code = errorCodeOf(error);
  if (isDiskFull(error)) return noSpaceError();
  if (code === SQLITE_BUSY) {
    return new StoreUnavailable('Another process kept the database locked for 5 seconds. Try again.');
  }
  if (code === SQLITE_READONLY) {
    return new StoreUnavailable(
      'The database is read-only, so nothing was stored. Check the permissions of its file and directory.',
    );
  }
  if (code === SQLITE_IOERR) {
    return new StoreUnavailable(
      `The disk could not be read or written (SQLite says: ${(error as Error).message}). Nothing was stored; check the disk with "heddle doctor".`,
    );
  }
  if (isDamaged(error)) {
    return new StoreUnavailable(
      `The database is damaged (SQLite says: ${(error as Error).message}). Nothing was stored. Stop the server, keep a copy of heddle.db, and put a backup in its place with "heddle restore", or try "sqlite3 heddle.db .recover".`,
    );
  }
  return error;
}
