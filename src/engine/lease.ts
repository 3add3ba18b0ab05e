import type { EventLog, Lease } from '../log/event-log.ts';
import { realTime, type Time } from '../models/resilience/time.ts';

/** Long enough to outlive a slow renewal, short enough for a takeover well within 10 s (L19). */
export const TTL_MS = 5_000;
const RENEW_MS = 1_500;

export interface Held {
  readonly lease: Lease;
  /** Aborted when the lease is lost: whoever works under it stops. */
  readonly signal: AbortSignal;
}

/**
 * Runs `work` on one server at a time, for as long as `stop` is not aborted:
 * takes the lease when it is free, renews it, and lets go when the work ends.
 */
export async function whileHolding(
  log: EventLog,
  name: string,
  holder: string,
  stop: AbortSignal,
  work: (held: Held) => Promise<void>,
  time: Time = realTime,
): Promise<void> {
  while (!stop.aborted) {
    const lease = await log.lease(name, holder, TTL_MS).catch(() => undefined);
    if (lease) await underLease(log, lease, stop, work, time);
    await time.wait(RENEW_MS, stop);
  }
}

/** Works under a lease that was taken, renews it meanwhile and lets it go. */
export async function underLease(
  log: EventLog,
  lease: Lease,
  stop: AbortSignal,
  work: (held: Held) => Promise<void>,
  time: Time = realTime,
) {
  const lost = new AbortController();
  const ended = new AbortController();
  const renewing = renew(log, lease, lost, AbortSignal.any([stop, ended.signal]), time);
  try {
    await work({ lease, signal: AbortSignal.any([stop, lost.signal]) });
  } finally {
    ended.abort();
    await renewing;
    await log.release(lease).catch(() => {});
  }
}

async function renew(log: EventLog, lease: Lease, lost: AbortController, ended: AbortSignal, time: Time) {
  let renewed = time.now();
  while (!ended.aborted) {
    await time.wait(RENEW_MS, ended);
    if (ended.aborted) return;
    try {
      const again = await log.lease(lease.name, lease.holder, TTL_MS);
      if (again?.fence !== lease.fence) return lost.abort();
      renewed = time.now();
    } catch {
      if (time.now() - renewed > TTL_MS) return lost.abort();
    }
  }
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
