import { setTimeout as sleep } from 'node:timers/promises';

/** The clock and the waiting of whoever has to do with time-outs, so that a test can hold both. */
export interface Time {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so long, or as soon as the signal says that nobody waits any more. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Timers hold no longer than this, and nobody waits a month for a model. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const realTime: Time = {
  // A clock that is set back while a model is spared, or waited for, must not make that longer (L26).
  now: () => performance.timeOrigin + performance.now(),
  wait: async (ms, signal) => {
    await sleep(Math.min(ms, MAX_TIMER_MS), undefined, { signal }).catch(() => {});
  },
};
