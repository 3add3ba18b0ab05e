/*
 * SentencePiece byte-pair encoding, as used to train the weights: a text starts with one added space, its characters
 * are merged best-scored piece first, and anything no piece covers is spelled in bytes. So every text can be encoded,
 * and decoding restores it exactly.
 */

export interface Tokenizer {
  /** Encodes a whole text, or one that continues another (`isContinuation`). The text must be well-formed. */
  encode(text: string, isContinuation?: boolean): number[];
  decode(tokens: readonly number[]): string;
  /** The bytes a token represents within a text. */
  bytesOf(token: number): Uint8Array;
  /** The token as text; bytes that are not characters become U+FFFD. */
  textOf(token: number): string;
  /** Whether this token spells one byte of a character rather than a piece. */
  isByte(token: number): boolean;
  readonly size: number;
}

/** Starts a text, and ends the one before it. */
export const BEGIN = 1;
export const END = 2;
const FIRST_BYTE = 3;
const FIRST_PIECE = FIRST_BYTE + 256;
/** No piece continues past a space that follows a letter, so a text can be encoded word by word. */
const WORD_PATTERN = / +[^ ]*|[^ ]+/g;
const MAX_CACHED_WORDS = 20_000;
const MAX_CACHED_WORD_LENGTH = 64;

/** Reads llama2.c's table: the longest piece, then the score, length and bytes of every token. */
export function createTokenizer(table: Buffer, size: number): Tokenizer {
  const { pieces, scores } = readTable(table, size);
  const texts = pieces.map((piece) => piece.toString('utf8'));
  const ids = new Map<string, number>();
  const cachedWords = new Map<string, readonly number[]>();
  for (let id = size - 1; id >= FIRST_PIECE; id--) ids.set(texts[id]!, id);

  function encode(text: string, isContinuation = false): number[] {
    if (text === '') return [];
    return (isContinuation ? text : ` ${text}`).match(WORD_PATTERN)!.flatMap(encodeWord);
  }

  function encodeWord(word: string): readonly number[] {
    const cached = cachedWords.get(word);
    if (cached) return cached;
    const tokens = mergePairs(spell(word));
    if (cachedWords.size >= MAX_CACHED_WORDS) cachedWords.clear();
    if (word.length <= MAX_CACHED_WORD_LENGTH) cachedWords.set(word, tokens);
    return tokens;
  }

  function spell(text: string): number[] {
    const tokens: number[] = [];
    for (const character of text) {
      const id = ids.get(character);
      if (id !== undefined) tokens.push(id);
      else for (const byte of Buffer.from(character)) tokens.push(FIRST_BYTE + byte);
    }
    return tokens;
  }

  /** Merges neighbours, best-scored pair first and leftmost among equals, until no two form a piece. */
  function mergePairs(tokens: number[]): number[] {
    const next = tokens.map((_, i) => i + 1);
    const previous = tokens.map((_, i) => i - 1);
    const isMerged = new Uint8Array(tokens.length);
    const queue = createMergeQueue((a, b) => b.score - a.score || a.left - b.left);
    const offerPair = (left: number) => {
      const right = next[left]!;
      if (left < 0 || right >= tokens.length) return;
      const [a, b] = [tokens[left]!, tokens[right]!];
      if (a < FIRST_PIECE || b < FIRST_PIECE) return;
      const merged = ids.get(texts[a]! + texts[b]!);
      if (merged !== undefined) queue.add({ left, right, a, b, merged, score: scores[merged]! });
    };
    for (let i = 0; i + 1 < tokens.length; i++) offerPair(i);
    for (let best = queue.take(); best; best = queue.take()) {
      const { left, right, a, b, merged } = best;
      // One of the two has been merged with another since.
      if (isMerged[left] || isMerged[right] || tokens[left] !== a || tokens[right] !== b) continue;
      tokens[left] = merged;
      isMerged[right] = 1;
      next[left] = next[right]!;
      if (next[left]! < tokens.length) previous[next[left]!] = left;
      if (previous[left]! >= 0) offerPair(previous[left]!);
      offerPair(left);
    }
    return tokens.filter((_, i) => !isMerged[i]);
  }

  function decode(tokens: readonly number[]): string {
    const text = Buffer.concat(tokens.map((token) => pieces[token]!)).toString('utf8');
    return text.startsWith(' ') ? text.slice(1) : text;
  }

  return {
    encode,
    decode,
    bytesOf: (token) => pieces[token]!,
    textOf: (token) => texts[token]!,
    isByte: (token) => token >= FIRST_BYTE && token < FIRST_PIECE,
    size,
  };
}

function readTable(table: Buffer, size: number): { pieces: Buffer[]; scores: Float32Array } {
  const scores = new Float32Array(size);
  let offset = 4;
  const pieces = Array.from({ length: size }, (_, id) => {
    scores[id] = table.readFloatLE(offset);
    const length = table.readInt32LE(offset + 4);
    offset += 8 + length;
    if (id < FIRST_BYTE) return Buffer.alloc(0);
    // The table spells bytes as characters.
    if (id < FIRST_PIECE) return Buffer.of(id - FIRST_BYTE);
    return table.subarray(offset - length, offset);
  });
  return { pieces, scores };
}

interface MergePair {
  readonly left: number;
  readonly right: number;
  readonly a: number;
  readonly b: number;
  readonly merged: number;
  readonly score: number;
}

/** A binary heap: the first in order is taken first. */
function createMergeQueue(compare: (a: MergePair, b: MergePair) => number) {
  const heap: MergePair[] = [];
  const isBefore = (i: number, j: number) => compare(heap[i]!, heap[j]!) < 0;
  const swap = (i: number, j: number) => {
    [heap[i], heap[j]] = [heap[j]!, heap[i]!];
  };
  return {
    add(pair: MergePair): void {
      heap.push(pair);
      for (let i = heap.length - 1; i > 0 && isBefore(i, (i - 1) >> 1); i = (i - 1) >> 1) swap(i, (i - 1) >> 1);
    },
    take(): MergePair | undefined {
      const first = heap[0];
      const last = heap.pop();
      if (heap.length === 0 || last === undefined) return first;
      heap[0] = last;
      for (let i = 0; ; ) {
        const left = 2 * i + 1;
        const child = left + 1 < heap.length && isBefore(left + 1, left) ? left + 1 : left;
        if (left >= heap.length || !isBefore(child, i)) return first;
        swap(i, child);
        i = child;
      }
    },
  };
}
