import { isRefusal, type Refusal, type RefusalCode } from '../../core/refusal.ts';
import { isStoreAway } from '../../log/event-log.ts';
import { realTime } from '../../models/resilience/time.ts';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 15_000;
/** Refusals that pass once the disk has room, the store is back, or other writers pause. */
const TRANSIENT: ReadonlySet<RefusalCode> = new Set(['store_unavailable', 'no_space', 'conflict']);

/**
 * Stores something that took time or money to make, retrying until the store accepts it. When `stop` is aborted because
 * the process ends, it tries once more and returns or throws that result. `beforeRetry` is called once, after the first
 * failure.
 */
export async function storeWithRetry<T>(
  write: () => Promise<T | Refusal>,
  stop: AbortSignal,
  beforeRetry?: () => Promise<void>,
): Promise<T | Refusal> {
  for (let failures = 0; ; failures++) {
    const isLast = stop.aborted;
    try {
      const result = await write();
      if (isLast || !isRefusal(result) || !TRANSIENT.has(result.refusal.code)) return result;
    } catch (error) {
      if (isLast || !isStoreAway(error)) throw error;
    }
    if (failures === 0) await beforeRetry?.();
    await realTime.wait(Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS), stop);
  }
}
