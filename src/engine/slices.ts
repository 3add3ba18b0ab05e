import { setImmediate as nextTurn } from 'node:timers/promises';

/** So long may work go on before everybody else has a turn (T23). */
const SLICE_MS = 4;

/** Work in slices: `if (slices.isOver()) await slices.next()` between two steps of it. */
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
 * A place in the line of long work: of all that wait in it, one slice is done before everybody else has a turn. So a
 * hundred who ask for old states at once delay others no more than one does.
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
