import { setTimeout as sleep } from 'node:timers/promises';

/** The clock and timers used for timeouts, so that a test can control both. */
export interface Time {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal aborts. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay a timer supports; nobody waits a month for a model. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const realTime: Time = {
  // Setting the system clock back must not prolong a pause or a timeout (L26).
  now: () => performance.timeOrigin + performance.now(),
  wait: async (ms, signal) => {
    await sleep(Math.min(ms, MAX_TIMER_MS), undefined, { signal }).catch(() => {});
  },
};
