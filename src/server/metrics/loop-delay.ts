import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;
/** A look tells of the last one to two of these. */
const WINDOW_MS = 60_000;
const NS_PER_SECOND = 1e9;

export interface LoopDelay {
  /** Seconds by which this share of the turns came late, lately; 1 is the longest stall. */
  quantile(share: number): number;
  /** Seconds of delay since the start, and how often it was measured. */
  total(): { readonly sum: number; readonly count: number };
  close(): void;
}

/**
 * How late the event loop comes round: for so long nobody is answered. The
 * window slides, as that of any Prometheus summary: looking changes nothing,
 * and no stall falls between two looks, however many look.
 */
export function watchLoopDelay(): LoopDelay {
  const sinceStart = startHistogram();
  let older = startHistogram();
  // A histogram misses its first interval, so each begins while the one before it is still read.
  let newer = startHistogram();
  const slideTimer = setInterval(() => {
    older.disable();
    older = newer;
    newer = startHistogram();
  }, WINDOW_MS).unref();
  return {
    quantile: (share) => delaySeconds(older.percentile(share * 100)),
    total: () => ({
      sum: sinceStart.count === 0 ? 0 : delaySeconds(sinceStart.mean) * sinceStart.count,
      count: sinceStart.count,
    }),
    close() {
      clearInterval(slideTimer);
      for (const histogram of [sinceStart, older, newer]) histogram.disable();
    },
  };
}

function startHistogram(): ELDHistogram {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return histogram;
}

/** What is measured is the time between two looks, of which the resolution is on purpose. */
function delaySeconds(ns: number): number {
  return Math.max(0, ns / NS_PER_SECOND - RESOLUTION_MS / 1000);
}
