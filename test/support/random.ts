/** A small seeded generator, so that a failing run can be run again from its seed. */
export function seeded(seed: number) {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number) => Math.floor(next() * limit);
  return { next, below, pick: <T>(list: readonly T[]) => list[below(list.length)] as T };
}

/** How many runs a fuzz test makes: a short slice in the tests, more with HEDDLE_FUZZ_RUNS. */
export function fuzzRuns(slice: number): number {
  return Number(process.env.HEDDLE_FUZZ_RUNS ?? slice);
}

/** Runs from seeds drawn anew each time, or from HEDDLE_SEED; a failure names its seed. */
export function fromSeeds(slice: number, run: (seed: number) => void): void {
  for (let i = 0; i < fuzzRuns(slice); i++) {
    const seed = Number(process.env.HEDDLE_SEED ?? Math.floor(Math.random() * 2 ** 31));
    try {
      run(seed);
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  }
}
