import { DEFAULT_TIMEOUTS, type Timeouts } from '../../../src/models/remote/options.ts';
import { GRACE_MS } from '../../../src/models/resilience/attempts.ts';
import { realTime, type Time } from '../../../src/models/resilience/time.ts';

/** How long a stopped model is really listened to: enough for one that still answers. */
const REAL_GRACE_MS = 500;

/** Time for tests of faults: pauses are over at once and noted, time-outs come when the test says so. */
export interface ModelTime extends Time {
  readonly pauses: readonly number[];
  /** Lets so much time pass. */
  pass(ms: number): void;
  /** This time-out strikes as soon as somebody waits for it and `when` has come. */
  strike(which: keyof Timeouts, when?: Promise<unknown>): void;
}

export function createModelTime(timeouts: Timeouts = DEFAULT_TIMEOUTS): ModelTime {
  const pauses: number[] = [];
  const strikes = new Map<number, Promise<unknown>>();
  let now = Date.parse('2030-01-01T00:00:00Z');
  const start = now;
  return {
    pauses,
    now: () => now,
    pass: (ms) => {
      now += ms;
    },
    strike: (which, when = Promise.resolve()) => void strikes.set(timeouts[which], when),
    wait: async (ms, signal) => {
      if (ms === GRACE_MS) return realTime.wait(REAL_GRACE_MS, signal);
      const left = timeouts.total - (now - start);
      const limit = ms === left ? timeouts.total : Object.values(timeouts).find((each) => each === ms);
      if (limit === undefined) {
        pauses.push(ms);
        now += ms;
        return;
      }
      const strike = strikes.get(limit);
      if (strike) return void (await strike);
      await new Promise<void>((resolve) => {
        if (signal?.aborted) resolve();
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    },
  };
}
