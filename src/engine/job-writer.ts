import type { Job } from '../core/decider.ts';
import { IterateJob } from '../core/dialogue/jobs.ts';
import { AuditJob, MindJob } from '../core/exchange/jobs.ts';
import { currentTerms } from '../core/exchange/state.ts';
import { AUDITOR } from '../core/exchange/terms/terms-text.ts';
import { AnswerJob } from '../core/threads/jobs.ts';
import { modeState, type State } from '../core/workspace.ts';

/** The participant id that writes a job's result, if the thread determines one. */
export function writerOf(job: Job, state: State): string | undefined {
  const exchange = modeState('exchange', state);
  const call = MindJob.inputOf(job);
  if (call) return exchange && currentTerms(exchange).terms.minds[call.mind]?.id;
  if (AuditJob.inputOf(job)) return AUDITOR;
  if (IterateJob.inputOf(job)) return modeState('dialogue', state)?.config.self;
  return AnswerJob.inputOf(job)?.participant;
}
