import pg from 'pg';
import { BrokenLink, NoSpace, StoreUnavailable } from '../event-log.ts';
import { tablesReplacedError } from './table-identity.ts';

/** SQLSTATE codes for failures where a later retry may work, and for those that somebody has to fix. */
const UNAVAILABLE = /^(08...|57P0.|57014|53300|25006|55P03)$/;
const ACCESS_DENIED = /^(28...|3D000|3F000|42501)$/;
/** Tables or functions that existed when the log was opened are gone. */
const MISSING_TABLE = /^(42P01|42883)$/;
const SHUTDOWN = /^57P0/;
const DISK_FULL = '53100';
/** Our own code, raised in migrations/postgres-order.ts. */
const BROKEN_LINK = 'HD001';
const ROLLED_BACK = new Set(['40P01', '40001']);
/** Messages of `pg`, without a code, for a connection that ends during a query or cannot be opened. */
const CONNECTION_LOST = /terminated|timeout|not queryable|pool after calling end|was closed/i;

/** Turns an error thrown by `pg` into one of our messages; a mistake in our own SQL is passed through unchanged. */
export function explainError(error: unknown, location: string): unknown {
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  if (!(cause instanceof Error)) return error;
  const { code = '', detail } = cause as { code?: string; detail?: string };
  if (code === BROKEN_LINK) return new BrokenLink({ thread: cause.message, seq: Number(detail) });
  const message = cause.message.replace(/\.$/, '');
  if (code === DISK_FULL) {
    return new NoSpace(
      'The disk of the PostgreSQL server is full: nothing was stored. Free some space there and send it again; reading still works.',
    );
  }
  if (MISSING_TABLE.test(code)) return tablesReplacedError(location);
  if (ACCESS_DENIED.test(code)) {
    return new StoreUnavailable(
      `PostgreSQL at ${location} refused: ${message}. Check user, password, database and permissions in the database URL.`,
    );
  }
  const isNetwork = 'syscall' in cause;
  if (UNAVAILABLE.test(code) || isNetwork || (code === '' && CONNECTION_LOST.test(message))) {
    return new StoreUnavailable(
      `PostgreSQL at ${location} cannot be used now: ${message}. Check that it is running and can be reached; Heddle reconnects automatically.`,
    );
  }
  return error;
}

/**
 * If a connection ends during an append, the commit may or may not have happened. Sending it again with the same
 * command ids is safe: stored entries come back as `repeated` (L7). Look up an append without a command before
 * sending it again.
 */
export function explainAppendError(error: unknown, location: string): unknown {
  if (error instanceof StoreUnavailable) return error;
  const explanation = explainError(error, location);
  const isServerReply = error instanceof pg.DatabaseError && !SHUTDOWN.test(error.code ?? '');
  if (isServerReply || !(explanation instanceof StoreUnavailable)) return explanation;
  return new StoreUnavailable(
    `The connection to PostgreSQL at ${location} was lost during a commit, so Heddle cannot tell whether it was stored. Send it again with the same command ID: if it was stored, you get the first answer.`,
  );
}

/** Whether the server reports that it rolled back the whole transaction, so that a retry is safe. */
export function isRolledBack(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ROLLED_BACK.has(error.code ?? '');
}
