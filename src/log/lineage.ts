import type { Fork } from './event-log.ts';

/** A stretch of a thread's history: events of `thread` up to and including `upTo`. */
export interface Segment {
  readonly thread: string;
  readonly upTo: number;
}

/** A thread and its ancestors, oldest part first, each cut where the next one forked (L13). */
export function segmentsOf(thread: string, forkOf: (thread: string) => Fork | undefined): readonly Segment[] {
  const segments: Segment[] = [];
  let upTo = Number.MAX_SAFE_INTEGER;
  for (let at: string | undefined = thread; at !== undefined; ) {
    segments.push({ thread: at, upTo });
    const fork = forkOf(at);
    if (fork) upTo = Math.min(upTo, fork.seq);
    at = fork?.parent;
  }
  return segments.reverse();
}
