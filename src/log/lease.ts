import type { Lease } from './event-log.ts';

/** Within this another takes over (L19), so a lease that has longer to run is no reason to wait (L26). */
export const MAX_TAKEOVER_MS = 10_000;

export type LeaseRow = Pick<Lease, 'holder' | 'fence'> & { readonly expires: number };

/** The lease that a taker gets in place of the one there is; undefined while that one is another's and running. */
export function nextLease(
  current: LeaseRow | undefined,
  request: Pick<Lease, 'name' | 'holder'>,
  now: number,
  ttlMs: number,
): Lease | undefined {
  if (!current) return { ...request, fence: 1 };
  const isOver = current.expires <= now;
  if (current.holder === request.holder && !isOver) return { ...request, fence: current.fence };
  // Nobody takes a lease for longer: the clock was set back since, and the time it would still run says nothing.
  const isFromFuture = current.expires > now + Math.max(ttlMs, MAX_TAKEOVER_MS);
  return isOver || isFromFuture ? { ...request, fence: current.fence + 1 } : undefined;
}
