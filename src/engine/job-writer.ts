import type { Job } from '../core/decider.ts';
import { currentTerms } from '../core/exchange/state.ts';
import { AUDITOR } from '../core/exchange/terms/terms.ts';
import { AnswerJob } from '../core/threads/jobs.ts';
import { modeState, type State } from '../core/workspace.ts';

/** Under which id the result of a job is written, where the thread says which. */
export function writerOf(job: Job, state: State): string | undefined {
  const { kind, input } = job;
  switch (kind) {
    case 'agent.answer':
      return AnswerJob.inputOf(job)?.participant;
    case 'mind.iterate':
      return modeState('dialogue', state)?.config.self;
    case 'exchange.mind': {
      const exchange = modeState('exchange', state);
      return exchange && currentTerms(exchange).terms.minds[(input as { mind: number }).mind]?.id;
    }
    case 'exchange.audit':
      return AUDITOR;
    default:
      return undefined;
  }
}
