import { useStore } from '../data/store.ts';
import { visible } from '../ui/text/visible.ts';
import { clock, exactTime } from '../ui/time.tsx';

interface Waiting {
  readonly until: string;
  readonly why: string;
}

/** Until when a run waits for its model, and why; nothing once the model is asked again. */
export function WaitingLine({ waiting }: { readonly waiting: Waiting | undefined }) {
  const now = useStore(clock);
  if (!waiting || !isWaiting(waiting, Math.max(now, Date.now()))) return null;
  return (
    <p className="warned" role="status" aria-label="Waiting">
      Waiting for the model until <time dateTime={waiting.until}>{exactTime(new Date(waiting.until))}</time>:{' '}
      <span dir="auto">{visible(waiting.why)}</span>
    </p>
  );
}

export function waitingWords(waiting: Waiting): string {
  return `waiting for the model until ${exactTime(new Date(waiting.until))}: ${visible(waiting.why)}`;
}

export function isWaiting({ until }: Waiting, now: number = Date.now()): boolean {
  return Date.parse(until) > now;
}
