import { setTimeout as sleep } from 'node:timers/promises';
import { type Continuity, createContinuity, type ThreadHead } from '../continuity.ts';
import type {
  AppendEntry,
  AppendOutcome,
  AppliedCommand,
  EventLog,
  Fork,
  Lease,
  LinkedEvent,
  OrderMark,
  RecordWrite,
  Snapshot,
  StoredBlob,
  StoredEvent,
} from '../event-log.ts';
import { type LeaseRow, nextLease } from '../lease.ts';
import { segmentsOf } from '../lineage.ts';
import { GENESIS, orderHash } from '../seal.ts';
import { createSqliteSearch } from '../search/sqlite-search.ts';
import { createWorkerSearch } from '../search/worker-client.ts';
import { errorCodeOf, explainFailure, SQLITE_BUSY } from './errors.ts';
import { guardFiles, withFileGuard } from './file-guard.ts';
import { expireLeases, openDatabase, type SqliteOptions } from './open-database.ts';
import { createStatements } from './statements.ts';

/*
 * Invariants:
 * - A batch is one BEGIN IMMEDIATE … COMMIT, so its checks see the state that its writes will meet.
 * - An entry is checked completely before its first row is written: no savepoints are needed.
 * - Positions and seqs are gapless; both are chosen under the write lock.
 * - With WAL and synchronous=FULL, COMMIT returns after the log is on the disk. Then the file guard (file-guard.ts)
 *   checks that the file still exists: a write into a deleted file is not acknowledged.
 */

const NO_HEAD: ThreadHead = { seq: 0, hash: GENESIS };
const BUSY_MS = 5_000;
const RETRY_MS = 5;

