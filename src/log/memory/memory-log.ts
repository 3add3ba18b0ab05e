import { createContinuity } from '../continuity.ts';
import type {
  Append,
  EventLog,
  Fork,
  Lease,
  Linked,
  Listener,
  OrderMark,
  Outcome,
  RecordWrite,
  Remembered,
  Snapshot,
  Stored,
  StoredBlob,
} from '../event-log.ts';
import { nextLease } from '../lease.ts';
import { segmentsOf } from '../lineage.ts';
import { GENESIS, orderHash } from '../seal.ts';
import { createMemorySearch } from '../search/memory-search.ts';

/** The log in a process's memory: for tests and throw-away workspaces. */
export function openMemoryLog(now: () => number = Date.now): EventLog {
  const events: Stored[] = [];
  const marks: OrderMark[] = [];
  const threads = new Map<string, Stored[]>();
  const ids = new Map<string, Stored>();
  const forks = new Map<string, Fork>();
  const commands = new Map<string, Remembered>();
  const records = new Map<string, Map<string, string>>();
  const snapshots = new Map<string, Snapshot>();
  const leases = new Map<string, Lease & { expires: number }>();
  const blobs = new Map<string, StoredBlob>();
  const listeners = new Set<Listener>();
  const counts = { commits: 0, events: 0, syncs: 0 };

  /** Decides on the whole batch before anything is stored, so that a bad row leaves no trace. */
  function judge(batch: readonly Append[]): Outcome[] {
    const continuity = createContinuity(continuesStored);
    const fresh = new Set<string>();
    const known = new Map<string, Remembered>();
    const headOf = (thread: string) => (continuity.heads.get(thread) ?? threads.get(thread)?.at(-1))?.seq ?? 0;
    let next = events.length + 1;

    function judgeOne(entry: Append): Outcome {
      const key = entry.command && commandKey(entry.command);
      const earlier = key && (commands.get(key) ?? known.get(key));
      if (earlier) return { status: 'repeated', earlier };
      if (entry.lease && !leaseHolds(entry.lease)) return { status: 'fenced' };
      for (const { thread, seq } of entry.expected) {
        if (headOf(thread) !== seq) return { status: 'conflict', thread };
      }
      const lost = continuity.lostParent(entry);
      if (lost !== undefined) return { status: 'conflict', thread: lost };
      continuity.follow(entry);
      for (const { id, body } of entry.events) {
        if (ids.has(id) || fresh.has(id)) throw new Error(`The event ${id} is already in the log.`);
        if (typeof body !== 'string') throw new TypeError(`The event ${id} has no text.`);
        fresh.add(id);
      }
      for (const { thread } of entry.forks ?? []) {
        if (forks.has(thread) || fresh.has(`fork ${thread}`))
          throw new Error(`The thread ${thread} is a fork already.`);
        fresh.add(`fork ${thread}`);
      }
      const position = next;
      next += entry.events.length;
      if (key && entry.command) known.set(key, { digest: entry.command.digest, position, count: entry.events.length });
      return { status: 'committed', position };
    }

    return batch.map((entry) => {
      const outcome = judgeOne(entry);
      if (outcome.status !== 'committed') continuity.lose(entry);
      return outcome;
    });
  }

  function store(entry: Append, position: number) {
    for (const { previous: _, ...sealed } of entry.events) {
      const stored = { ...sealed, position: events.length + 1 };
      events.push(stored);
      ids.set(stored.id, stored);
      const own = threads.get(stored.thread);
      if (own) own.push(stored);
      else threads.set(stored.thread, [stored]);
    }
    for (const fork of entry.forks ?? []) forks.set(fork.thread, fork);
    if (entry.command) {
      const { digest } = entry.command;
      commands.set(commandKey(entry.command), { digest, position, count: entry.events.length });
    }
    writeRecords(entry.records ?? []);
    counts.events += entry.events.length;
  }

  function continuesStored({ thread, seq, previous }: Linked, begun: Fork | undefined): boolean {
    const head = begun ? undefined : threads.get(thread)?.at(-1);
    if (head) return seq === head.seq + 1 && previous === head.hash;
    const fork = begun ?? forks.get(thread);
    if (!fork) return seq === 1 && previous === GENESIS;
    const before = newestOf(fork.parent, fork.seq);
    return seq === fork.seq + 1 && before?.seq === fork.seq && previous === before.hash;
  }

  function newestOf(thread: string, seq: number): Stored | undefined {
    for (const segment of segmentsOf(thread, (id) => forks.get(id)).toReversed()) {
      const own = threads.get(segment.thread) ?? [];
      const first = own[0]?.seq ?? 1;
      const upTo = Math.min(segment.upTo, seq, own.at(-1)?.seq ?? 0);
      if (upTo >= first) return own[upTo - first];
    }
    return undefined;
  }

  function markOrder() {
    let { position, hash } = marks.at(-1) ?? { position: 0, hash: GENESIS };
    if (events.length === position) return;
    for (const event of events.slice(position)) {
      hash = orderHash(hash, event);
      position = event.position;
    }
    marks.push({ position, hash });
  }

  function leaseHolds({ name, fence }: Pick<Lease, 'name' | 'fence'>): boolean {
    const lease = leases.get(name);
    return lease !== undefined && lease.fence === fence && lease.expires > now();
  }

  function writeRecords(rows: readonly RecordWrite[]) {
    for (const { kind, key, value } of rows) {
      const table = records.get(kind) ?? new Map<string, string>();
      records.set(kind, table);
      if (value === null) table.delete(key);
      else table.set(key, value);
    }
  }

  return {
    counts,
    search: createMemorySearch(),
    async append(batch) {
      const outcomes = judge(batch);
      for (const [i, outcome] of outcomes.entries()) {
        if (outcome.status === 'committed') store(batch[i] as Append, outcome.position);
      }
      markOrder();
      if (outcomes.some((outcome) => outcome.status === 'committed')) {
        counts.commits++;
        counts.syncs++;
      }
      return outcomes;
    },
    async readAll(after, limit) {
      return events.slice(after, after + limit);
    },
    async readThread(thread, after, limit) {
      const found: Stored[] = [];
      for (const segment of segmentsOf(thread, (id) => forks.get(id))) {
        const own = threads.get(segment.thread) ?? [];
        const first = own[0]?.seq ?? 1;
        for (let i = Math.max(0, after + 1 - first); i < own.length && found.length < limit; i++) {
          const stored = own[i] as Stored;
          if (stored.seq > segment.upTo) break;
          found.push(stored);
        }
      }
      return found;
    },
    async lastOf(thread, seq = Number.MAX_SAFE_INTEGER) {
      return newestOf(thread, seq);
    },
    async byId(event) {
      return ids.get(event);
    },
    async readAt(positions) {
      const wanted = [...new Set(positions)].sort((a, b) => a - b);
      return wanted.flatMap((position) => events[position - 1] ?? []);
    },
    async head() {
      return events.length;
    },
    async orderMarks(after, limit) {
      return marks.filter(({ position }) => position > after).slice(0, limit);
    },
    async forks() {
      return [...forks.values()].sort((a, b) => (a.thread < b.thread ? -1 : 1));
    },
    async remembered(keys) {
      return keys.map((key) => commands.get(commandKey(key)));
    },
    async records(kind) {
      return [...(records.get(kind) ?? [])]
        .map(([key, value]) => ({ key, value }))
        .sort((a, b) => (a.key < b.key ? -1 : 1));
    },
    async record(kind, key) {
      return records.get(kind)?.get(key);
    },
    async putRecords(rows) {
      writeRecords(rows);
    },
    async replaceRecords(kind, rows) {
      records.set(kind, new Map(rows.map((row) => [row.key, row.value])));
    },
    async snapshot(thread) {
      return snapshots.get(thread);
    },
    async saveSnapshot(snapshot) {
      snapshots.set(snapshot.thread, snapshot);
    },
    async dropSnapshots() {
      snapshots.clear();
    },
    async lease(name, holder, ttlMs) {
      const lease = nextLease(leases.get(name), { name, holder }, now(), ttlMs);
      if (lease) leases.set(name, { ...lease, expires: now() + ttlMs });
      return lease;
    },
    async release(lease) {
      const current = leases.get(lease.name);
      if (current?.fence === lease.fence) leases.set(lease.name, { ...current, expires: 0 });
    },
    async putBlobs(added) {
      for (const blob of added) if (!blobs.has(blob.hash)) blobs.set(blob.hash, blob);
    },
    async blob(hash) {
      return blobs.get(hash);
    },
    async announce() {},
    mustStand() {},
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {},
  };
}

function commandKey({ participant, id }: { participant: string; id: string }): string {
  return `${participant} ${id}`;
}
