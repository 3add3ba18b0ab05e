import type { Job } from './decider.ts';
import type { Json } from './events/event.ts';

/** A kind of job, defined once: how one is made, and how what it is about is read. Jobs are never stored. */
export function defineJob<Input extends Json>(kind: string) {
  return {
    kind,
    of: (key: string, input: Input, facts?: Pick<Job, 'rootEvent' | 'ending'>): Job => ({ key, kind, input, ...facts }),
    /** Undefined for a job of any other kind. */
    inputOf: (job: Job): Input | undefined => (job.kind === kind ? (job.input as Input) : undefined),
  };
}
