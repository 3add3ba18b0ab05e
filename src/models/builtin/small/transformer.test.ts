import { beforeAll, describe, expect, test } from 'vitest';
import { type NaiveLlama, naiveLlama } from '../../../../test/support/models/naive-llama.ts';
import { FETCH_MS, storiesFile } from '../../../../test/support/models/weights.ts';
import { BEGIN, createTokenizer, type Tokenizer } from '../generation/tokenizer.ts';
import { type KeyValueCache, workingBytes, workingMemory } from './memory.ts';
import { createTransformer, type Scores, type Transformer } from './transformer.ts';
import { loadWeights } from './weights.ts';

const PROMPT = 'Once upon a time, there was a little girl named Lily. She had a';

let naive: NaiveLlama;
let tokenizer: Tokenizer;
let knownTokens: Int32Array;
let simd: Opened;
let plain: Opened;

interface Opened {
  readonly transformer: Transformer;
  readonly caches: readonly KeyValueCache[];
}

beforeAll(async () => {
  const path = await storiesFile();
  naive = naiveLlama(path);
  const open = (kernel: 'simd' | 'plain') => {
    const { weights, tokenizer: table } = loadWeights(path, workingBytes, kernel);
    const memory = workingMemory(weights.kernel, weights.shape, weights.freeAt);
    tokenizer = createTokenizer(table, weights.shape.vocabulary);
    knownTokens = weights.tokens.trained;
    return { transformer: createTransformer(weights, memory), caches: memory.caches };
  };
  simd = open('simd');
  plain = open('plain');
}, FETCH_MS);

describe('[M3] the forward pass', () => {
  test('[M3] scores match a plain 32-bit model, token by token', () => {
    const tokens = [BEGIN, ...tokenizer.encode(PROMPT)];
    tokens.forEach((token, position) => {
      const expected = naive.forward(token, position);
      const { trained: found, untrained: unmet } = read(simd, [token], position);
      const top = expected.indexOf(Math.max(...expected));
      expect(knownTokens[indexOfMost(found)]).toBe(top);
      expect(Math.abs(found[knownTokens.indexOf(top)]! - expected[top]!)).toBeLessThan(0.01);
      expect(divergence(expected, found, unmet)).toBeLessThan(0.001);
    });
  });

  test('[M3] the most likely next tokens of known texts, and the first score, do not change', () => {
    expect(likeliest('Once upon a time')).toEqual([[',', ' there', ' in'], expect.closeTo(18.36, 2)]);
    expect(likeliest('The cat')).toEqual([[' was', ' and', ' had'], expect.closeTo(11.956, 2)]);
    expect(likeliest('One day, Tom and')).toEqual([[' Sue', ' his', ' L'], expect.closeTo(14.336, 2)]);
  });

  test('[M3] greedy text does not change', () => {
    expect(greedy('Once upon a time', 40)).toBe(
      ', there was a little girl named Lily. She loved to play outside in the sunshine. One day, she saw a big, red ' +
        'ball in the sky. It was the sun!',
    );
    expect(greedy('Once there was a brave knight who', 30)).toBe(
      ' had a special shield. He was very strong and he was always ready to protect the kingdom. One day, he was ' +
        'walking through the forest when he',
    );
  });

  test('[M3] batch lanes are independent: together or alone, the bits are the same', () => {
    const [first, second] = [PROMPT, 'The old man sat by the sea and looked'].map((text) => [
      BEGIN,
      ...tokenizer.encode(text),
    ]) as [number[], number[]];
    const alone = [first, second].map((tokens) => {
      let scores = read(simd, [tokens[0]!], 0);
      tokens.slice(1).forEach((token, i) => {
        scores = read(simd, [token], i + 1);
      });
      return scores.trained.slice();
    });
    // The last few tokens of both in one step, after the others as one prompt each.
    const [a, b] = [simd.caches[1]!, simd.caches[2]!];
    const head = (tokens: number[]) => tokens.slice(0, -5);
    readAll(simd, head(first), a);
    readAll(simd, head(second), b);
    const lastFive = (tokens: number[], cache: KeyValueCache) =>
      tokens.slice(-5).map((token, i) => ({ cache, position: tokens.length - 5 + i, token }));
    simd.transformer.step([...lastFive(first, a), ...lastFive(second, b)]);
    const together = simd.transformer.scores([4, 9]).map((scores) => scores.trained.slice());
    expect(together).toEqual(alone);
  });

  test('[M3] without vector instructions every score is the same to the last bit', () => {
    [BEGIN, ...tokenizer.encode('Sara had')].forEach((token, position) => {
      const [one, other] = [read(simd, [token], position), read(plain, [token], position)];
      expect(one.trained.every((score, i) => score === other.trained[i])).toBe(true);
      expect(one.untrained).toBe(other.untrained);
    });
  });
});

function read(
  { transformer, caches }: Opened,
  tokens: readonly number[],
  position: number,
  cache = caches[0]!,
): Scores {
  transformer.step(tokens.map((token, i) => ({ cache, position: position + i, token })));
  return transformer.scores([tokens.length - 1])[0]!;
}

function readAll(opened: Opened, tokens: readonly number[], cache = opened.caches[0]!): Scores {
  for (let from = 0; from < tokens.length - 16; from += 16) read(opened, tokens.slice(from, from + 16), from, cache);
  const last = Math.floor((tokens.length - 1) / 16) * 16;
  return read(opened, tokens.slice(last), last, cache);
}

function greedy(prompt: string, count: number): string {
  const tokens = [BEGIN, ...tokenizer.encode(prompt)];
  let scores = readAll(simd, tokens);
  const written: number[] = [];
  for (let i = 0; i < count; i++) {
    const token = knownTokens[indexOfMost(scores.trained)]!;
    written.push(token);
    scores = read(simd, [token], tokens.length + i);
  }
  return Buffer.concat(written.map(tokenizer.bytesOf)).toString();
}

function likeliest(prompt: string): readonly [texts: readonly string[], score: number] {
  const { trained: scores } = readAll(simd, [BEGIN, ...tokenizer.encode(prompt)]);
  const rows = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!).slice(0, 3);
  return [rows.map((row) => tokenizer.textOf(knownTokens[row]!)), scores[rows[0]!]!];
}

function indexOfMost(scores: Float64Array): number {
  return scores.reduce((best, score, i) => (score > scores[best]! ? i : best), 0);
}

/** Kullback and Leibler's, from the wanted probabilities to the found ones. */
function divergence(wanted: Float32Array, found: Float64Array, unmet: number): number {
  const all = new Float64Array(wanted.length).fill(unmet);
  knownTokens.forEach((token, row) => {
    all[token] = found[row]!;
  });
  const [p, q] = [logs(wanted), logs(all)];
  return p.reduce((sum, log, i) => sum + Math.exp(log) * (log - q[i]!), 0);
}

function logs(scores: ArrayLike<number>): Float64Array {
  const all = Float64Array.from(scores);
  const most = all.reduce((a, b) => Math.max(a, b));
  const total = Math.log(all.reduce((sum, score) => sum + Math.exp(score - most), 0));
  return all.map((score) => score - most - total);
}
