import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Fold } from '../../core/decider.ts';
import { canonical } from '../../core/events/canonical.ts';
import type { Append, EventLog, Lease, RecordWrite } from '../../log/event-log.ts';
import { ROWS_MARK, THREAD_INDEX } from '../../log/record-kinds.ts';
import { createStates } from '../states.ts';

/** So many threads are looked at before it is written down how far they are. */
const AT_ONCE = 256;

export interface MakingParts<State> {
  readonly log: EventLog;
  readonly fold: Fold<State>;
  /** Nothing is written when it was lost. */
  readonly lease?: Lease;
  /** Looked at between two threads. */
  readonly signal?: AbortSignal;
  /** How many are done, and which was the last of them. */
  readonly done?: (threads: number, last: string) => Promise<void> | void;
}

/**
 * Makes rows of threads anew from their events, and says how many were not as they should be. Others may append
 * meanwhile: a row is written only where its thread has not gone on since it was read, else it is read again.
 */
export async function makeRows<State>(threads: readonly string[], parts: MakingParts<State>): Promise<number> {
  const { signal, done = () => {} } = parts;
  let mended = 0;
  for (let from = 0; from < threads.length && !signal?.aborted; ) {
    const writes: Append[] = [];
    const upTo = Math.min(from + AT_ONCE, threads.length);
    while (from < upTo && !signal?.aborted) writes.push(...(await writeOf(threads[from++] as string, parts)));
    mended += await written(writes, parts);
    await done(from, threads[from - 1] as string);
  }
  return mended;
}

async function written<State>(writes: readonly Append[], parts: MakingParts<State>): Promise<number> {
  if (writes.length === 0) return 0;
  const outcomes = await parts.log.append(writes);
  if (outcomes.some(({ status }) => status === 'fenced')) throw new LeaseLost();
  const again: Append[] = [];
  for (const outcome of outcomes) {
    if (outcome.status === 'conflict') again.push(...(await writeOf(outcome.thread, parts)));
  }
  const stored = outcomes.filter(({ status }) => status === 'committed').length;
  return stored + (await written(again, parts));
}

/** What there is to write for a thread, if its row is not as it should be; one without events has none. */
async function writeOf<State>(thread: string, { log, fold, lease }: MakingParts<State>): Promise<readonly Append[]> {
  const loaded = await createStates(letting(log), fold).load(thread);
  const value = loaded ? canonical(fold.summary(loaded.state)) : null;
  if (value === ((await log.record(THREAD_INDEX, thread)) ?? null)) return [];
  const expected = [{ thread, seq: loaded?.seq ?? 0 }];
  return [{ expected, events: [], records: [{ kind: THREAD_INDEX, key: thread, value }], ...(lease && { lease }) }];
}

/** A log that lets others have their turn before each page: a store that answers at once would leave them none. */
function letting(log: EventLog): EventLog {
  const readThread: EventLog['readThread'] = async (...asked) => {
    await nextTurn();
    return log.readThread(...asked);
  };
  return { ...log, readThread };
}

/** Another server does it now. */
export class LeaseLost extends Error {}

/** Which version the rows are of; while they are made anew, up to which thread. */
export interface RowsMark {
  readonly version: number;
  readonly after?: string;
}

export async function rowsMark(log: EventLog): Promise<RowsMark | undefined> {
  const text = await log.record(ROWS_MARK, THREAD_INDEX);
  return text === undefined ? undefined : JSON.parse(text);
}

export function markWrite(mark: RowsMark): RecordWrite {
  return { kind: ROWS_MARK, key: THREAD_INDEX, value: JSON.stringify(mark) };
}
