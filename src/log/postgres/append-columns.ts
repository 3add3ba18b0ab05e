import { createContinuity } from '../continuity.ts';
import { type AppendEntry, type AppendOutcome, BrokenLink, type RecordWrite } from '../event-log.ts';

/**
 * Returns a batch as columns if its entries are independent of each other: the database then only checks it against
 * the stored events, all at once. Otherwise undefined, and the entries are appended one by one.
 */
export function appendColumnsOf(batch: readonly AppendEntry[]): readonly unknown[] | undefined {
  const commands = new Map<
    string,
    readonly [participant: string, id: string, digest: string, start: number, count: number]
  >();
  const leases = new Map<string, number>();
  /** The seqs that must be stored, and each thread's head after the entries so far. */
  const storedSeqs = new Map<string, number>();
  const headSeqs = new Map<string, number>();
  const events: AppendEntry['events'][number][] = [];
  const forks: NonNullable<AppendEntry['forks']>[number][] = [];

  for (const entry of batch) {
    if (entry.command) {
      const { participant, id, digest } = entry.command;
      const key = JSON.stringify([participant, id]);
      if (commands.has(key)) return undefined;
      commands.set(key, [participant, id, digest, events.length, entry.events.length]);
    }
    if (entry.lease) {
      const { name, fence } = entry.lease;
      if ((leases.get(name) ?? fence) !== fence) return undefined;
      leases.set(name, fence);
    }
    for (const { thread, seq } of entry.expected) {
      const headSeq = headSeqs.get(thread);
      if (headSeq !== undefined && headSeq !== seq) return undefined;
      if (headSeq === undefined) storedSeqs.set(thread, seq);
      headSeqs.set(thread, seq);
    }
    for (const event of entry.events) {
      events.push(event);
      headSeqs.set(event.thread, event.seq);
    }
    for (const fork of entry.forks ?? []) forks.push(fork);
  }

  const joints = jointsOf({ events, forks });
  if (!joints) return undefined;
  const commandRows = [...commands.values()];
  return [
    ...[0, 1, 2, 3, 4].map((column) => commandRows.map((command) => command[column])),
    [...leases.keys()],
    [...leases.values()],
    [...storedSeqs.keys()],
    [...storedSeqs.values()],
    ...([0, 1, 2] as const).map((column) => joints.map((joint) => joint[column])),
    ...(['id', 'thread', 'seq', 'hash', 'body'] as const).map((name) => events.map((event) => event[name])),
    ...(['thread', 'parent', 'seq'] as const).map((name) => forks.map((fork) => fork[name])),
    ...recordColumnsOf(batch.flatMap((entry) => entry.records ?? [])),
  ];
}

type Joint = readonly [thread: string, seq: number, hash: string];

/** The stored events that a batch continues; undefined if the batch is inconsistent in itself. */
function jointsOf(batch: Pick<AppendEntry, 'events' | 'forks'>): readonly Joint[] | undefined {
  const joints: Joint[] = [];
  const continuity = createContinuity(({ thread, seq, previous }, fork) => {
    joints.push(fork ? [fork.parent, fork.seq, previous] : [thread, seq - 1, previous]);
    return fork?.seq !== 0;
  });
  try {
    continuity.follow(batch);
    return joints;
  } catch (error) {
    if (error instanceof BrokenLink) return undefined;
    throw error;
  }
}

/** A statement may touch a row only once, so only the last write to a key is sent. */
export function recordColumnsOf(writes: readonly RecordWrite[]): readonly unknown[] {
  const lastWrites = [...new Map(writes.map((write) => [JSON.stringify([write.kind, write.key]), write])).values()];
  return (['kind', 'key', 'value'] as const).map((name) => lastWrites.map((write) => write[name]));
}

/** The outcomes of a batch that was stored whole from a position on. */
export function committedOutcomes(batch: readonly AppendEntry[], position: number): AppendOutcome[] {
  let nextPosition = position;
  return batch.map(({ events }) => {
    const outcome = { status: 'committed', position: nextPosition } as const;
    nextPosition += events.length;
    return outcome;
  });
}
