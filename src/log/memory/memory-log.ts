import { createContinuity } from '../continuity.ts';
import type {
  AppendEntry,
  AppendOutcome,
  AppliedCommand,
  EventLog,
  Fork,
  Lease,
  LinkedEvent,
  LogListener,
  OrderMark,
  RecordWrite,
  Snapshot,
  StoredBlob,
  StoredEvent,
} from '../event-log.ts';
import { nextLease } from '../lease.ts';
import { segmentsOf } from '../lineage.ts';
import { GENESIS, orderHash } from '../seal.ts';
import { createMemorySearch } from '../search/memory-search.ts';

/** A log in the memory of one process, for tests and throw-away workspaces. */
export function openMemoryLog(now: () => number = Date.now): EventLog {
  const events: StoredEvent[] = [];
  const marks: OrderMark[] = [];
  const threads = new Map<string, StoredEvent[]>();
  const ids = new Map<string, StoredEvent>();
  const forks = new Map<string, Fork>();
  const commands = new Map<string, AppliedCommand>();
  const records = new Map<string, Map<string, string>>();
  const snapshots = new Map<string, Snapshot>();
  const leases = new Map<string, Lease & { expires: number }>();
  const blobs = new Map<string, StoredBlob>();
  const listeners = new Set<LogListener>();
  const counts = { commits: 0, events: 0, syncs: 0 };

  /** Checks the whole batch before anything is stored, so that a bad row leaves no trace. */
  function checkBatch(batch: readonly AppendEntry[]): AppendOutcome[] {
    const continuity = createContinuity(continuesStored);
    const newKeys = new Set<string>();
    const newCommands = new Map<string, AppliedCommand>();
    const headOf = (thread: string) => (continuity.heads.get(thread) ?? threads.get(thread)?.at(-1))?.seq ?? 0;
    let nextPosition = events.length + 1;

    function checkEntry(entry: AppendEntry): AppendOutcome {
      const key = entry.command && keyOfCommand(entry.command);
      const applied = key && (commands.get(key) ?? newCommands.get(key));
      if (applied) return { status: 'repeated', earlier: applied };
      if (entry.lease && !isLeaseCurrent(entry.lease)) return { status: 'fenced' };
      for (const { thread, seq } of entry.expected) {
        if (headOf(thread) !== seq) return { status: 'conflict', thread };
      }
      const lostThread = continuity.lostParent(entry);
      if (lostThread !== undefined) return { status: 'conflict', thread: lostThread };
      continuity.follow(entry);
      for (const { id, body } of entry.events) {
        if (ids.has(id) || newKeys.has(id)) throw new Error(`The event ${id} is already in the log.`);
        if (typeof body !== 'string') throw new TypeError(`The event ${id} has no text.`);
        newKeys.add(id);
      }
      for (const { thread } of entry.forks ?? []) {
        if (forks.has(thread) || newKeys.has(`fork ${thread}`))
          throw new Error(`The thread ${thread} is a fork already.`);
        newKeys.add(`fork ${thread}`);
      }
      const position = nextPosition;
      nextPosition += entry.events.length;
      if (key && entry.command)
        newCommands.set(key, { digest: entry.command.digest, position, count: entry.events.length });
      return { status: 'committed', position };
    }

    return batch.map((entry) => {
      const outcome = checkEntry(entry);
      if (outcome.status !== 'committed') continuity.markLost(entry);
      return outcome;
    });
  }

  function store(entry: AppendEntry, position: number) {
    for (const { previous: _, ...sealed } of entry.events) {
      const storedEvent = { ...sealed, position: events.length + 1 };
      events.push(storedEvent);
      ids.set(storedEvent.id, storedEvent);
      const ownEvents = threads.get(storedEvent.thread);
      if (ownEvents) ownEvents.push(storedEvent);
      else threads.set(storedEvent.thread, [storedEvent]);
    }
    for (const fork of entry.forks ?? []) forks.set(fork.thread, fork);
    if (entry.command) {
      const { digest } = entry.command;
      commands.set(keyOfCommand(entry.command), { digest, position, count: entry.events.length });
    }
    writeRecords(entry.records ?? []);
    counts.events += entry.events.length;
  }

  function continuesStored({ thread, seq, previous }: LinkedEvent, newFork: Fork | undefined): boolean {
    const head = newFork ? undefined : threads.get(thread)?.at(-1);
    if (head) return seq === head.seq + 1 && previous === head.hash;
    const fork = newFork ?? forks.get(thread);
    if (!fork) return seq === 1 && previous === GENESIS;
    const parentEvent = newestOf(fork.parent, fork.seq);
    return seq === fork.seq + 1 && parentEvent?.seq === fork.seq && previous === parentEvent.hash;
  }

  function newestOf(thread: string, seq: number): StoredEvent | undefined {
    for (const segment of segmentsOf(thread, (id) => forks.get(id)).toReversed()) {
      const ownEvents = threads.get(segment.thread) ?? [];
      const firstSeq = ownEvents[0]?.seq ?? 1;
      const upTo = Math.min(segment.upTo, seq, ownEvents.at(-1)?.seq ?? 0);
      if (upTo >= firstSeq) return ownEvents[upTo - firstSeq];
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

  function isLeaseCurrent({ name, fence }: Pick<Lease, 'name' | 'fence'>): boolean {
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
      const outcomes = checkBatch(batch);
      for (const [i, outcome] of outcomes.entries()) {
        if (outcome.status === 'committed') store(batch[i] as AppendEntry, outcome.position);
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
      const page: StoredEvent[] = [];
      for (const segment of segmentsOf(thread, (id) => forks.get(id))) {
        const ownEvents = threads.get(segment.thread) ?? [];
        const firstSeq = ownEvents[0]?.seq ?? 1;
        for (let i = Math.max(0, after + 1 - firstSeq); i < ownEvents.length && page.length < limit; i++) {
          const storedEvent = ownEvents[i] as StoredEvent;
          if (storedEvent.seq > segment.upTo) break;
          page.push(storedEvent);
        }
      }
      return page;
    },
    async lastOf(thread, seq = Number.MAX_SAFE_INTEGER) {
      return newestOf(thread, seq);
    },
    async byId(event) {
      return ids.get(event);
    },
    async readAt(positions) {
      const sortedPositions = [...new Set(positions)].sort((a, b) => a - b);
      return sortedPositions.flatMap((position) => events[position - 1] ?? []);
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
    async appliedCommands(keys) {
      return keys.map((key) => commands.get(keyOfCommand(key)));
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
    async putBlobs(newBlobs) {
      for (const blob of newBlobs) if (!blobs.has(blob.hash)) blobs.set(blob.hash, blob);
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

function keyOfCommand({ participant, id }: { participant: string; id: string }): string {
  return `${participant} ${id}`;
}
