import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type {
  AppendEntry,
  AppendOutcome,
  EventLog,
  Fork,
  OrderMark,
  Snapshot,
  StoredBlob,
  StoredEvent,
} from '../event-log.ts';
import { createPostgresSearch } from '../search/postgres-search.ts';
import { appendColumnsOf, committedOutcomes, recordColumnsOf } from './append-columns.ts';
import { migrate, parseTarget, prepareSession } from './connection.ts';
import { explainAppendError, explainError, isRolledBack } from './errors.ts';
import { announcementPayload, channelOf, openNotifications } from './notifications.ts';
import {
  appendColumnsSql,
  appliedCommandsSql,
  lastOfSql,
  readThreadSql,
  replaceRecordsSql,
  takeLeaseSql,
} from './queries.ts';
import { guardedBy, readTableIdentity, tablesReplacedError } from './table-identity.ts';

/*
 * Invariants:
 * - A batch is one call of `append_batch`, which is one transaction under the
 *   workspace's lock (migrations/postgres-append.ts): position order is commit order.
 * - Bodies are text and come back as they were given.
 * - Leases run by the database's clock, the only one all servers share.
 * - A lost connection is `StoreUnavailable`; the next call connects again.
 */

const READER_COUNT = 4;

export async function openPostgresLog(url: string): Promise<EventLog> {
  const target = parseTarget(url);
  const tables = await migrate(target);
  const origin = randomBytes(6).toString('base64url');
  const channel = channelOf(target.schema);
  const guardedAppendColumns = guardedBy(appendColumnsSql, tables);
  const guardedAppendBatch = guardedBy('SELECT append_batch($1, $2, $3) AS result', tables);
  const guardedPutRecords = guardedBy('SELECT put_records($1, $2, $3)', tables);
  const notifications = await openNotifications(target, origin);
  // Appends have their own connection, so that no read can delay them.
  const writer = openPool(1);
  const readers = openPool(READER_COUNT);
  const counts = { commits: 0, events: 0, syncs: 0 };

  function openPool(max: number): pg.Pool {
    const pool = new pg.Pool({
      ...target.config,
      max,
      idleTimeoutMillis: 0,
      onConnect: async (client) => {
        await prepareSession(client, target.schema);
        if ((await readTableIdentity(client)).since !== tables.since) throw tablesReplacedError(target.location);
      },
    });
    // A closed connection is replaced when needed; a query on it reports its own error.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  }

  async function query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      return (await retryRolledBack(() => readers.query({ name: statementName(text), text, values: [...values] })))
        .rows;
    } catch (error) {
      throw explainError(error, target.location);
    }
  }

  async function queryFirst<Row extends object>(text: string, values: readonly unknown[]): Promise<Row | undefined> {
    return (await query<Row>(text, values))[0];
  }

  async function callFunction<T>(client: pg.PoolClient, text: string, values: unknown[]): Promise<T> {
    const { rows } = await retryRolledBack(() => client.query({ name: statementName(text), text, values }));
    if (rows.length === 0) throw tablesReplacedError(target.location);
    return rows[0].result;
  }

  async function appendAsColumns(
    client: pg.PoolClient,
    batch: readonly AppendEntry[],
  ): Promise<AppendOutcome[] | undefined> {
    const columns = appendColumnsOf(batch);
    if (!columns) return undefined;
    const position = await callFunction<number | null>(client, guardedAppendColumns, [channel, origin, ...columns]);
    return position === null ? undefined : committedOutcomes(batch, position);
  }

  function appendOneByOne(client: pg.PoolClient, batch: readonly AppendEntry[]): Promise<AppendOutcome[]> {
    return callFunction(client, guardedAppendBatch, [channel, origin, JSON.stringify(batch)]);
  }

  return {
    counts,
    search: createPostgresSearch(query),
    async append(batch) {
      const client = await writer.connect().catch((error) => {
        throw explainError(error, target.location);
      });
      let failure: unknown;
      try {
        const outcomes = (await appendAsColumns(client, batch)) ?? (await appendOneByOne(client, batch));
        const committed = batch.filter((_, i) => outcomes[i]?.status === 'committed');
        counts.commits++;
        if (committed.length > 0) counts.syncs++;
        for (const { events } of committed) counts.events += events.length;
        return outcomes;
      } catch (error) {
        failure = error;
        throw explainAppendError(error, target.location);
      } finally {
        client.release(failure instanceof Error ? failure : undefined);
      }
    },
    readAll(after, limit) {
      return query<StoredEvent>('SELECT * FROM events WHERE position > $1 ORDER BY position LIMIT $2', [after, limit]);
    },
    readThread(thread, after, limit) {
      return query<StoredEvent>(readThreadSql, [thread, after, limit]);
    },
    lastOf(thread, seq = Number.MAX_SAFE_INTEGER) {
      return queryFirst<StoredEvent>(lastOfSql, [thread, seq]);
    },
    byId(event) {
      return queryFirst<StoredEvent>('SELECT * FROM events WHERE id = $1', [event]);
    },
    readAt(positions) {
      return query<StoredEvent>('SELECT * FROM events WHERE position = ANY ($1::bigint[]) ORDER BY position', [
        positions,
      ]);
    },
    async head() {
      const row = await queryFirst<{ head: number }>('SELECT coalesce(max(position), 0) AS head FROM events', []);
      return row?.head ?? 0;
    },
    orderMarks(after, limit) {
      return query<OrderMark>('SELECT position, hash FROM order_marks WHERE position > $1 ORDER BY position LIMIT $2', [
        after,
        limit,
      ]);
    },
    forks() {
      return query<Fork>('SELECT thread, parent, seq FROM forks ORDER BY thread', []);
    },
    async appliedCommands(keys) {
      const rows = await query<{ digest: string | null; position: number; count: number }>(appliedCommandsSql, [
        keys.map((key) => key.participant),
        keys.map((key) => key.id),
      ]);
      return rows.map(({ digest, position, count }) => (digest === null ? undefined : { digest, position, count }));
    },
    records(kind) {
      return query('SELECT key, value FROM records WHERE kind = $1 ORDER BY key', [kind]);
    },
    async record(kind, key) {
      const row = await queryFirst<{ value: string }>('SELECT value FROM records WHERE kind = $1 AND key = $2', [
        kind,
        key,
      ]);
      return row?.value;
    },
    async putRecords(rows) {
      if ((await query(guardedPutRecords, recordColumnsOf(rows))).length === 0)
        throw tablesReplacedError(target.location);
    },
    async replaceRecords(kind, rows) {
      await query(replaceRecordsSql, [kind, rows.map((row) => row.key), rows.map((row) => row.value)]);
    },
    snapshot(thread) {
      return queryFirst<Snapshot>('SELECT * FROM snapshots WHERE thread = $1', [thread]);
    },
    async saveSnapshot({ thread, seq, version, body }) {
      await query(
        `INSERT INTO snapshots VALUES ($1, $2, $3, $4)
         ON CONFLICT (thread) DO UPDATE SET seq = excluded.seq, version = excluded.version, body = excluded.body`,
        [thread, seq, version, body],
      );
    },
    async dropSnapshots() {
      await query('DELETE FROM snapshots');
    },
    async lease(name, holder, ttlMs) {
      const row = await queryFirst<{ fence: number }>(takeLeaseSql, [name, holder, ttlMs]);
      return row && { name, holder, fence: row.fence };
    },
    async release({ name, fence }) {
      // The row stays, so that fences never restart.
      await query(`UPDATE leases SET expires = '-infinity' WHERE name = $1 AND fence = $2`, [name, fence]);
    },
    async putBlobs(blobs) {
      await query(
        `INSERT INTO blobs SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[]) ON CONFLICT (hash) DO NOTHING`,
        [blobs.map(({ hash }) => hash), blobs.map(({ size }) => size), blobs.map(({ body }) => Buffer.from(body))],
      );
    },
    blob(hash) {
      return queryFirst<StoredBlob>('SELECT * FROM blobs WHERE hash = $1', [hash]);
    },
    async announce(text) {
      await query('SELECT pg_notify($1, $2)', [channel, announcementPayload(origin, text)]);
    },
    listen: notifications.listen,
    mustStand() {},
    async close() {
      await Promise.all([writer.end(), readers.end(), notifications.close()]);
    },
  };
}

const statementNames = new Map<string, string>();

/** Named queries are planned once per connection. */
function statementName(text: string): string {
  const name = statementNames.get(text) ?? `heddle_${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}

/** Retries a transaction that the server rolled back to break a deadlock. */
async function retryRolledBack<T>(work: () => Promise<T>): Promise<T> {
  for (let retries = 5; ; retries--) {
    try {
      return await work();
    } catch (error) {
      if (retries === 0 || !isRolledBack(error)) throw error;
    }
  }
}
