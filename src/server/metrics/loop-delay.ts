import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;
/** A look tells of the last one to two of these. */
const WINDOW_MS = 60_000;
const NS = 1e9;

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
  const all = startHistogram();
  let older = startHistogram();
  // A histogram misses its first interval, so each begins while the one before it is still read.
  let newer = startHistogram();
  const slide = setInterval(() => {
    older.disable();
    older = newer;
    newer = startHistogram();
  }, WINDOW_MS).unref();
  return {
    quantile: (share) => late(older.percentile(share * 100)),
    total: () => ({ sum: all.count === 0 ? 0 : late(all.mean) * all.count, count: all.count }),
    close() {
      clearInterval(slide);
      for (const histogram of [all, older, newer]) histogram.disable();
    },
  };
}

function startHistogram(): ELDHistogram {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return histogram;
}

/** What is measured is the time between two looks, of which the resolution is on purpose. */
function late(ns: number): number {
  return Math.max(0, ns / NS - RESOLUTION_MS / 1000);
}
