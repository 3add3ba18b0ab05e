import type { Lease } from './event-log.ts';

/** Within this another takes over (L19), so a lease that has longer to run is no reason to wait (L26). */
export const LONGEST_WAIT_MS = 10_000;

export type LeaseRow = Pick<Lease, 'holder' | 'fence'> & { readonly expires: number };

/** The lease that a taker gets in place of the one there is; undefined while that one is another's and running. */
export function nextLease(
  current: LeaseRow | undefined,
  wanted: Pick<Lease, 'name' | 'holder'>,
  now: number,
  ttlMs: number,
): Lease | undefined {
  if (!current) return { ...wanted, fence: 1 };
  const isOver = current.expires <= now;
  if (current.holder === wanted.holder && !isOver) return { ...wanted, fence: current.fence };
  // Nobody takes a lease for longer: the clock was set back since, and the time it would still run says nothing.
  const isFromTheFuture = current.expires > now + Math.max(ttlMs, LONGEST_WAIT_MS);
  return isOver || isFromTheFuture ? { ...wanted, fence: current.fence + 1 } : undefined;
}
