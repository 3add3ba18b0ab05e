import { xoshiro128 } from '../../../core/util/random.ts';

/** Random numbers from 0 up to 1, identical for the same seed and choice on every machine. */
export function randomFor(seed: number, choice: number): () => number {
  const nextWord = xoshiro128(...seedWords(seed, choice));
  return () => nextWord() / 2 ** 32;
}

/** Derives four words so that nearby seeds and choices give unrelated sequences. */
function seedWords(seed: number, choice: number): [number, number, number, number] {
  let state = Math.imul(choice + 1, 0x9e3779b9) ^ Math.imul(Math.floor(seed / 2 ** 32), 0x85ebca6b) ^ (seed | 0);
  const nextWord = () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  };
  return [nextWord(), nextWord(), nextWord(), nextWord()];
}
