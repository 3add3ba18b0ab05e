import type { Job } from '../decider.ts';
import { defineJob } from '../define-job.ts';
import { getOwn } from '../util/get-own.ts';
import type { ThreadState } from './state.ts';

/** An agent is to answer an event. If the event woke another agent first, that one answers before it (T13). */
export const AnswerJob = defineJob<{
  readonly participant: string;
  readonly event: string;
  readonly seq: number;
  readonly behind?: string;
}>('agent.answer');

/**
 * Jobs for the agents that are to answer, one at a time for each agent. The core does not know whether the server can
 * run an agent: one that connects by itself answers by posting.
 */
export function threadJobs(state: ThreadState): readonly Job[] {
  if (state.paused || state.done) return [];
  const jobs: Job[] = [];
  for (const [participant, wakes] of Object.entries(state.routing.wakes)) {
    const [wake] = wakes;
    const member = getOwn(state.participants, participant);
    // The server never answers for a person (T22).
    if (!wake || member?.profile.client === undefined || member.human) continue;
    const { event, seq, behind, cause } = wake;
    const isQueued =
      behind !== undefined && getOwn(state.routing.wakes, behind)?.some((other) => other.event === event);
    const input = { participant, event, seq, ...(isQueued && { behind: behind as string }) };
    jobs.push(AnswerJob.of(`wake/${event}/${participant}`, input, { rootEvent: cause.root }));
  }
  return jobs;
}
