import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Append, EventLog, Fork, OrderMark, Outcome, Snapshot, Stored, StoredBlob } from '../event-log.ts';
import { createPostgresSearch } from '../search/postgres-search.ts';
import { allCommitted, columnsOf, recordColumns } from './append-columns.ts';
import { migrate, prepareSession, targetOf } from './connection.ts';
import { explain, explainAppend, wasUndone } from './errors.ts';
import { announcement, channelOf, openWakes } from './notifications.ts';
import {
  appendColumnsSql,
  lastOfSql,
  readThreadSql,
  rememberedSql,
  replaceRecordsSql,
  takeLeaseSql,
} from './queries.ts';
import { groundOf, movedGround, onGround } from './table-identity.ts';

/*
 * Invariants:
 * - A batch is one call of `append_batch`, which is one transaction under the
 *   workspace's lock (migrations/postgres-append.ts): position order is commit order.
 * - Bodies are text and come back as they were given.
 * - Leases run by the database's clock, the only one all servers share.
 * - A lost connection is `StoreUnavailable`; the next call connects again.
 */

const READERS = 4;

export async function openPostgresLog(url: string): Promise<EventLog> {
  const target = targetOf(url);
  const ground = await migrate(target);
  const origin = randomBytes(6).toString('base64url');
  const channel = channelOf(target.schema);
  const appendColumns = onGround(appendColumnsSql, ground);
  const appendBatch = onGround('SELECT append_batch($1, $2, $3) AS result', ground);
  const putRecords = onGround('SELECT put_records($1, $2, $3)', ground);
  const wakes = await openWakes(target, origin);
  // Appends have a connection of their own, so that no read can hold them up.
  const writer = openPool(1);
  const others = openPool(READERS);
  const counts = { commits: 0, events: 0, syncs: 0 };

  function openPool(max: number): pg.Pool {
    const pool = new pg.Pool({
      ...target.config,
      max,
      idleTimeoutMillis: 0,
      onConnect: async (client) => {
        await prepareSession(client, target.schema);
        if ((await groundOf(client)).since !== ground.since) throw movedGround(target.place);
      },
    });
    // A connection that ends is replaced when it is needed; a query on it fails by itself.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  }

  async function query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      return (await undoneAgain(() => others.query({ name: nameOf(text), text, values: [...values] }))).rows;
    } catch (error) {
      throw explain(error, target.place);
    }
  }

  async function first<Row extends object>(text: string, values: readonly unknown[]): Promise<Row | undefined> {
    return (await query<Row>(text, values))[0];
  }

  async function call<T>(client: pg.PoolClient, text: string, values: unknown[]): Promise<T> {
    const { rows } = await undoneAgain(() => client.query({ name: nameOf(text), text, values }));
    if (rows.length === 0) throw movedGround(target.place);
    return rows[0].result;
  }

  async function appendAtOnce(client: pg.PoolClient, batch: readonly Append[]): Promise<Outcome[] | undefined> {
    const columns = columnsOf(batch);
    if (!columns) return undefined;
    const position = await call<number | null>(client, appendColumns, [channel, origin, ...columns]);
    return position === null ? undefined : allCommitted(batch, position);
  }

  function appendOneByOne(client: pg.PoolClient, batch: readonly Append[]): Promise<Outcome[]> {
    return call(client, appendBatch, [channel, origin, JSON.stringify(batch)]);
  }

  return {
    counts,
    search: createPostgresSearch(query),
    async append(batch) {
      const client = await writer.connect().catch((error) => {
        throw explain(error, target.place);
      });
      let failure: unknown;
      try {
        const outcomes = (await appendAtOnce(client, batch)) ?? (await appendOneByOne(client, batch));
        const stored = batch.filter((_, i) => outcomes[i]?.status === 'committed');
        counts.commits++;
        if (stored.length > 0) counts.syncs++;
        for (const { events } of stored) counts.events += events.length;
        return outcomes;
      } catch (error) {
        failure = error;
        throw explainAppend(error, target.place);
      } finally {
        client.release(failure instanceof Error ? failure : undefined);
      }
    },
    readAll(after, limit) {
      return query<Stored>('SELECT * FROM events WHERE position > $1 ORDER BY position LIMIT $2', [after, limit]);
    },
    readThread(thread, after, limit) {
      return query<Stored>(readThreadSql, [thread, after, limit]);
    },
    lastOf(thread, seq = Number.MAX_SAFE_INTEGER) {
      return first<Stored>(lastOfSql, [thread, seq]);
    },
    byId(event) {
      return first<Stored>('SELECT * FROM events WHERE id = $1', [event]);
    },
    readAt(positions) {
      return query<Stored>('SELECT * FROM events WHERE position = ANY ($1::bigint[]) ORDER BY position', [positions]);
    },
    async head() {
      const row = await first<{ head: number }>('SELECT coalesce(max(position), 0) AS head FROM events', []);
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
    async remembered(keys) {
      const rows = await query<{ digest: string | null; position: number; count: number }>(rememberedSql, [
        keys.map((key) => key.participant),
        keys.map((key) => key.id),
      ]);
      return rows.map(({ digest, position, count }) => (digest === null ? undefined : { digest, position, count }));
    },
    records(kind) {
      return query('SELECT key, value FROM records WHERE kind = $1 ORDER BY key', [kind]);
    },
    async record(kind, key) {
      const row = await first<{ value: string }>('SELECT value FROM records WHERE kind = $1 AND key = $2', [kind, key]);
      return row?.value;
    },
    async putRecords(rows) {
      if ((await query(putRecords, recordColumns(rows))).length === 0) throw movedGround(target.place);
    },
    async replaceRecords(kind, rows) {
      await query(replaceRecordsSql, [kind, rows.map((row) => row.key), rows.map((row) => row.value)]);
    },
    snapshot(thread) {
      return first<Snapshot>('SELECT * FROM snapshots WHERE thread = $1', [thread]);
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
      const row = await first<{ fence: number }>(takeLeaseSql, [name, holder, ttlMs]);
      return row && { name, holder, fence: row.fence };
    },
    async release({ name, fence }) {
      // The row stays, so that fences never start again.
      await query(`UPDATE leases SET expires = '-infinity' WHERE name = $1 AND fence = $2`, [name, fence]);
    },
    async putBlobs(blobs) {
      await query(
        `INSERT INTO blobs SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[]) ON CONFLICT (hash) DO NOTHING`,
        [blobs.map(({ hash }) => hash), blobs.map(({ size }) => size), blobs.map(({ body }) => Buffer.from(body))],
      );
    },
    blob(hash) {
      return first<StoredBlob>('SELECT * FROM blobs WHERE hash = $1', [hash]);
    },
    async announce(text) {
      await query('SELECT pg_notify($1, $2)', [channel, announcement(origin, text)]);
    },
    listen: wakes.listen,
    mustStand() {},
    async close() {
      await Promise.all([writer.end(), others.end(), wakes.close()]);
    },
  };
}

const names = new Map<string, string>();

/** Queries with a name are planned once per connection. */
function nameOf(text: string): string {
  const name = names.get(text) ?? `heddle_${names.size}`;
  names.set(text, name);
  return name;
}

/** Does again what the server undid because it would have blocked another transaction for ever. */
async function undoneAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 5; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !wasUndone(error)) throw error;
    }
  }
}
