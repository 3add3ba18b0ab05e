import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EventLog, isStoreAway, NoSpace } from '../../log/event-log.ts';
import { realTime } from '../../models/resilience/time.ts';
import { runUnderLease, TTL_MS } from '../lease.ts';
import type { Tail } from '../tail.ts';
import { createIndexWriter, type IndexProgress } from './index-writer.ts';

/** Index once the log has been quiet this long: while events keep coming, they get the processor. */
const REST_MS = 1_000;
/** But wait no longer than this. */
const MAX_WAIT_MS = 15_000;
const RETRY_MS = 5_000;
/** The largest backlog to index while somebody waits for search results. */
const SMALL_BACKLOG = 1_000;
/** Maximum time for that, if no other process does it. */
const MAX_REFRESH_MS = 1_000;
/** While others append, pause this many times as long as each batch took. */
const YIELD_RATIO = 3;

export interface IndexerParts {
  readonly log: EventLog;
  readonly tail: Pick<Tail, 'subscribe' | 'position'>;
  readonly holder: string;
  report(error: unknown): void;
}

/** Keeps the search index up to date with the log: never as part of an append, and gently while many arrive. */
export function createIndexer({ log, tail, holder, report }: IndexerParts) {
  const writer = createIndexWriter(log);
  const stop = new AbortController();
  let isServing = false;
  /** Times of the first and last append that has not been indexed. */
  let appendTimes: { readonly first: number; readonly last: number } | undefined;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe = () => {};

  /** Follows the log; only the serving process does this. */
  function start() {
    isServing = true;
    unsubscribe = tail.subscribe({
      after: tail.position,
      onEvents() {
        const last = performance.now();
        appendTimes = { first: appendTimes?.first ?? last, last };
        schedule(REST_MS);
      },
      onError: () => schedule(RETRY_MS),
    });
    schedule(REST_MS);
  }

  function schedule(ms: number) {
    if (timer || running || stop.signal.aborted) return;
    timer = setTimeout(() => {
      timer = undefined;
      const wait = msUntilRest();
      if (wait > 0) return schedule(wait);
      appendTimes = undefined;
      running = runOnce().then(scheduleNext, (error) => {
        // Posting reports a store that is away to the user; indexing only waits.
        if (!isStoreAway(error)) report(error);
        scheduleNext(RETRY_MS);
      });
    }, ms).unref();
  }

  function msUntilRest(): number {
    if (!appendTimes) return 0;
    const now = performance.now();
    return Math.min(appendTimes.last + REST_MS, appendTimes.first + MAX_WAIT_MS) - now;
  }

  function scheduleNext(wait: number | undefined) {
    running = undefined;
    if (wait !== undefined || appendTimes) schedule(wait ?? REST_MS);
  }

  /**
   * Indexes a small backlog directly; a large one needs a lease, so that only one of several servers does it. Returns
   * when to check again.
   */
  async function runOnce(): Promise<number | undefined> {
    if ((await countMissing()) <= SMALL_BACKLOG) await catchUp(stop.signal);
    else {
      const lease = await log.lease('search', holder, TTL_MS);
      if (!lease) return RETRY_MS;
      await runUnderLease(log, lease, stop.signal, ({ signal }) => catchUp(signal));
    }
    return (await countMissing()) > 0 ? REST_MS : undefined;
  }

  async function catchUp(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const [startedAt, position] = [performance.now(), tail.position];
      if ((await writer.step()) === 0) return;
      if (tail.position > position) await realTime.wait((performance.now() - startedAt) * YIELD_RATIO, signal);
      else await nextTurn();
    }
  }

  async function countMissing(): Promise<number> {
    const { events, total } = await writer.progress();
    return total - events;
  }

  /** Catches up before a search, so that recent messages are found. */
  async function refresh(): Promise<IndexProgress> {
    try {
      return await bringUpToDate();
    } catch (error) {
      // There is no index and no room for one; it is built once there is.
      if (!(error instanceof NoSpace)) throw error;
      return { events: 0, total: await log.head() };
    }
  }

  async function bringUpToDate(): Promise<IndexProgress> {
    const current = await writer.progress();
    const backlog = current.total - current.events;
    if (backlog === 0 || (isServing && backlog > SMALL_BACKLOG)) return current;
    const startedAt = performance.now();
    try {
      while (performance.now() - startedAt < MAX_REFRESH_MS && (await writer.step()) > 0) await nextTurn();
    } catch (error) {
      // Without room for more, the existing index can still be searched.
      if (!isStoreAway(error)) throw error;
    }
    return writer.progress();
  }

  async function close() {
    stop.abort();
    clearTimeout(timer);
    unsubscribe();
    await running;
    await writer.idle();
  }

  return { start, refresh, close };
}

export type Indexer = ReturnType<typeof createIndexer>;
