import type { Fold } from '../../core/decider.ts';
import { type EventLog, isStoreAway, type Lease } from '../../log/event-log.ts';
import { THREAD_INDEX } from '../../log/record-kinds.ts';
import { realTime } from '../../models/resilience/time.ts';
import { runUnderLease, TTL_MS } from '../lease.ts';
import { LeaseLost, makeRows, markRecord, readRowsMark } from './rows.ts';

const RETRY_MS = 2_000;
/**
 * Maximum time that opening a workspace waits for rows. The rest is rebuilt in the background, or at the next opening.
 */
const MAX_OPENING_MS = 1_000;

/** Reports how many of the outdated threads are finished. */
export type OnRowsProgress = (threads: number, total: number) => void;

export interface RowsUpkeepParts<State> {
  readonly log: EventLog;
  readonly fold: Fold<State>;
  readonly holder: string;
  report(error: unknown): void;
}

/**
 * Updates rows written by an earlier version (L14): once, on one server at a time. Every step leaves the workspace
 * valid and saves the progress, so the work can stop at any moment.
 */
export function createRowsUpkeep<State>({ log, fold, holder, report }: RowsUpkeepParts<State>) {
  const stop = new AbortController();
  let running: Promise<void> | undefined;

  /** Updates as much as a moment allows: for most workspaces, everything. */
  async function updateOnOpen(ms = MAX_OPENING_MS): Promise<void> {
    if (await isUpToDate()) return;
    const timeout = AbortSignal.timeout(ms);
    try {
      await runLeased((lease, signal) => updateRows(lease, AbortSignal.any([signal, timeout])));
    } catch (error) {
      // Old rows must not keep a workspace from opening.
      if (!isTransient(error)) throw error;
    }
  }

  /** False while another server holds the lease. */
  async function runLeased(work: (lease: Lease, signal: AbortSignal) => Promise<void>): Promise<boolean> {
    const lease = await log.lease('rows', holder, TTL_MS);
    if (lease) await runUnderLease(log, lease, stop.signal, ({ signal }) => work(lease, signal));
    return lease !== undefined;
  }

  /** Updates all rows in the background; `onDone` is called only if there was work to do. */
  function start(onProgress: OnRowsProgress = () => {}, onDone: () => void = () => {}): void {
    running = runUntilCurrent(onProgress, onDone).catch(report);
  }

  async function runUntilCurrent(onProgress: OnRowsProgress, onDone: () => void): Promise<void> {
    for (let hasWaited = false; !stop.signal.aborted; hasWaited = true) {
      try {
        if (await isUpToDate()) return hasWaited ? onDone() : undefined;
        if (!(await runLeased((lease, signal) => updateRows(lease, signal, onProgress))))
          await realTime.wait(RETRY_MS, stop.signal);
      } catch (error) {
        if (!isTransient(error)) throw error;
        await realTime.wait(RETRY_MS, stop.signal);
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
    // Another server may have finished between our check and the lease.
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
  return isStoreAway(error) || error instanceof LeaseLost;
}
