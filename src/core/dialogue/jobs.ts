import type { Job } from '../decider.ts';
import { defineJob } from '../define-job.ts';
import { type Dialogue, iterationCount } from './state.ts';

export const IterateJob = defineJob<{ turn: number; iter: number; run: number }>('mind.iterate');
export const ClusterJob = defineJob<Record<string, never>>('mind.cluster');

/** What a running mind asks of the engine: its next iteration, and clusters for what it thought. */
export function dialogueJobs(state: Dialogue): readonly Job[] {
  const jobs: Job[] = [];
  const { open, run, pool, clustered } = state;
  if (open && run?.state === 'running' && run.turn === open.turn && !state.held) {
    const input = { turn: open.turn, iter: iterationCount(state) + 1, run: run.run };
    const key = `iterate-${input.turn}-${input.iter}-${input.run}-${run.resumed}-${state.holds}`;
    jobs.push(IterateJob.of(key, input, { rootEvent: run.rootEvent }));
  }
  // By where it begins, not where it ends: what is thought meanwhile must not call it off.
  if (clustered < pool.thoughts.length) {
    jobs.push(ClusterJob.of(`cluster-${clustered}`, {}, run && { rootEvent: run.rootEvent }));
  }
  return jobs;
}
