import type pg from 'pg';
import { StoreUnavailable } from '../event-log.ts';

/** Which tables a log was opened on: others of the same name are not the same log (L26). */
export interface TableIdentity {
  readonly events: number;
  /** When they were made, which tells them apart from those of another server that has taken this one's address. */
  readonly since: string;
}

export async function readTableIdentity(client: pg.ClientBase): Promise<TableIdentity> {
  const { rows } = await client.query(
    `SELECT to_regclass('events')::oid AS events, extract(epoch FROM at)::text AS since
     FROM heddle_migrations WHERE version = 1`,
  );
  return rows[0];
}

/** The same call, that does nothing and gives no row unless the tables are still these. */
export function guardedBy(statement: string, { events }: TableIdentity): string {
  return `${statement} WHERE to_regclass('events')::oid = ${events}`;
}

export function tablesReplacedError(location: string): StoreUnavailable {
  return new StoreUnavailable(
    `The tables at ${location} were removed or replaced while Heddle was using them. Nothing was saved. Bring the same ones back, or restart Heddle to work with those that are there. Then send this again.`,
  );
}
