import type { Job } from '../../core/decider.ts';
import type { Actor } from '../../core/events/event.ts';
import type { Command, State } from '../../core/workspace.ts';
import type { JobContext, PerformJob } from '../jobs.ts';
import type { PendingResults } from './pending.ts';
import { type JobResult, report, reportPending, savePendingResult } from './report.ts';

/** The context of a step, with the key of its job. */
export interface StepContext extends JobContext<State, Command> {
  readonly job: string;
}

/** One step of work under the id of a model or a program: an iteration, a mind's part of a round, an answer. */
export interface Step {
  readonly actor: Actor;
  /** Undefined if it was cancelled before there was anything to store. */
  work(): Promise<StepResult | undefined>;
}

export interface StepResult extends Pick<JobResult, 'command'> {
  /** The id of the command; by default that of the job. */
  readonly id?: string;
  /** False for a failure: it is dropped if the job runs again anyway. */
  readonly isUsable: boolean;
}

interface StepDefinition<Target> {
  targetOf(job: Job): Target | undefined;
  /** Prepares the step; undefined if there is nothing to do any more. */
  begin(target: Target, context: StepContext): Promise<Step | undefined>;
  /** Waits until the steps before this one have reported. */
  waitForTurn?(target: NoInfer<Target>, context: JobContext<State, Command>): Promise<void>;
}

/** Does a step, shows who is working on it, and reports its result once. */
export function createStepPerformer<Target>(
  pendingResults: PendingResults,
  { targetOf, begin, waitForTurn }: StepDefinition<Target>,
): PerformJob<State, Command> {
  return async (job, context) => {
    const target = targetOf(job);
    if (!target) return;
    const slot = { pendingResults, job: job.key };
    if (await reportPending(context, slot, async () => waitForTurn?.(target, context))) return;
    const step = await begin(target, { ...context, job: job.key });
    if (!step) return;
    const { actor } = step;
    await context.setPresence(actor, 'thinking');
    try {
      const outcome = await step.work();
      if (!outcome) return;
      await waitForTurn?.(target, context);
      // This server stops, or another took over: the job runs again.
      const isInterrupted = context.signal.aborted && !context.isUnwanted();
      if (isInterrupted && !outcome.isUsable) return;
      const { command, id = `${context.thread}/${job.key}` } = outcome;
      const result = { actor, id, command };
      // Its turn may not have come: the next server with the job waits for it.
      if (isInterrupted && waitForTurn) await savePendingResult(context, result, slot);
      else await report(context, result, slot);
    } finally {
      await context.setPresence(actor, 'listening');
    }
  };
}
