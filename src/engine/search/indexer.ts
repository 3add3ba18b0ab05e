import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EventLog, NoSpace, StoreUnavailable } from '../../log/event-log.ts';
import { pause, TTL_MS, underLease } from '../lease.ts';
import type { Tail } from '../tail.ts';
import { createTakingIn, type Progress } from './index-writer.ts';

/** Words are taken in when the log has rested for so long: while events keep coming, the processor is theirs. */
const REST_MS = 1_000;
/** But they do not wait for ever. */
const LONGEST_WAIT_MS = 15_000;
const RETRY_MS = 5_000;
/** So few are taken in while somebody waits for an answer. */
const FEW = 1_000;
/** How long that may take where nobody else does it. */
const AT_ONCE_MS = 1_000;
/** While others append, this many parts of the time are left to them for each part taken. */
const LEFT_TO_OTHERS = 3;

export interface IndexingParts {
  readonly log: EventLog;
  readonly tail: Pick<Tail, 'subscribe' | 'position'>;
  readonly holder: string;
  report(error: unknown): void;
}

/** Keeps the index of words behind the log: never as part of an append, and gently while there are many. */
export function createIndexing({ log, tail, holder, report }: IndexingParts) {
  const taking = createTakingIn(log);
  const stop = new AbortController();
  let started = false;
  /** When something was appended that was not looked at yet: the first of it and the last. */
  let heard: { readonly first: number; readonly last: number } | undefined;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe = () => {};

  /** Only the process that serves follows the log by itself. */
  function start() {
    started = true;
    unsubscribe = tail.subscribe({
      after: tail.position,
      deliver() {
        const last = performance.now();
        heard = { first: heard?.first ?? last, last };
        soon(REST_MS);
      },
      live() {},
      ready: async () => {},
      failed: () => soon(RETRY_MS),
    });
    soon(REST_MS);
  }

  function soon(ms: number) {
    if (timer || running || stop.signal.aborted) return;
    timer = setTimeout(() => {
      timer = undefined;
      const wait = untilRest();
      if (wait > 0) return soon(wait);
      heard = undefined;
      running = follow().then(ended, (error) => {
        if (!isAway(error)) report(error);
        ended(RETRY_MS);
      });
    }, ms).unref();
  }

  function untilRest(): number {
    if (!heard) return 0;
    const now = performance.now();
    return Math.min(heard.last + REST_MS, heard.first + LONGEST_WAIT_MS) - now;
  }

  function ended(wait: number | undefined) {
    running = undefined;
    if (wait !== undefined || heard) soon(wait ?? REST_MS);
  }

  /** Little is simply done; for much there is a lease, so that of several servers one does it. When to look again. */
  async function follow(): Promise<number | undefined> {
    if ((await missing()) <= FEW) await catchUp(stop.signal);
    else {
      const lease = await log.lease('search', holder, TTL_MS);
      if (!lease) return RETRY_MS;
      await underLease(log, lease, stop.signal, ({ signal }) => catchUp(signal));
    }
    return (await missing()) > 0 ? REST_MS : undefined;
  }

  async function catchUp(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const [begun, position] = [performance.now(), tail.position];
      if ((await taking.step()) === 0) return;
      if (tail.position > position) await pause((performance.now() - begun) * LEFT_TO_OTHERS, signal);
      else await nextTurn();
    }
  }

  async function missing(): Promise<number> {
    const { events, total } = await taking.progress();
    return total - events;
  }

  /** Before an answer: what was said a moment ago is to be found. */
  async function refresh(): Promise<Progress> {
    try {
      return await bringUpToDate();
    } catch (error) {
      // No index, and no room for one: it is made once there is.
      if (!(error instanceof NoSpace)) throw error;
      return { events: 0, total: await log.head() };
    }
  }

  async function bringUpToDate(): Promise<Progress> {
    const now = await taking.progress();
    const behind = now.total - now.events;
    if (behind === 0 || (started && behind > FEW)) return now;
    const begun = performance.now();
    try {
      while (performance.now() - begun < AT_ONCE_MS && (await taking.step()) > 0) await nextTurn();
    } catch (error) {
      // Where there is no room for more, what is there is still to be found.
      if (!isAway(error)) throw error;
    }
    return taking.progress();
  }

  async function close() {
    stop.abort();
    clearTimeout(timer);
    unsubscribe();
    await running;
    await taking.idle();
  }

  return { start, refresh, close };
}

export type Indexing = ReturnType<typeof createIndexing>;

/** A store that is away or full says so to whoever posts; here it is only waited for. */
function isAway(error: unknown): boolean {
  return error instanceof StoreUnavailable || error instanceof NoSpace;
}
