import type { Lease } from './event-log.ts';

/** Another process takes over within this time (L19), so a lease with longer to run is no reason to wait (L26). */
export const MAX_TAKEOVER_MS = 10_000;

export type LeaseRow = Pick<Lease, 'holder' | 'fence'> & { readonly expires: number };

/** The lease that replaces the current one; undefined while the current one is running and belongs to someone else. */
export function nextLease(
  current: LeaseRow | undefined,
  request: Pick<Lease, 'name' | 'holder'>,
  now: number,
  ttlMs: number,
): Lease | undefined {
  if (!current) return { ...request, fence: 1 };
  const isOver = current.expires <= now;
  if (current.holder === request.holder && !isOver) return { ...request, fence: current.fence };
  // No lease is taken for longer. The clock was set back since, so the remaining time means nothing.
  const isFromFuture = current.expires > now + Math.max(ttlMs, MAX_TAKEOVER_MS);
  return isOver || isFromFuture ? { ...request, fence: current.fence + 1 } : undefined;
}
