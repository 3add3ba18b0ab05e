import type { RefusalDetail } from '../../core/refusal.ts';
import type { EventLog, RecordWrite } from '../../log/event-log.ts';
import { FINISHED } from '../../log/record-kinds.ts';
import type { Secrets } from '../secrets.ts';
import { untilStored } from './store.ts';

/** A job that something finished is kept of. */
export interface KeptJob {
  readonly thread: string;
  readonly key: string;
  readonly parts: readonly number[];
}

/** What is kept, and why it may not be stored if it may not: it held a secret, which is removed here (L17). */
export type Kept<Part> = Part & { readonly refused?: RefusalDetail };

/**
 * What a model has finished while the job it belongs to goes on, or while it cannot be stored: a row beside the log for each part, so that a restart or
 * another server goes on from there and asks only for what is missing (W28). The event that has the text removes the rows;
 * where no event comes of it, `drop` does.
 */
export function createFinished(log: EventLog, secrets: Secrets) {
  /** The parts of one job, by their number, in order; `most` is how many there can be. */
  async function find<Part>(job: string, most = 1): Promise<readonly (readonly [number, Kept<Part>])[]> {
    const numbers = Array.from({ length: most }, (_, part) => part);
    const rows = await Promise.all(numbers.map((part) => log.record(FINISHED, keyOf(job, part))));
    return rows.flatMap((row, part) => (row === undefined ? [] : [[part, JSON.parse(row) as Kept<Part>] as const]));
  }

  async function keep(job: string, part: number, value: object, stop: AbortSignal): Promise<void> {
    const text = JSON.stringify(value);
    const refused = secrets.check(text);
    const kept = refused ? JSON.stringify({ ...value, refused: refused.refusal }) : text;
    const row = { kind: FINISHED, key: keyOf(job, part), value: secrets.remove(kept) };
    await untilStored(() => log.putRecords([row]), stop);
  }

  /** What removes the rows of a job, to be written with its result. */
  function removal(job: string, parts: readonly number[]): readonly RecordWrite[] {
    return parts.map((part) => ({ kind: FINISHED, key: keyOf(job, part), value: null }));
  }

  /** Removes the rows of a job whose result is there already, or is not wanted. */
  async function drop(job: string, parts: readonly number[], stop: AbortSignal): Promise<void> {
    await untilStored(() => log.putRecords(removal(job, parts)), stop);
  }

  /** Every job that something is kept of. */
  async function jobs(): Promise<readonly KeptJob[]> {
    const found = new Map<string, KeptJob & { readonly parts: number[] }>();
    for (const { key: row } of await log.records(FINISHED)) {
      const [start, end] = [row.indexOf('/'), row.lastIndexOf('/')];
      const job = row.slice(0, end);
      const one = found.get(job) ?? { thread: row.slice(0, start), key: row.slice(start + 1, end), parts: [] };
      one.parts.push(Number(row.slice(end + 1)));
      found.set(job, one);
    }
    return [...found.values()];
  }

  /** Whether something is kept of these parts of a job. */
  async function isKept({ thread, key, parts }: KeptJob): Promise<boolean> {
    for (const part of parts) {
      if ((await log.record(FINISHED, keyOf(`${thread}/${key}`, part))) !== undefined) return true;
    }
    return false;
  }

  return { find, keep, removal, drop, jobs, isKept };
}

function keyOf(job: string, part: number): string {
  return `${job}/${part}`;
}

export type Finished = ReturnType<typeof createFinished>;
