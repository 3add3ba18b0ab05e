import type { VectorSource } from './embedder.ts';

const EMBEDDER_NAME = 'lexical-1';
const WIDTH = 384;
const MAX_GRAM_LENGTH = 5;

/** Compares texts by the words and parts of words they share. It does not understand meaning, and needs no weights. */
export const LEXICAL: VectorSource = {
  embed: async (texts) => texts.map((text) => ({ embedder: EMBEDDER_NAME, values: vectorOf(text) })),
  close: async () => {},
};

function vectorOf(text: string): Float32Array {
  const counts = new Map<string, number>();
  for (const gram of gramsOf(text)) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  const sums = new Float64Array(WIDTH);
  for (const [gram, count] of counts) {
    const hash = hashOf(gram);
    // Half of the grams count negatively, so that two grams in the same slot do not look alike.
    sums[hash % WIDTH]! += (hash >>> 31 === 0 ? 1 : -1) * (1 + Math.log(count)) * weightOf(gram);
  }
  const length = Math.hypot(...sums) || 1;
  return Float32Array.from(sums, (sum) => sum / length);
}

/** Yields whole words, and every three to five consecutive letters of a word with its boundaries. */
function* gramsOf(text: string): Generator<string> {
  for (const [word] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    yield `=${word}`;
    const letters = [...`<${word}>`];
    for (let length = 3; length <= MAX_GRAM_LENGTH; length++) {
      for (let start = 0; start + length <= letters.length; start++)
        yield letters.slice(start, start + length).join('');
    }
  }
  // A text without words must still be similar to itself.
  yield `:${text.trim().slice(0, 64)}`;
}

function weightOf(gram: string): number {
  if (gram.startsWith(':')) return 0.1;
  return gram.startsWith('=') ? 2 : 1;
}

/** FNV-1a over UTF-16 units, with a final mix so that the lowest and highest bits depend on all. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
