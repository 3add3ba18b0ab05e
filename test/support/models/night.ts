import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { RENEW_MS } from '../../../src/engine/lease.ts';
import { DEFAULT_TIMEOUTS } from '../../../src/models/remote/options.ts';
import { GRACE_MS } from '../../../src/models/resilience/attempts.ts';
import { realTime, type Time } from '../../../src/models/resilience/time.ts';

/** Turns of the event loop in which whatever was just woken gets on with it. */
const TURNS = 20;

interface Timer {
  readonly at: number;
  /** Leases are renewed as time passes; it does not pass for them. */
  readonly isBackground: boolean;
  readonly fire: () => void;
}

/**
 * A clock for a whole night: time jumps to whatever is waited for next, but stands still while a model is asked. A
 * request goes on while the watch over it waits for its time-out, which never comes here; a provider that takes its time
 * waits by `thinking`.
 */
export function createNight(start = Date.parse('2030-01-01T22:00:00Z')) {
  let now = start;
  const timers = new Set<Timer>();
  let asking = 0;
  let answering = 0;

  const time: Time = {
    now: () => now,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const end = () => {
          timers.delete(timer);
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const timer = { at: now + ms, isBackground: ms === RENEW_MS, fire: end };
        timers.add(timer);
        signal?.addEventListener('abort', end, { once: true });
      }),
  };

  const models: Time = {
    now: () => now,
    wait: async (ms, signal) => {
      if (ms === GRACE_MS) return realTime.wait(100, signal);
      // Pauses between tries are shorter than any time-out.
      if (ms < DEFAULT_TIMEOUTS.idle) return time.wait(ms, signal);
      asking++;
      await new Promise<void>((resolve) => {
        if (signal?.aborted) resolve();
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
      asking--;
    },
  };

  async function thinking(ms: number): Promise<void> {
    answering++;
    await time.wait(ms);
    answering--;
  }

  /** Lets time pass until something holds. */
  async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await holds())) {
      // What came is compressed off this thread: on a busy machine that takes as long as this does.
      await promisify(gzip)('');
      for (let turn = 0; turn < TURNS; turn++) await new Promise(setImmediate);
      if (asking > answering) continue;
      // While a wait is being written down, only leases have timers: the clock stands still until it is.
      if (![...timers].some(({ isBackground }) => !isBackground)) continue;
      const next = [...timers].reduce((a, b) => (a.at <= b.at ? a : b));
      now = Math.max(now, next.at);
      next.fire();
    }
  }

  return { now: time.now, time, models, thinking, until };
}
