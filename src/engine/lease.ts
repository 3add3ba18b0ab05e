import type { EventLog, Lease } from '../log/event-log.ts';
import { realTime, type Time } from '../models/resilience/time.ts';

/** Long enough to outlive a slow renewal, short enough for a takeover well within 10 s (L19). */
export const TTL_MS = 5_000;
export const RENEW_MS = 1_500;

export interface HeldLease {
  readonly lease: Lease;
  /** Aborted when the lease is lost: the work under it must stop. */
  readonly signal: AbortSignal;
}

/**
 * Runs `work` on one server at a time until `stop` is aborted: takes the lease when it is free, renews it, and releases
 * it when the work ends.
 */
export async function runWhileHolding(
  log: EventLog,
  name: string,
  holder: string,
  stop: AbortSignal,
  work: (held: HeldLease) => Promise<void>,
  time: Time = realTime,
): Promise<void> {
  while (!stop.aborted) {
    const lease = await log.lease(name, holder, TTL_MS).catch(() => undefined);
    if (lease) await runUnderLease(log, lease, stop, work, time);
    await time.wait(RENEW_MS, stop);
  }
}

/** Runs `work` under a lease already taken, renews it meanwhile and releases it. */
export async function runUnderLease(
  log: EventLog,
  lease: Lease,
  stop: AbortSignal,
  work: (held: HeldLease) => Promise<void>,
  time: Time = realTime,
) {
  const loss = new AbortController();
  const end = new AbortController();
  const renewals = renew(log, lease, loss, AbortSignal.any([stop, end.signal]), time);
  try {
    await work({ lease, signal: AbortSignal.any([stop, loss.signal]) });
  } finally {
    end.abort();
    await renewals;
    await log.release(lease).catch(() => {});
  }
}

async function renew(log: EventLog, lease: Lease, loss: AbortController, end: AbortSignal, time: Time) {
  let renewedAt = time.now();
  while (!end.aborted) {
    await time.wait(RENEW_MS, end);
    if (end.aborted) return;
    try {
      const renewal = await log.lease(lease.name, lease.holder, TTL_MS);
      if (renewal?.fence !== lease.fence) return loss.abort();
      renewedAt = time.now();
    } catch {
      if (time.now() - renewedAt > TTL_MS) return loss.abort();
    }
  }
}