export function openSqliteLog(path: string, options: SqliteOptions = {}): EventLog {
  const db = openDatabase(path, options);
  if (!options.readOnly) db.exec('PRAGMA busy_timeout = 0');
  if (options.isOwner) expireLeases(db);
  const fileGuard = options.readOnly ? undefined : guardFiles(db, path);
  const forks = new Map<string, Fork | undefined>();
  const counts = { commits: 0, events: 0, syncs: 0 };
  const searchPath = `${path.replace(/\.db$/, '')}.search.db`;
  const search = options.isOwner ? createWorkerSearch(searchPath) : createSqliteSearch(searchPath);
  const { sql, transaction } = createStatements(db);
  const hasOrder = sql("SELECT 1 FROM sqlite_schema WHERE name = 'order_marks'").get() !== undefined;

  /**
   * Runs a write transaction; its writes are on the disk when this resolves. While another process writes, it retries
   * soon: SQLite's own waiting would block this process and too often come too late.
   */
  async function write<T>(work: () => T): Promise<T> {
    const deadline = performance.now() + BUSY_MS;
    for (;;) {
      try {
        const result = transaction(work);
        fileGuard?.check();
        return result;
      } catch (error) {
        if (errorCodeOf(error) !== SQLITE_BUSY || performance.now() > deadline) throw explainFailure(error);
      }
      await sleep(Math.random() * RETRY_MS);
    }
  }

  function appendEntry(entry: AppendEntry, continuity: Continuity): AppendOutcome {
    if (entry.lease && !isLeaseCurrent(entry.lease)) return repeatedOr(entry, { status: 'fenced' });
    for (const { thread, seq } of entry.expected) {
      if ((continuity.heads.get(thread) ?? headOf(thread)).seq !== seq)
        return repeatedOr(entry, { status: 'conflict', thread });
    }
    const lostThread = entry.forks && continuity.lostParent(entry);
    if (lostThread !== undefined) return repeatedOr(entry, { status: 'conflict', thread: lostThread });
    const command = entry.command;
    if (command && !recordCommand(command, entry.events.length)) {
      return { status: 'repeated', earlier: findAppliedCommand(command.participant, command.id) as AppliedCommand };
    }
    continuity.follow(entry);
    let position = 0;
    for (const { id, thread, seq, hash, body } of entry.events) {
      // SQLite assigns the next position itself: one more than the highest.
      const { lastInsertRowid } = sql('INSERT INTO events VALUES (NULL, ?, ?, ?, ?, ?)').run(
        id,
        thread,
        seq,
        hash,
        body,
      );
      position ||= Number(lastInsertRowid);
    }
    for (const { thread, parent, seq } of entry.forks ?? []) {
      sql('INSERT INTO forks VALUES (?, ?, ?)').run(thread, parent, seq);
      forks.delete(thread);
    }
    writeRecords(entry.records ?? []);
    return { status: 'committed', position: position || headPosition() + 1 };
  }

  /** False if the command was recorded before. */
  function recordCommand({ participant, id, digest }: NonNullable<AppendEntry['command']>, count: number): boolean {
    const { changes } = sql(
      'INSERT OR IGNORE INTO commands VALUES (?, ?, ?, (SELECT ifnull(max(position), 0) + 1 FROM events), ?)',
    ).run(participant, id, digest, count);
    return changes === 1;
  }

  function repeatedOr({ command }: AppendEntry, fallback: AppendOutcome): AppendOutcome {
    const applied = command && findAppliedCommand(command.participant, command.id);
    return applied ? { status: 'repeated', earlier: applied } : fallback;
  }

  function findAppliedCommand(participant: string, id: string): AppliedCommand | undefined {
    return sql('SELECT digest, position, count FROM commands WHERE participant = ? AND id = ?').get(participant, id) as
      | AppliedCommand
      | undefined;
  }

  function headOf(thread: string): ThreadHead {
    const row = sql('SELECT seq, hash FROM events WHERE thread = ? ORDER BY seq DESC LIMIT 1').get(thread);
    return row ? (row as never as ThreadHead) : NO_HEAD;
  }

  function continuesStored({ thread, seq, previous }: LinkedEvent, newFork: Fork | undefined): boolean {
    const head = newFork ? NO_HEAD : headOf(thread);
    if (head.seq > 0) return seq === head.seq + 1 && previous === head.hash;
    const fork = newFork ?? forkOf(thread);
    if (!fork) return seq === 1 && previous === GENESIS;
    const parentEvent = findLast(fork.parent, fork.seq);
    return seq === fork.seq + 1 && parentEvent?.seq === fork.seq && previous === parentEvent.hash;
  }

  function findLast(thread: string, seq: number): StoredEvent | undefined {
    for (const segment of segmentsOf(thread, forkOf).toReversed()) {
      const row = sql('SELECT * FROM events WHERE thread = ? AND seq <= ? ORDER BY seq DESC LIMIT 1').get(
        segment.thread,
        Math.min(segment.upTo, seq),
      );
      if (row) return row as never as StoredEvent;
    }
    return undefined;
  }

  /** Extends the chain over the workspace with the events this transaction stored (L24). */
  function markOrder(batch: readonly AppendEntry[], outcomes: readonly AppendOutcome[]) {
    const lastMark = sql('SELECT position, hash FROM order_marks ORDER BY position DESC LIMIT 1').get() as
      | OrderMark
      | undefined;
    let { position, hash } = lastMark ?? { position: 0, hash: GENESIS };
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.status !== 'committed') continue;
      position = outcome.position - 1;
      for (const event of batch[i]?.events ?? []) hash = orderHash(hash, { ...event, position: ++position });
    }
    if (position > (lastMark?.position ?? 0)) sql('INSERT INTO order_marks VALUES (?, ?)').run(position, hash);
  }

  function isLeaseCurrent({ name, fence }: Pick<Lease, 'name' | 'fence'>): boolean {
    const row = sql('SELECT fence, expires FROM leases WHERE name = ?').get(name);
    return row !== undefined && row.fence === fence && (row.expires as number) > Date.now();
  }

  function writeRecords(rows: readonly RecordWrite[]) {
    for (const { kind, key, value } of rows) {
      if (value === null) sql('DELETE FROM records WHERE kind = ? AND key = ?').run(kind, key);
      else sql('INSERT OR REPLACE INTO records VALUES (?, ?, ?)').run(kind, key, value);
    }
  }

  function forkOf(thread: string): Fork | undefined {
    if (forks.has(thread)) return forks.get(thread);
    const fork = sql('SELECT thread, parent, seq FROM forks WHERE thread = ?').get(thread) as Fork | undefined;
    // A thread that does not exist yet may still become a fork.
    if (fork || headOf(thread) !== NO_HEAD) forks.set(thread, fork);
    return fork;
  }

  function headPosition(): number {
    return (sql('SELECT max(position) AS position FROM events').get()?.position as number | null) ?? 0;
  }

  const log: EventLog = {
    counts,
    search,
    mustStand: () => fileGuard?.mustStand(),
    async append(batch) {
      const outcomes = await write(() => {
        const continuity = createContinuity(continuesStored);
        const outcomes = batch.map((entry) => {
          const outcome = appendEntry(entry, continuity);
          if (outcome.status !== 'committed') continuity.markLost(entry);
          return outcome;
        });
        markOrder(batch, outcomes);
        return outcomes;
      });
      const committed = batch.filter((_, i) => outcomes[i]?.status === 'committed');
      counts.commits++;
      if (committed.length > 0) counts.syncs++;
      for (const entry of committed) counts.events += entry.events.length;
      return outcomes;
    },
    async readAll(after, limit) {
      return sql('SELECT * FROM events WHERE position > ? ORDER BY position LIMIT ?').all(
        after,
        limit,
      ) as never as StoredEvent[];
    },
    async readThread(thread, after, limit) {
      const page: StoredEvent[] = [];
      for (const segment of segmentsOf(thread, forkOf)) {
        if (segment.upTo <= after) continue;
        if (page.length === limit) break;
        const rows = sql('SELECT * FROM events WHERE thread = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?').all(
          segment.thread,
          after,
          segment.upTo,
          limit - page.length,
        ) as never as StoredEvent[];
        for (const row of rows) page.push(row);
      }
      return page;
    },
    async lastOf(thread, seq = Number.MAX_SAFE_INTEGER) {
      return findLast(thread, seq);
    },
    async byId(event) {
      return sql('SELECT * FROM events WHERE id = ?').get(event) as never as StoredEvent | undefined;
    },
    async readAt(positions) {
      const sortedPositions = [...new Set(positions)].sort((a, b) => a - b);
      return sortedPositions.flatMap(
        (position) => (sql('SELECT * FROM events WHERE position = ?').get(position) as never as StoredEvent) ?? [],
      );
    },
    async head() {
      return headPosition();
    },
    async orderMarks(after, limit) {
      if (!hasOrder) return undefined;
      return sql('SELECT position, hash FROM order_marks WHERE position > ? ORDER BY position LIMIT ?').all(
        after,
        limit,
      ) as never as OrderMark[];
    },
    async forks() {
      return sql('SELECT thread, parent, seq FROM forks ORDER BY thread').all() as never as Fork[];
    },
    async appliedCommands(keys) {
      return keys.map(({ participant, id }) => findAppliedCommand(participant, id));
    },
    async records(kind) {
      return sql('SELECT key, value FROM records WHERE kind = ? ORDER BY key').all(kind) as never;
    },
    async record(kind, key) {
      return sql('SELECT value FROM records WHERE kind = ? AND key = ?').get(kind, key)?.value as string | undefined;
    },
    async putRecords(rows) {
      await write(() => writeRecords(rows));
    },
    async replaceRecords(kind, rows) {
      await write(() => {
        sql('DELETE FROM records WHERE kind = ?').run(kind);
        writeRecords(rows.map((row) => ({ kind, ...row })));
      });
    },
    async snapshot(thread) {
      return sql('SELECT * FROM snapshots WHERE thread = ?').get(thread) as never as Snapshot | undefined;
    },
    async saveSnapshot({ thread, seq, version, body }) {
      await write(() => sql('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)').run(thread, seq, version, body));
    },
    async dropSnapshots() {
      await write(() => sql('DELETE FROM snapshots').run());
    },
    async lease(name, holder, ttlMs) {
      return write(() => {
        const now = Date.now();
        const current = sql('SELECT holder, fence, expires FROM leases WHERE name = ?').get(name);
        const lease = nextLease(current as never as LeaseRow | undefined, { name, holder }, now, ttlMs);
        if (lease) sql('INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?)').run(name, holder, lease.fence, now + ttlMs);
        return lease;
      });
    },
    async release({ name, fence }) {
      await write(() => sql('UPDATE leases SET expires = 0 WHERE name = ? AND fence = ?').run(name, fence));
    },
    async putBlobs(blobs) {
      const insert = sql('INSERT OR IGNORE INTO blobs VALUES (?, ?, ?)');
      await write(() => {
        for (const { hash, size, body } of blobs) insert.run(hash, size, body);
      });
    },
    async blob(hash) {
      return sql('SELECT * FROM blobs WHERE hash = ?').get(hash) as never as StoredBlob | undefined;
    },
    async announce() {
      // One server owns the file, so no other process is listening (L9).
    },
    listen() {
      return () => {};
    },
    async close() {
      await search.close();
      fileGuard?.close();
      db.close();
    },
  };
  return withFileGuard(log);
}
