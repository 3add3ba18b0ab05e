import type { Fold } from '../../core/decider.ts';
import { type EventLog, type Lease, NoSpace, StoreUnavailable } from '../../log/event-log.ts';
import { THREAD_INDEX } from '../../log/record-kinds.ts';
import { pause, runUnderLease, TTL_MS } from '../lease.ts';
import { LeaseLost, makeRows, markRecord, readRowsMark } from './rows.ts';

const RETRY_MS = 2_000;
/** So long whoever opens a workspace waits for rows; the rest is made behind them, or when it is opened again. */
const MAX_OPENING_MS = 1_000;

/** How many threads have their rows, of how many that were not up to date. */
export type OnRowsProgress = (threads: number, total: number) => void;

export interface RowsUpkeepParts<State> {
  readonly log: EventLog;
  readonly fold: Fold<State>;
  readonly holder: string;
  report(error: unknown): void;
}

/**
 * Brings rows up to date that an earlier version has made (L14): once, on one server at a time. Each step leaves the
 * workspace as right as it was, and what was done is written down, so it can be ended at any moment.
 */
export function createRowsUpkeep<State>({ log, fold, holder, report }: RowsUpkeepParts<State>) {
  const stop = new AbortController();
  let running: Promise<void> | undefined;

  /** As much as can be done in a moment: of most workspaces, all. */
  async function updateOnOpen(ms = MAX_OPENING_MS): Promise<void> {
    if (await isUpToDate()) return;
    const timeout = AbortSignal.timeout(ms);
    try {
      await runLeased((lease, signal) => updateRows(lease, AbortSignal.any([signal, timeout])));
    } catch (error) {
      // Old rows are no reason not to open.
      if (!isTransient(error)) throw error;
    }
  }

  /** False while another server does it. */
  async function runLeased(work: (lease: Lease, signal: AbortSignal) => Promise<void>): Promise<boolean> {
    const lease = await log.lease('rows', holder, TTL_MS);
    if (lease) await runUnderLease(log, lease, stop.signal, ({ signal }) => work(lease, signal));
    return lease !== undefined;
  }

  /** All of it, behind everything else; `onDone` is called when there was something to do and it is done. */
  function start(onProgress: OnRowsProgress = () => {}, onDone: () => void = () => {}): void {
    running = runUntilCurrent(onProgress, onDone).catch(report);
  }

  async function runUntilCurrent(onProgress: OnRowsProgress, onDone: () => void): Promise<void> {
    for (let hasWaited = false; !stop.signal.aborted; hasWaited = true) {
      try {
        if (await isUpToDate()) return hasWaited ? onDone() : undefined;
        if (!(await runLeased((lease, signal) => updateRows(lease, signal, onProgress))))
          await pause(RETRY_MS, stop.signal);
      } catch (error) {
        if (!isTransient(error)) throw error;
        await pause(RETRY_MS, stop.signal);
      }
    }
  }

  async function isUpToDate(): Promise<boolean> {
    return isCurrent(await readRowsMark(log));
  }

  function isCurrent(mark: Awaited<ReturnType<typeof readRowsMark>>): boolean {
    return mark?.version === fold.version && mark.after === undefined;
  }

  async function updateRows(lease: Lease, signal: AbortSignal, onProgress: OnRowsProgress = () => {}): Promise<void> {
    const { version } = fold;
    const mark = await readRowsMark(log);
    // Another server may have done it between the look and the lease.
    if (isCurrent(mark)) return;
    const after = (mark?.version === version && mark.after) || '';
    const keys = (await log.records(THREAD_INDEX)).map(({ key }) => key).sort();
    const threads = keys.filter((key) => key > after);
    const onBatch = async (count: number, last: string) => {
      await saveMark({ version, after: last });
      onProgress(count, threads.length);
    };
    await makeRows(threads, { log, fold, lease, signal, onBatch });
    if (!signal.aborted) await saveMark({ version });

    async function saveMark(nextMark: Parameters<typeof markRecord>[0]): Promise<void> {
      const [outcome] = await log.append([{ expected: [], events: [], records: [markRecord(nextMark)], lease }]);
      if (outcome?.status === 'fenced') throw new LeaseLost();
    }
  }

  async function close(): Promise<void> {
    stop.abort();
    await running;
  }

  return { updateOnOpen, start, close };
}

function isTransient(error: unknown): boolean {
  return error instanceof StoreUnavailable || error instanceof NoSpace || error instanceof LeaseLost;
}
