import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Fold } from '../../core/decider.ts';
import { canonicalJson } from '../../core/events/canonical.ts';
import type { AppendEntry, EventLog, Lease, RecordWrite } from '../../log/event-log.ts';
import { ROWS_MARK, THREAD_INDEX } from '../../log/record-kinds.ts';
import { createStates } from '../states.ts';

/** Number of threads to process before saving the progress. */
const BATCH_SIZE = 256;

export interface MakeRowsParts<State> {
  readonly log: EventLog;
  readonly fold: Fold<State>;
  /** Nothing is written once this lease is lost. */
  readonly lease?: Lease;
  /** Checked between two threads. */
  readonly signal?: AbortSignal;
  /** Receives the number of finished threads and the last one. */
  readonly onBatch?: (threads: number, last: string) => Promise<void> | void;
}

/**
 * Rebuilds the rows of threads from their events, and returns how many were wrong. Others may append meanwhile: a row
 * is written only if its thread has not changed since it was read; otherwise it is read again.
 */
export async function makeRows<State>(threads: readonly string[], parts: MakeRowsParts<State>): Promise<number> {
  const { signal, onBatch = () => {} } = parts;
  let changedCount = 0;
  for (let from = 0; from < threads.length && !signal?.aborted; ) {
    const writes: AppendEntry[] = [];
    const upTo = Math.min(from + BATCH_SIZE, threads.length);
    while (from < upTo && !signal?.aborted) writes.push(...(await rowWriteFor(threads[from++] as string, parts)));
    changedCount += await writeRows(writes, parts);
    await onBatch(from, threads[from - 1] as string);
  }
  return changedCount;
}

async function writeRows<State>(writes: readonly AppendEntry[], parts: MakeRowsParts<State>): Promise<number> {
  if (writes.length === 0) return 0;
  const outcomes = await parts.log.append(writes);
  if (outcomes.some(({ status }) => status === 'fenced')) throw new LeaseLost();
  const retries: AppendEntry[] = [];
  for (const outcome of outcomes) {
    if (outcome.status === 'conflict') retries.push(...(await rowWriteFor(outcome.thread, parts)));
  }
  const storedCount = outcomes.filter(({ status }) => status === 'committed').length;
  return storedCount + (await writeRows(retries, parts));
}

/** The write that corrects a thread's row, or none if the row is right; a thread without events has no row. */
async function rowWriteFor<State>(
  thread: string,
  { log, fold, lease }: MakeRowsParts<State>,
): Promise<readonly AppendEntry[]> {
  const loaded = await createStates(withYields(log), fold).load(thread);
  const value = loaded ? canonicalJson(fold.summary(loaded.state)) : null;
  if (value === ((await log.record(THREAD_INDEX, thread)) ?? null)) return [];
  const expected = [{ thread, seq: loaded?.seq ?? 0 }];
  return [{ expected, events: [], records: [{ kind: THREAD_INDEX, key: thread, value }], ...(lease && { lease }) }];
}

/** A log that yields before each page: a store that answers at once would starve other work. */
function withYields(log: EventLog): EventLog {
  const readThread: EventLog['readThread'] = async (...args) => {
    await nextTurn();
    return log.readThread(...args);
  };
  return { ...log, readThread };
}

/** Another server has taken over the lease. */
export class LeaseLost extends Error {}

/** The version of the rows; during a rebuild, also the last finished thread. */
export interface RowsMark {
  readonly version: number;
  readonly after?: string;
}

export async function readRowsMark(log: EventLog): Promise<RowsMark | undefined> {
  const text = await log.record(ROWS_MARK, THREAD_INDEX);
  return text === undefined ? undefined : JSON.parse(text);
}

export function markRecord(mark: RowsMark): RecordWrite {
  return { kind: ROWS_MARK, key: THREAD_INDEX, value: JSON.stringify(mark) };
}
