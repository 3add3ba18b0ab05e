/** Numbers from 0 up to 1, the same for the same seed and choice on every machine (xoshiro128**). */
export function randomFor(seed: number, choice: number): () => number {
  const state = Uint32Array.from(seedWords(seed, choice));
  return () => {
    const [a, b, c, d] = state as unknown as [number, number, number, number];
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    state[2] = c ^ a;
    state[3] = d ^ b;
    state[1] = b ^ c ^ a;
    state[0] = a ^ d ^ b;
    state[2]! ^= shifted;
    state[3] = rotate(state[3]!, 11);
    return result / 2 ** 32;
  };
}

/** Four words in which seeds and choices that lie close together have nothing in common. */
function* seedWords(seed: number, choice: number): Generator<number> {
  let state = Math.imul(choice + 1, 0x9e3779b9) ^ Math.imul(Math.floor(seed / 2 ** 32), 0x85ebca6b) ^ (seed | 0);
  for (let i = 0; i < 4; i++) {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    yield (mixed ^ (mixed >>> 16)) >>> 0;
  }
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
