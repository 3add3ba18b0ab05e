import type { EventLog, StoredEvent } from '../log/event-log.ts';

/** A live message: sent on the stream, never stored, and without a cursor (L4). */
export interface LiveMessage {
  readonly thread: string;
  readonly type: string;
  readonly content: unknown;
  /** The one participant that it is for; without it, it is for everybody. */
  readonly only?: string;
}

export interface Subscription {
  /** Without a thread, the scope is the whole workspace. */
  readonly thread?: string;
  /** The cursor: a seq in a thread, a position in the workspace. */
  readonly after: number;
  /** Events in order. The same array is given to every subscriber of a scope, so a frame can be made once. */
  onEvents(events: readonly StoredEvent[]): void;
  onLive?(item: LiveMessage): void;
  /** Resolves when the reader has room again; history waits for it. */
  ready?(): Promise<void>;
  onError(error: unknown): void;
}

interface TailReader {
  readonly subscription: Subscription;
  cursor: number;
  open: boolean;
}

const PAGE = 256;
const FIRST_PAGE = 8;
/** Approximate bytes that one reader of history may hold in memory; every stalled reader holds as much (L11). */
const PAGE_BYTES = 64 * 1024;

/**
 * Catch-up, then live, without gap or duplicate (L10). Events are published in
 * position order; a reader joins the live ones only when nothing was published
 * since the read that brought it up to date, and skips what it has already seen.
 */
export function createTail(log: EventLog, observe: (rows: readonly StoredEvent[]) => void) {
  const readers = new Map<string | undefined, Set<TailReader>>();
  const waiters = new Set<{ thread: string | undefined; wake: () => void }>();
  let publishedPosition = 0;
  let pendingPull: Promise<void> | undefined;
  let needsPull = false;

  async function start() {
    publishedPosition = await log.head();
  }

  /** Publishes our own commit. If others committed in between, their events are read from the log first. */
  function publishCommit(rows: readonly StoredEvent[]) {
    if (!pendingPull && rows[0]?.position === publishedPosition + 1) publish(rows);
    else pull().catch(() => {});
  }

  /** Publishes what other processes appended. If the log cannot be read now, the next commit or wake tries again. */
  function pull(): Promise<void> {
    needsPull = true;
    pendingPull ??= pullAll();
    return pendingPull;
  }

  async function pullAll() {
    try {
      while (needsPull) {
        needsPull = false;
        for (;;) {
          const rows = await log.readAll(publishedPosition, PAGE);
          if (rows.length === 0) break;
          observe(rows);
          publish(rows);
        }
      }
    } finally {
      // In the same tick as the last check of `needsPull`, so that no request is missed.
      pendingPull = undefined;
    }
  }

  function publish(rows: readonly StoredEvent[]) {
    publishedPosition = (rows.at(-1) as StoredEvent).position;
    for (const waiter of waiters) {
      if (waiter.thread === undefined || rows.some((row) => row.thread === waiter.thread)) waiter.wake();
    }
    for (const reader of readers.get(undefined) ?? []) deliverTo(reader, rows, (row) => row.position);
    for (const [thread, threadRows] of byThread(rows)) {
      for (const reader of readers.get(thread) ?? []) deliverTo(reader, threadRows, (row) => row.seq);
    }
  }

  function publishLive(item: LiveMessage) {
    for (const scope of [undefined, item.thread]) {
      for (const reader of readers.get(scope) ?? []) reader.subscription.onLive?.(item);
    }
  }

  /** Starts reading; returns a function that stops it. */
  function subscribe(subscription: Subscription): () => void {
    const reader: TailReader = { subscription, cursor: subscription.after, open: true };
    catchUp(reader).catch((error) => {
      if (reader.open) subscription.onError(error);
    });
    return () => {
      reader.open = false;
      const { thread } = subscription;
      const scope = readers.get(thread);
      if (scope?.delete(reader) && scope.size === 0) readers.delete(thread);
    };
  }

  async function catchUp(reader: TailReader) {
    const { thread } = reader.subscription;
    let limit = FIRST_PAGE;
    while (reader.open) {
      const before = publishedPosition;
      const rows =
        thread === undefined
          ? await log.readAll(reader.cursor, limit)
          : await log.readThread(thread, reader.cursor, limit);
      if (!reader.open) return;
      if (rows.length === 0 && publishedPosition === before) break;
      if (rows.length === 0) continue;
      deliverTo(reader, rows, thread === undefined ? (row) => row.position : (row) => row.seq);
      limit = nextPageSize(rows);
      await reader.subscription.ready?.();
    }
    if (!reader.open) return;
    const scope = readers.get(thread);
    if (scope) scope.add(reader);
    else readers.set(thread, new Set([reader]));
  }

  /** Resolves true at the next event of the scope, false when the time is over. */
  function waitForChange(thread: string | undefined, withinMs: number, signal?: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter = { thread, wake: () => finish(true) };
      const timer = setTimeout(() => finish(false), withinMs);
      const abort = () => finish(false);
      function finish(hasChanged: boolean) {
        clearTimeout(timer);
        waiters.delete(waiter);
        signal?.removeEventListener('abort', abort);
        resolve(hasChanged);
      }
      waiters.add(waiter);
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) abort();
    });
  }

  return {
    start,
    publishCommit,
    pull,
    publishLive,
    subscribe,
    waitForChange,
    get position() {
      return publishedPosition;
    },
  };
}

export type Tail = ReturnType<typeof createTail>;

function deliverTo(reader: TailReader, rows: readonly StoredEvent[], cursorOf: (row: StoredEvent) => number) {
  const first = rows[0];
  if (!first || !reader.open) return;
  const unseen = cursorOf(first) > reader.cursor ? rows : rows.filter((row) => cursorOf(row) > reader.cursor);
  const last = unseen.at(-1);
  if (!last) return;
  reader.cursor = cursorOf(last);
  try {
    reader.subscription.onEvents(unseen);
  } catch (error) {
    // Only this reader fails: the others get the events, and the commit stands (L26).
    reader.open = false;
    reader.subscription.onError(error);
  }
}

/** Events may be large: a page is as many as fit into a bounded amount of memory. */
function nextPageSize(rows: readonly StoredEvent[]): number {
  const bytes = rows.reduce((sum, row) => sum + row.body.length, 0);
  return Math.max(1, Math.min(PAGE, Math.floor((PAGE_BYTES * rows.length) / bytes)));
}

function byThread(rows: readonly StoredEvent[]): Map<string, readonly StoredEvent[]> {
  const first = rows[0];
  if (first && rows.every((row) => row.thread === first.thread)) return new Map([[first.thread, rows]]);
  return Map.groupBy(rows, (row) => row.thread);
}
