import { NoSpace, StoreUnavailable } from './event-log.ts';

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;

export function isBusy(error: unknown): boolean {
  return (((error as { errcode?: number }).errcode ?? 0) & 0xff) === SQLITE_BUSY;
}

/** What SQLite threw as a sentence of ours; a mistake in our own SQL stays as it is. */
export function failureOf(error: unknown): unknown {
  const code = (error as { errcode?: number }).errcode;
  if (code === undefined) return error;
  if (code === SQLITE_FULL) {
    return new NoSpace('The disk is full: nothing was stored. Free some space and send it again; reading still works.');
  }
  if ((code & 0xff) === SQLITE_BUSY) {
    return new StoreUnavailable('Another process kept the database locked for 5 seconds. Try again.');
  }
  if ((code & 0xff) === SQLITE_READONLY) {
    return new StoreUnavailable(
      'The database can only be read, so nothing was stored. Check the permissions of its file and directory.',
    );
  }
  if ((code & 0xff) === SQLITE_IOERR) {
    return new StoreUnavailable(
      `The disk refused to write (SQLite says: ${(error as Error).message}). Nothing was stored; check the disk with "heddle doctor".`,
    );
  }
  return error;
}
