import type { Job } from '../decider.ts';
import { defineJob } from '../define-job.ts';
import type { LoomState } from './state.ts';

export const GenerateJob = defineJob<{ generation: string }>('loom.generate');

export function loomJobs({ openGenerations }: LoomState): readonly Job[] {
  return openGenerations.map(({ request: { generation }, asked: rootEvent, stopping }) =>
    // Until its end is in the log: its server may be gone, and what it had finished is kept (W28).
    GenerateJob.of(`generate/${generation}`, { generation }, { rootEvent, ...(stopping && { ending: true }) }),
  );
}
