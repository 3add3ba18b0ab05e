import type { ModelWait } from '../../src/core/runs/schema.ts';
import { isWaiting } from '../../src/core/runs/wait.ts';
import { useStore } from '../data/store.ts';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { clock, formatTime } from '../ui/time.tsx';

type ModelWaitView = Pick<ModelWait, 'until' | 'why'>;

/** Until when a run waits for its model, and why; empty once the model is called again. */
export function ModelWaitLine({ waiting }: { readonly waiting: ModelWaitView | undefined }) {
  const now = useStore(clock);
  if (!waiting || !isWaiting(waiting, Math.max(now, Date.now()))) return null;
  return (
    <p className="warned" role="status" aria-label="Waiting">
      Waiting for the model until <time dateTime={waiting.until}>{formatTime(new Date(waiting.until))}</time>:{' '}
      <span dir="auto">{escapeBidi(waiting.why)}</span>
    </p>
  );
}

export function modelWaitText(waiting: ModelWaitView): string {
  return `waiting for the model until ${formatTime(new Date(waiting.until))}: ${escapeBidi(waiting.why)}`;
}
