import type { EventLog, RecordWrite } from '../log/event-log.ts';
import { FINISHED } from '../log/record-kinds.ts';
import type { Secrets } from './secrets.ts';
import { untilStored } from './until-stored.ts';

/**
 * What a model has finished while the job it belongs to goes on, or while it cannot be stored: a row beside the log for each part, so that a restart or
 * another server goes on from there and asks only for what is missing (W28). The event that has the text removes the rows.
 */
export function createFinished(log: EventLog, secrets: Secrets) {
  /** The parts of one job, by their number, in order. */
  async function find<Part>(job: string): Promise<readonly (readonly [number, Part])[]> {
    const rows = await log.records(FINISHED);
    return rows
      .filter(({ key }) => key.startsWith(`${job}/`))
      .map(({ key, value }) => [Number(key.slice(job.length + 1)), JSON.parse(value) as Part] as const)
      .sort(([a], [b]) => a - b);
  }

  async function keep(job: string, part: number, value: object, stop: AbortSignal): Promise<void> {
    const row = { kind: FINISHED, key: `${job}/${part}`, value: secrets.remove(JSON.stringify(value)) };
    await untilStored(() => log.putRecords([row]), stop);
  }

  /** What removes the rows of a job, to be written with its result. */
  function removal(job: string, parts: readonly number[]): readonly RecordWrite[] {
    return parts.map((part) => ({ kind: FINISHED, key: `${job}/${part}`, value: null }));
  }

  return { find, keep, removal };
}

export type Finished = ReturnType<typeof createFinished>;
