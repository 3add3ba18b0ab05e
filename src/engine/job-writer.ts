import type { Job } from '../core/decider.ts';
import { modeOf } from '../core/modes.ts';
import { AnswerJob } from '../core/threads/jobs.ts';
import type { State } from '../core/workspace.ts';

/** The participant id that writes a job's result, if the thread determines one. */
export function writerOf(job: Job, { thread, mode }: State): string | undefined {
  return AnswerJob.inputOf(job)?.participant ?? modeOf(thread.kind)?.writerOf?.(mode, job);
}
