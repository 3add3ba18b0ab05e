import type { Fork } from './event-log.ts';

/** A range of a thread's history: events of `thread` up to and including `upTo`. */
export interface Segment {
  readonly thread: string;
  readonly upTo: number;
}

/** A thread and its ancestors, oldest part first, each cut where the next one forked (L13). */
export function segmentsOf(thread: string, forkOf: (thread: string) => Fork | undefined): readonly Segment[] {
  const segments: Segment[] = [];
  let upTo = Number.MAX_SAFE_INTEGER;
  for (let current: string | undefined = thread; current !== undefined; ) {
    segments.push({ thread: current, upTo });
    const fork = forkOf(current);
    if (fork) upTo = Math.min(upTo, fork.seq);
    current = fork?.parent;
  }
  return segments.reverse();
}
