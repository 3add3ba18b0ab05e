import type { Job } from '../decider.ts';
import { defineJob } from '../define-job.ts';
import { type Dialogue, iterationCount } from './state.ts';

export const IterateJob = defineJob<{ turn: number; iter: number; run: number }>('mind.iterate');
export const ClusterJob = defineJob<Record<string, never>>('mind.cluster');

/** The jobs of a running mind: its next iteration, and clusters for its new thoughts. */
export function dialogueJobs(state: Dialogue): readonly Job[] {
  const jobs: Job[] = [];
  const { open, run, pool, clustered } = state;
  if (open && run?.state === 'running' && run.turn === open.turn && !state.held) {
    const input = { turn: open.turn, iter: iterationCount(state) + 1, run: run.run };
    const key = `iterate-${input.turn}-${input.iter}-${input.run}-${run.resumed}-${state.holds}`;
    jobs.push(IterateJob.of(key, input, { rootEvent: run.rootEvent }));
  }
  // The key is the start of the range, not its end: thoughts that arrive meanwhile must not cancel the job.
  if (clustered < pool.thoughts.length) {
    jobs.push(ClusterJob.of(`cluster-${clustered}`, {}, run && { rootEvent: run.rootEvent }));
  }
  return jobs;
}
