import { useStore } from '../../data/store.ts';
import { clock } from '../../ui/time.tsx';
import { isWaiting, WaitingLine } from '../model-wait.tsx';
import type { Status } from './queries.ts';

/** Which audit is on its way, and what it waits for (X1, D31). */
export function Auditing({ status }: { readonly status: Status }) {
  const now = useStore(clock);
  const { auditing, run } = status;
  if (!auditing) return null;
  const { audit, waiting, after_round } = auditing;
  const waits = waiting !== undefined && isWaiting(waiting, Math.max(now, Date.now()));
  const does = after_round ? 'begins when this round is over' : waits ? 'was asked for' : 'is being written';
  const sentence = `Audit ${audit} ${does}.`;
  return (
    <>
      {/* Said once: it may stand above as what the exchange does. */}
      {sentence !== status.attention.reason && (
        <p className="soft" role="status" aria-label="Audit">
          {sentence}
        </p>
      )}
      {/* Rounds that are under way tell their own wait. */}
      {run?.state !== 'running' && <WaitingLine waiting={waiting} />}
    </>
  );
}
