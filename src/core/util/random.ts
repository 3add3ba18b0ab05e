/** Pseudo-random numbers that depend only on a seed: the same on every machine, so a recorded seed repeats them. */
export interface SeededRandom {
  /** A whole number from 0 up to, not including, `end`; each equally likely. */
  below(end: number): number;
}

const WORD_RANGE = 2 ** 32;

/** Any whole number up to 2^53 is a seed. */
export function seededRandom(seed: number): SeededRandom {
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`A seed is a whole number from 0 to 2^53, not ${seed}.`);
  const nextSeedWord = createSeedMixer(seed % WORD_RANGE, Math.floor(seed / WORD_RANGE));
  const nextWord = xoshiro128(nextSeedWord(), nextSeedWord(), nextSeedWord(), nextSeedWord());

  return {
    below(end) {
      if (!Number.isInteger(end) || end < 1 || end > WORD_RANGE)
        throw new Error(`There is no whole number below ${end}.`);
      // Words past the last whole multiple would favour small numbers: draw again.
      const limit = WORD_RANGE - (WORD_RANGE % end);
      for (;;) {
        const value = nextWord();
        if (value < limit) return value % end;
      }
    },
  };
}

/** xoshiro128** (Blackman and Vigna): four words of state, every step turns them by shifts and exclusive ors. */
export function xoshiro128(a: number, b: number, c: number, d: number): () => number {
  return () => {
    const out = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotateLeft(d, 11);
    return out;
  };
}

/** Spreads the seed over words that are never all zero, so that neighbouring seeds have nothing in common. */
function createSeedMixer(low: number, high: number): () => number {
  let state = low ^ Math.imul(high, 0x85ebca6b) ^ 0x9e3779b9;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let word = state ^ high;
    word = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
    return word ^ (word >>> 15);
  };
}

function rotateLeft(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
