import type { Exchange } from '../state.ts';

/** An audit can begin in a run, on request, or if a run ended before its audit did. */
export function canAuditBegin({ run, auditAsked }: Exchange): boolean {
  return run?.state === 'running' || auditAsked;
}

/** The number of the audit in progress, including one that starts as soon as the round is over. */
export function auditInProgress(state: Exchange): number | undefined {
  const isUnderWay = state.auditDue && canAuditBegin(state) && !state.held && !state.halted;
  return isUnderWay ? state.audits.length + 1 : undefined;
}
