import type pg from 'pg';
import { StoreUnavailable } from '../event-log.ts';

/** Identifies the tables a log was opened on: other tables of the same name are not the same log (L26). */
export interface TableIdentity {
  readonly events: number;
  /** When the tables were created; distinguishes them from those of another server that took over this address. */
  readonly since: string;
}

export async function readTableIdentity(client: pg.ClientBase): Promise<TableIdentity> {
  const { rows } = await client.query(
    `SELECT to_regclass('events')::oid AS events, extract(epoch FROM at)::text AS since
     FROM heddle_migrations WHERE version = 1`,
  );
  return rows[0];
}

/** The same statement, guarded so that it does nothing and returns no row unless the tables are still the same. */
export function guardedBy(statement: string, { events }: TableIdentity): string {
  return `${statement} WHERE to_regclass('events')::oid = ${events}`;
}

export function tablesReplacedError(location: string): StoreUnavailable {
  return new StoreUnavailable(
    `The tables at ${location} were removed or replaced while Heddle was using them. Nothing was saved. Restore the same tables, or restart Heddle to use the ones that are there now. Then send this again.`,
  );
}
