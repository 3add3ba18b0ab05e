import { createContinuity } from '../continuity.ts';
import { type Append, BrokenLink, type Outcome, type RecordWrite } from '../event-log.ts';

/**
 * A batch as columns, if nothing in it stands in the way of anything else in
 * it: then the database has only to check it against what is stored, all at
 * once. Otherwise undefined, and the entries are taken one by one.
 */
export function columnsOf(batch: readonly Append[]): readonly unknown[] | undefined {
  const commands = new Map<
    string,
    readonly [participant: string, id: string, digest: string, start: number, count: number]
  >();
  const leases = new Map<string, number>();
  /** What must be stored, and where a thread stands after the entries so far. */
  const stored = new Map<string, number>();
  const heads = new Map<string, number>();
  const events: Append['events'][number][] = [];
  const forks: NonNullable<Append['forks']>[number][] = [];

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
      const head = heads.get(thread);
      if (head !== undefined && head !== seq) return undefined;
      if (head === undefined) stored.set(thread, seq);
      heads.set(thread, seq);
    }
    for (const event of entry.events) {
      events.push(event);
      heads.set(event.thread, event.seq);
    }
    for (const fork of entry.forks ?? []) forks.push(fork);
  }

  const joints = jointsOf({ events, forks });
  if (!joints) return undefined;
  const given = [...commands.values()];
  return [
    ...[0, 1, 2, 3, 4].map((column) => given.map((command) => command[column])),
    [...leases.keys()],
    [...leases.values()],
    [...stored.keys()],
    [...stored.values()],
    ...([0, 1, 2] as const).map((column) => joints.map((joint) => joint[column])),
    ...(['id', 'thread', 'seq', 'hash', 'body'] as const).map((name) => events.map((event) => event[name])),
    ...(['thread', 'parent', 'seq'] as const).map((name) => forks.map((fork) => fork[name])),
    ...recordColumns(batch.flatMap((entry) => entry.records ?? [])),
  ];
}

type Joint = readonly [thread: string, seq: number, hash: string];

/** The stored events that a batch continues; undefined where it does not hold together by itself. */
function jointsOf(batch: Pick<Append, 'events' | 'forks'>): readonly Joint[] | undefined {
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

/** A statement may touch a row once, so only the last word on a key is sent. */
export function recordColumns(writes: readonly RecordWrite[]): readonly unknown[] {
  const last = [...new Map(writes.map((write) => [JSON.stringify([write.kind, write.key]), write])).values()];
  return (['kind', 'key', 'value'] as const).map((name) => last.map((write) => write[name]));
}

/** What became of a batch that was stored whole from a position on. */
export function allCommitted(batch: readonly Append[], position: number): Outcome[] {
  let next = position;
  return batch.map(({ events }) => {
    const outcome = { status: 'committed', position: next } as const;
    next += events.length;
    return outcome;
  });
}
