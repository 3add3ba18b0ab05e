import { auditInProgress } from '../rounds/audit-progress.ts';
import { type Exchange, isControl } from '../state.ts';
import type { ExchangeAttention } from './schema.ts';

/**
 * What the exchange needs from the observer now. `isServed`: whether a process is there to do the pending jobs; a
 * killed process leaves its run behind.
 */
export function attentionOf(state: Exchange, isServed = true): ExchangeAttention {
  const { run, pending, awaiting, halted, held } = state;
  if (halted) return { level: 'idle', reason: `Halted by ${halted.by}: ${halted.reason}` };
  if (pending && pending.policy !== 'branch' && !isControl(state))
    return { level: 'needs_you', reason: 'The pool asks for a restart.' };
  if (awaiting !== undefined)
    return {
      level: 'needs_you',
      reason: `Audit ${awaiting} waits for your answer. You can also continue without one.`,
    };
  // A hold by a person needs no attention: the rounds continue when it is released (T7).
  if (run?.state === 'running' && held)
    return { level: 'idle', reason: 'The thread is paused; the rounds continue when it is resumed.' };
  if (run?.state === 'running' && !isServed)
    return { level: 'idle', reason: `Run ${run.run} was interrupted ("logos run" continues it).` };
  if (run?.state === 'running' && run.waiting)
    return { level: 'running', reason: 'Rounds are running, waiting for the model.' };
  if (run?.state === 'running') return { level: 'running', reason: 'Rounds are running.' };
  if (run?.state === 'paused') {
    return { level: run.reason === 'asked' ? 'idle' : 'needs_you', reason: run.why ?? 'The rounds are paused.' };
  }
  const audit = isServed ? auditInProgress(state) : undefined;
  if (audit !== undefined) {
    const reason = state.auditWaiting ? `Audit ${audit} waits for the model.` : `Audit ${audit} is being written.`;
    return { level: 'running', reason };
  }
  return { level: 'idle', reason: 'No rounds are running.' };
}
