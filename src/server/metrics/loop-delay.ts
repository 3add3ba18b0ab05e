import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;
/** A reading covers the last one to two windows. */
const WINDOW_MS = 60_000;
const NS_PER_SECOND = 1e9;

export interface LoopDelay {
  /** The recent delay in seconds at this quantile; 1 is the longest stall. */
  quantile(share: number): number;
  /** Total seconds of delay since the start, and the number of measurements. */
  total(): { readonly sum: number; readonly count: number };
  close(): void;
}

/**
 * Measures the delay of the event loop, during which no request is answered. The window slides like that of any
 * Prometheus summary: reading changes nothing, and no stall is lost between two readings, however many readers there
 * are.
 */
export function watchLoopDelay(): LoopDelay {
  const sinceStart = startHistogram();
  let older = startHistogram();
  // A histogram misses its first interval, so each one starts while the previous one is still in use.
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

/** Subtracts the sampling resolution: the histogram records the time between two samples, which includes it. */
function delaySeconds(ns: number): number {
  return Math.max(0, ns / NS_PER_SECOND - RESOLUTION_MS / 1000);
}
