import type { Job } from './decider.ts';
import type { Json } from './events/event.ts';

/** Defines a kind of job once: how to build one, and how to read its input. Jobs are never stored. */
export function defineJob<Input extends Json>(kind: string) {
  return {
    kind,
    of: (key: string, input: Input, facts?: Pick<Job, 'rootEvent' | 'ending'>): Job => ({ key, kind, input, ...facts }),
    /** The job's input; undefined for a job of any other kind. */
    inputOf: (job: Job): Input | undefined => (job.kind === kind ? (job.input as Input) : undefined),
  };
}
