import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum time for work before it yields to others (T23). */
const SLICE_MS = 4;

/** Divides long work into slices: call `if (slices.isOver()) await slices.next()` between steps. */
export function createSlices(wait: () => Promise<unknown> = nextTurn) {
  let startedAt = performance.now();

  return {
    isOver: () => performance.now() - startedAt >= SLICE_MS,
    async next(): Promise<void> {
      await wait();
      startedAt = performance.now();
    },
  };
}

export type Slices = ReturnType<typeof createSlices>;

const waiters: (() => void)[] = [];

/**
 * Waits in one queue with all other long work, which gets one slice per turn of the event loop. So a hundred requests
 * for old states delay others no more than one does.
 */
export function waitInLine(): Promise<void> {
  return new Promise((resolve) => {
    waiters.push(resolve);
    if (waiters.length === 1) setImmediate(releaseNext);
  });
}

function releaseNext() {
  waiters.shift()?.();
  if (waiters.length > 0) setImmediate(releaseNext);
}
