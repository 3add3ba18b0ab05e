import type { Fold } from '../../core/decider.ts';
import { type EventLog, type Lease, NoSpace, StoreUnavailable } from '../../log/event-log.ts';
import { THREAD_INDEX } from '../../log/record-kinds.ts';
import { pause, TTL_MS, underLease } from '../lease.ts';
import { LeaseLost, makeRows, markWrite, rowsMark } from './rows.ts';

const RETRY_MS = 2_000;
/** So long whoever opens a workspace waits for rows; the rest is made behind them, or when it is opened again. */
const AT_OPENING_MS = 1_000;

/** How many threads have their rows, of how many that were not up to date. */
export type RowsTold = (threads: number, total: number) => void;

export interface UpkeepParts<State> {
  readonly log: EventLog;
  readonly fold: Fold<State>;
  readonly holder: string;
  report(error: unknown): void;
}

/**
 * Brings rows up to date that an earlier version has made (L14): once, on one server at a time. Each step leaves the
 * workspace as right as it was, and what was done is written down, so it can be ended at any moment.
 */
export function createRowsUpkeep<State>({ log, fold, holder, report }: UpkeepParts<State>) {
  const stop = new AbortController();
  let running: Promise<void> | undefined;

  /** As much as can be done in a moment: of most workspaces, all. */
  async function atOpening(ms = AT_OPENING_MS): Promise<void> {
    if (await isUpToDate()) return;
    const enough = AbortSignal.timeout(ms);
    try {
      await once((lease, signal) => bring(lease, AbortSignal.any([signal, enough])));
    } catch (error) {
      // Old rows are no reason not to open.
      if (!isPassing(error)) throw error;
    }
  }

  /** False while another server does it. */
  async function once(work: (lease: Lease, signal: AbortSignal) => Promise<void>): Promise<boolean> {
    const lease = await log.lease('rows', holder, TTL_MS);
    if (lease) await underLease(log, lease, stop.signal, ({ signal }) => work(lease, signal));
    return lease !== undefined;
  }

  /** All of it, behind everything else; `ended` is called when there was something to do and it is done. */
  function start(told: RowsTold = () => {}, ended: () => void = () => {}): void {
    running = follow(told, ended).catch(report);
  }

  async function follow(told: RowsTold, ended: () => void): Promise<void> {
    for (let waited = false; !stop.signal.aborted; waited = true) {
      try {
        if (await isUpToDate()) return waited ? ended() : undefined;
        if (!(await once((lease, signal) => bring(lease, signal, told)))) await pause(RETRY_MS, stop.signal);
      } catch (error) {
        if (!isPassing(error)) throw error;
        await pause(RETRY_MS, stop.signal);
      }
    }
  }

  async function isUpToDate(): Promise<boolean> {
    return isDone(await rowsMark(log));
  }

  function isDone(mark: Awaited<ReturnType<typeof rowsMark>>): boolean {
    return mark?.version === fold.version && mark.after === undefined;
  }

  async function bring(lease: Lease, signal: AbortSignal, told: RowsTold = () => {}): Promise<void> {
    const { version } = fold;
    const mark = await rowsMark(log);
    // Another server may have done it between the look and the lease.
    if (isDone(mark)) return;
    const after = (mark?.version === version && mark.after) || '';
    const keys = (await log.records(THREAD_INDEX)).map(({ key }) => key).sort();
    const threads = keys.filter((key) => key > after);
    const done = async (count: number, last: string) => {
      await note({ version, after: last });
      told(count, threads.length);
    };
    await makeRows(threads, { log, fold, lease, signal, done });
    if (!signal.aborted) await note({ version });

    async function note(reached: Parameters<typeof markWrite>[0]): Promise<void> {
      const [outcome] = await log.append([{ expected: [], events: [], records: [markWrite(reached)], lease }]);
      if (outcome?.status === 'fenced') throw new LeaseLost();
    }
  }

  async function close(): Promise<void> {
    stop.abort();
    await running;
  }

  return { atOpening, start, close };
}

function isPassing(error: unknown): boolean {
  return error instanceof StoreUnavailable || error instanceof NoSpace || error instanceof LeaseLost;
}
