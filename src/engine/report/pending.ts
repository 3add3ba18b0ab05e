import type { RefusalDetail } from '../../core/refusal.ts';
import type { EventLog, RecordWrite } from '../../log/event-log.ts';
import { FINISHED_WORK } from '../../log/record-kinds.ts';
import type { Secrets } from '../secrets.ts';
import { storeWithRetry } from './store.ts';

export interface PendingJob {
  readonly thread: string;
  readonly key: string;
  readonly parts: readonly number[];
}

/** A saved part. `refused` says why it may not be stored in the log: it held a secret, which was removed here (L17). */
export type PendingPart<Value> = Value & { readonly refused?: RefusalDetail };

/**
 * Finished results of a model while their job continues or cannot be stored: one row per part outside the log, so that
 * after a restart, or on another server, only the missing parts are asked for (W28). The event with the text removes
 * the rows; if there is no event, `drop` does.
 */
export function createPendingResults(log: EventLog, secrets: Secrets) {
  /** Finds the parts of one job, in order of their number; `maxParts` is the most there can be. */
  async function find<Value>(job: string, maxParts = 1): Promise<readonly (readonly [number, PendingPart<Value>])[]> {
    const numbers = Array.from({ length: maxParts }, (_, part) => part);
    const rows = await Promise.all(numbers.map((part) => log.record(FINISHED_WORK, keyOf(job, part))));
    return rows.flatMap((row, part) =>
      row === undefined ? [] : [[part, JSON.parse(row) as PendingPart<Value>] as const],
    );
  }

  async function save(job: string, part: number, value: object, stop: AbortSignal): Promise<void> {
    const text = JSON.stringify(value);
    const refusal = secrets.check(text);
    const storedText = refusal ? JSON.stringify({ ...value, refused: refusal.refusal }) : text;
    const row = { kind: FINISHED_WORK, key: keyOf(job, part), value: secrets.remove(storedText) };
    await storeWithRetry(() => log.putRecords([row]), stop);
  }

  /** The writes that remove a job's rows, to be stored together with its result. */
  function removalRecords(job: string, parts: readonly number[]): readonly RecordWrite[] {
    return parts.map((part) => ({ kind: FINISHED_WORK, key: keyOf(job, part), value: null }));
  }

  /** Removes the rows of a job whose result is already stored or no longer wanted. */
  async function drop(job: string, parts: readonly number[], stop: AbortSignal): Promise<void> {
    await storeWithRetry(() => log.putRecords(removalRecords(job, parts)), stop);
  }

  async function jobs(): Promise<readonly PendingJob[]> {
    const byName = new Map<string, PendingJob & { readonly parts: number[] }>();
    for (const { key: row } of await log.records(FINISHED_WORK)) {
      const [start, end] = [row.indexOf('/'), row.lastIndexOf('/')];
      const job = row.slice(0, end);
      const pending = byName.get(job) ?? { thread: row.slice(0, start), key: row.slice(start + 1, end), parts: [] };
      pending.parts.push(Number(row.slice(end + 1)));
      byName.set(job, pending);
    }
    return [...byName.values()];
  }

  async function hasPending({ thread, key, parts }: PendingJob): Promise<boolean> {
    for (const part of parts) {
      if ((await log.record(FINISHED_WORK, keyOf(`${thread}/${key}`, part))) !== undefined) return true;
    }
    return false;
  }

  return { find, save, removalRecords, drop, jobs, hasPending };
}

function keyOf(job: string, part: number): string {
  return `${job}/${part}`;
}

export type PendingResults = ReturnType<typeof createPendingResults>;
