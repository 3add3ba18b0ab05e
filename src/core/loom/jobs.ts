import type { Job } from '../decider.ts';
import { defineJob } from '../define-job.ts';
import type { LoomState } from './state.ts';

export const GenerateJob = defineJob<{ generation: string }>('loom.generate');

export function loomJobs({ openGenerations }: LoomState): readonly Job[] {
  return openGenerations.map(({ request: { generation }, asked: rootEvent, stopping }) =>
    // The job stays until the log has its end: the server that ran it may be gone, and finished choices are kept (W28).
    GenerateJob.of(`generate/${generation}`, { generation }, { rootEvent, ...(stopping && { ending: true }) }),
  );
}
