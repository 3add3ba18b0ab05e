import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { FETCH_MS, storiesFile } from '../../../../test/support/models/weights.ts';
import { fuzzRuns } from '../../../../test/support/random.ts';
import { createTokenizer, type Tokenizer } from './tokenizer.ts';

const TABLE_AT = 60_816_028;
const SIZE = 32_000;
let tokenizer: Tokenizer;
let ids: Map<string, number>;
let scores: number[];

beforeAll(async () => {
  const table = readFileSync(await storiesFile()).subarray(TABLE_AT);
  tokenizer = createTokenizer(table, SIZE);
  ({ ids, scores } = piecesOf(table));
}, FETCH_MS);

describe('[M3] tokens', () => {
  test('[M3] known texts have known tokens', () => {
    expect(tokenizer.encode('Once upon a time')).toEqual([9038, 2501, 263, 931]);
    expect(tokenizer.encode('Hello, world!')).toEqual([15043, 29892, 3186, 29991]);
    expect(tokenizer.encode('\n')).toEqual([29871, 13]);
    expect(tokenizer.encode('')).toEqual([]);
  });

  test('[M3] any text is decoded exactly as it was encoded', () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 100 }),
      fc
        .array(fc.constantFrom(' ', '  ', '\n', '\0', '\ufeff', '<s>', '</s>', '<0x0A>', '▁', 'the', '🎉', 'é', '中'))
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(any, (text) => tokenizer.decode(tokenizer.encode(text)) === text),
      { numRuns: fuzzRuns(500) },
    );
  });

  test('[M3] every Unicode character survives a round trip', () => {
    for (let from = 0; from < 0x110000; from += 0x1000) {
      const codes = Array.from({ length: 0x1000 }, (_, i) => from + i).filter((code) => code < 0xd800 || code > 0xdfff);
      const text = codes.map((code) => String.fromCodePoint(code)).join('');
      expect(tokenizer.decode(tokenizer.encode(text)) === text, `from U+${from.toString(16)}`).toBe(true);
    }
  });

  test('[M3] pieces are merged as if all neighbours were compared every time', () => {
    const words = fc.array(
      fc.constantFrom('once', 'upon', ' a', '  ', 'timetime', 'Tim', "'s", '\n', 'élan', '中文', '!!!'),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          words.map((parts) => parts.join(' ')),
          fc.string({ maxLength: 60 }),
        ),
        (text) => {
          expect(tokenizer.encode(text)).toEqual(text === '' ? [] : encodeNaively(` ${text}`));
        },
      ),
      { numRuns: fuzzRuns(200) },
    );
  });

  test('[M3] no piece continues past a space that follows a letter', () => {
    const crossing = Array.from({ length: SIZE }, (_, token) => tokenizer.textOf(token)).filter((text) =>
      /[^ ] /.test(text),
    );
    expect(crossing).toEqual([]);
  });

  test('[M3] a very long word is encoded without trouble', () => {
    const text = 'ab'.repeat(100_000);
    expect(tokenizer.decode(tokenizer.encode(text)) === text).toBe(true);
  });
});

/** The definition: look at all neighbours, join the best-scored two, begin again. */
function encodeNaively(text: string): number[] {
  const tokens = [...text].flatMap((character) => {
    const id = ids.get(character);
    return id === undefined ? [...Buffer.from(character)].map((byte) => byte + 3) : [id];
  });
  const textOf = (token: number) => (token < 259 ? undefined : tokenizer.textOf(token));
  for (;;) {
    let best = { score: Number.NEGATIVE_INFINITY, at: -1, id: -1 };
    for (let at = 0; at + 1 < tokens.length; at++) {
      const [left, right] = [textOf(tokens[at]!), textOf(tokens[at + 1]!)];
      const id = left === undefined || right === undefined ? undefined : ids.get(left + right);
      if (id !== undefined && scores[id]! > best.score) best = { score: scores[id]!, at, id };
    }
    if (best.at < 0) return tokens;
    tokens.splice(best.at, 2, best.id);
  }
}

function piecesOf(bytes: Buffer): { ids: Map<string, number>; scores: number[] } {
  const found = new Map<string, number>();
  const ranks: number[] = [];
  for (let at = 4, id = 0; id < SIZE; id++) {
    const length = bytes.readInt32LE(at + 4);
    ranks.push(bytes.readFloatLE(at));
    if (id >= 259) found.set(bytes.toString('utf8', at + 8, at + 8 + length), id);
    at += 8 + length;
  }
  return { ids: found, scores: ranks };
}
