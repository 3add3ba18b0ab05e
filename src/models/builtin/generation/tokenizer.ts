/*
 * SentencePiece byte-pair encoding, as the weights were trained with: a text begins with one added space, its characters
 * are joined by the best-scored piece first, and what no piece covers is spelled in bytes. So every text can be
 * encoded, and decoding gives it back to the letter.
 */

export interface Tokenizer {
  /** A whole text from its beginning, or one that goes on from another (`within`). Text must be well formed. */
  encode(text: string, within?: boolean): number[];
  decode(tokens: readonly number[]): string;
  /** The bytes a token stands for within a text. */
  bytesOf(token: number): Uint8Array;
  /** The same as text; bytes that are no characters come out as U+FFFD. */
  textOf(token: number): string;
  /** Does this token spell one byte of a character (and not a piece)? */
  isByte(token: number): boolean;
  readonly size: number;
}

/** Begins a text, and ends the one before it. */
export const BEGIN = 1;
export const END = 2;
const FIRST_BYTE = 3;
const FIRST_PIECE = FIRST_BYTE + 256;
/** No piece goes on after a space that follows a letter, so a text can be encoded word by word. */
const WORDS = / +[^ ]*|[^ ]+/g;
const WORDS_KEPT = 20_000;
const LONGEST_WORD_KEPT = 64;

/** From llama2.c's table: the longest piece, then for every token its score, its length and its bytes. */
export function createTokenizer(table: Buffer, size: number): Tokenizer {
  const { pieces, scores } = readTable(table, size);
  const texts = pieces.map((piece) => piece.toString('utf8'));
  const ids = new Map<string, number>();
  const words = new Map<string, readonly number[]>();
  for (let id = size - 1; id >= FIRST_PIECE; id--) ids.set(texts[id]!, id);

  function encode(text: string, within = false): number[] {
    if (text === '') return [];
    return (within ? text : ` ${text}`).match(WORDS)!.flatMap(encodeWord);
  }

  function encodeWord(word: string): readonly number[] {
    const known = words.get(word);
    if (known) return known;
    const tokens = join(spell(word));
    if (words.size >= WORDS_KEPT) words.clear();
    if (word.length <= LONGEST_WORD_KEPT) words.set(word, tokens);
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

  /** Joins neighbours, the best-scored pair first and of equals the leftmost, until no two make a piece. */
  function join(tokens: number[]): number[] {
    const next = tokens.map((_, i) => i + 1);
    const previous = tokens.map((_, i) => i - 1);
    const gone = new Uint8Array(tokens.length);
    const queue = createQueue((a, b) => b.score - a.score || a.left - b.left);
    const offer = (left: number) => {
      const right = next[left]!;
      if (left < 0 || right >= tokens.length) return;
      const [a, b] = [tokens[left]!, tokens[right]!];
      if (a < FIRST_PIECE || b < FIRST_PIECE) return;
      const joined = ids.get(texts[a]! + texts[b]!);
      if (joined !== undefined) queue.add({ left, right, a, b, joined, score: scores[joined]! });
    };
    for (let i = 0; i + 1 < tokens.length; i++) offer(i);
    for (let best = queue.take(); best; best = queue.take()) {
      const { left, right, a, b, joined } = best;
      // One of the two has been joined with another since.
      if (gone[left] || gone[right] || tokens[left] !== a || tokens[right] !== b) continue;
      tokens[left] = joined;
      gone[right] = 1;
      next[left] = next[right]!;
      if (next[left]! < tokens.length) previous[next[left]!] = left;
      if (previous[left]! >= 0) offer(previous[left]!);
      offer(left);
    }
    return tokens.filter((_, i) => !gone[i]);
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
  let at = 4;
  const pieces = Array.from({ length: size }, (_, id) => {
    scores[id] = table.readFloatLE(at);
    const length = table.readInt32LE(at + 4);
    at += 8 + length;
    if (id < FIRST_BYTE) return Buffer.alloc(0);
    // The table spells bytes as if they were characters.
    if (id < FIRST_PIECE) return Buffer.of(id - FIRST_BYTE);
    return table.subarray(at - length, at);
  });
  return { pieces, scores };
}

interface Pair {
  readonly left: number;
  readonly right: number;
  readonly a: number;
  readonly b: number;
  readonly joined: number;
  readonly score: number;
}

/** A binary heap: the first in order is taken first. */
function createQueue(order: (a: Pair, b: Pair) => number) {
  const heap: Pair[] = [];
  const before = (i: number, j: number) => order(heap[i]!, heap[j]!) < 0;
  const swap = (i: number, j: number) => {
    [heap[i], heap[j]] = [heap[j]!, heap[i]!];
  };
  return {
    add(pair: Pair): void {
      heap.push(pair);
      for (let i = heap.length - 1; i > 0 && before(i, (i - 1) >> 1); i = (i - 1) >> 1) swap(i, (i - 1) >> 1);
    },
    take(): Pair | undefined {
      const first = heap[0];
      const last = heap.pop();
      if (heap.length === 0 || last === undefined) return first;
      heap[0] = last;
      for (let i = 0; ; ) {
        const left = 2 * i + 1;
        const child = left + 1 < heap.length && before(left + 1, left) ? left + 1 : left;
        if (left >= heap.length || !before(child, i)) return first;
        swap(i, child);
        i = child;
      }
    },
  };
}
