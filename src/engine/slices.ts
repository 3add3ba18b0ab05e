import { setImmediate as nextTurn } from 'node:timers/promises';

/** So long may work go on before everybody else has a turn (T23). */
const SLICE_MS = 4;

/** Work in slices: `if (slices.isOver()) await slices.next()` between two steps of it. */
export function createSlices(wait: () => Promise<unknown> = nextTurn) {
  let began = performance.now();

  return {
    isOver: () => performance.now() - began >= SLICE_MS,
    async next(): Promise<void> {
      await wait();
      began = performance.now();
    },
  };
}

export type Slices = ReturnType<typeof createSlices>;

const waiting: (() => void)[] = [];

/**
 * A place in the line of long work: of all that wait in it, one slice is done before everybody else has a turn. So a
 * hundred who ask for old states at once delay others no more than one does.
 */
export function turnInLine(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(letOneGo);
  });
}

function letOneGo() {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(letOneGo);
}
