import type { Job } from '../decider.ts';
import { defineJob } from '../define-job.ts';
import { canAuditBegin } from './rounds/audit-progress.ts';
import { currentTerms, type Exchange, isControl, nextRound } from './state.ts';

export const MindJob = defineJob<{ round: number; mind: number; iter: number; run: number }>('exchange.mind');
export const SettleJob = defineJob<{ round: number; run: number }>('exchange.settle');
export const AuditJob = defineJob<{ audit: number; attempt: number; round: number; run: number }>('exchange.audit');
export const BranchJob = defineJob<{ restart: number }>('exchange.branch');

/** The jobs of an exchange: minds, then clustering of their thoughts, then an audit if one is due (X1). */
export function exchangeJobs(state: Exchange): readonly Job[] {
  const { run, pending, held } = state;
  if (held || state.halted) return [];
  if (pending?.policy === 'branch' && !isControl(state)) {
    const { restart } = pending;
    return [BranchJob.of(`branch-${restart}`, { restart }, run && { rootEvent: run.rootEvent })];
  }
  const isRunning = run?.state === 'running';
  // A running round finishes before the audit; a stopped or held round does not delay it.
  const isMidRound = isRunning && state.current.spoken > 0;
  if (state.auditDue && !isMidRound) return canAuditBegin(state) ? [auditJob(state)] : [];
  if (!isRunning) return [];
  const round = nextRound(state);
  const { minds, parallel } = currentTerms(state).terms;
  const { spoken, calls } = state.current;
  const key = (prefix: string) => `${prefix}-${round}-${run.run}-${run.resumed}-${state.holds}`;
  if (spoken >= minds.length) {
    return [SettleJob.of(key('settle'), { round, run: run.run }, { rootEvent: run.rootEvent })];
  }
  const mindsToAsk = parallel ? minds.slice(spoken) : minds.slice(spoken, spoken + 1);
  return mindsToAsk.map((_, i) => {
    const mind = spoken + i;
    const input = { round, mind, iter: calls + mind + 1, run: run.run };
    return MindJob.of(key(`mind-${mind}`), input, { rootEvent: run.rootEvent });
  });
}

function auditJob(state: Exchange): Job {
  const [audit, attempt] = [state.audits.length + 1, state.auditTries + 1];
  const { run } = state;
  const input = { audit, attempt, round: state.rounds.length, run: run?.run ?? 0 };
  const key = `audit-${audit}-${attempt}-${state.rounds.length}-${input.run}-${run?.resumed ?? 0}-${state.auditsAsked}-${state.holds}`;
  const rootEvent = state.auditAsked ? state.auditAskedIn : run?.rootEvent;
  return AuditJob.of(key, input, rootEvent === undefined ? {} : { rootEvent });
}
