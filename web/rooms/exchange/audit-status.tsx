import type { ExchangeStatus } from '../../../src/client/index.ts';
import { isWaiting } from '../../../src/core/runs/wait.ts';
import { useStore } from '../../data/store.ts';
import { clock } from '../../ui/time.tsx';
import { ModelWaitLine } from '../model-wait.tsx';

/** The audit in progress, and what it waits for (X1, D31). */
export function AuditStatus({ status }: { readonly status: ExchangeStatus }) {
  const now = useStore(clock);
  const { auditing, run } = status;
  if (!auditing) return null;
  const { audit, waiting, after_round } = auditing;
  const isWaitingNow = waiting !== undefined && isWaiting(waiting, Math.max(now, Date.now()));
  const activity = after_round ? 'begins when this round is over' : isWaitingNow ? 'was asked for' : 'is being written';
  const sentence = `Audit ${audit} ${activity}.`;
  return (
    <>
      {/* Avoids repetition: the attention line above may say the same. */}
      {sentence !== status.attention.reason && (
        <p className="soft" role="status" aria-label="Audit">
          {sentence}
        </p>
      )}
      {/* Running rounds show their own wait. */}
      {run?.state !== 'running' && <ModelWaitLine waiting={waiting} />}
    </>
  );
}
