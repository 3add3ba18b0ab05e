import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FETCH_MS, fetchPinned } from '../../../../test/support/models/weights.ts';
import { fuzzRuns, seeded } from '../../../../test/support/random.ts';
import { isRefusal } from '../../../core/refusal.ts';
import type { Embedder, EmbeddingVector } from '../../embedder.ts';
import { cacheDirectory, cachedFilePath } from '../weights/cache.ts';
import { MINILM } from '../weights/pinned.ts';
import { openEmbedder } from './embedder.ts';
import { createWordPiece } from './wordpiece.ts';

let embedder: Embedder;

beforeAll(async () => {
  await fetchPinned(MINILM);
  embedder = openEmbedder();
}, FETCH_MS);
afterAll(() => embedder.close());

describe('[M8] the local embedder', () => {
  test('[M8] similarities match those computed in full precision', async () => {
    const [cat, kitten, car, food, bread, baby] = await vectors(embedder, [
      'cat',
      'kitten',
      'car',
      'A man is eating food.',
      'A man is eating a piece of bread.',
      'The girl is carrying a baby.',
    ]);
    expect(cat).toMatchObject({ embedder: 'all-MiniLM-L6-v2-q8' });
    const expected = [0.03836, 0.06082, -0.00143, 0.0617].map((value) => expect.closeTo(value, 3));
    expect([...(cat?.values.slice(0, 4) ?? [])]).toEqual(expected);
    expect(likeness(cat, kitten)).toBeCloseTo(0.782, 2);
    expect(likeness(cat, car)).toBeCloseTo(0.4747, 2);
    expect(likeness(food, bread)).toBeCloseTo(0.7607, 2);
    expect(likeness(food, baby)).toBeCloseTo(-0.1001, 2);
  });

  test('[M8] texts of similar meaning are nearer than texts with the same words', async () => {
    const [asked, answer, decoy] = await vectors(embedder, [
      'How do I make the server start faster?',
      'Reducing boot time of the service',
      'How do I make the tea taste sweeter?',
    ]);
    expect(likeness(asked, answer)).toBeGreaterThan(likeness(asked, decoy));
  });

  test('[M8] equal texts have identical vectors, in any batch and after a restart', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const random = seeded(seed);
    const words = ['thought', 'idea', 'a', 'the', 'river', 'grows', '中文', '🎉', 'É', '.', 'unbelievably'];
    const texts = Array.from({ length: fuzzRuns(12) }, () =>
      Array.from({ length: random.below(60) }, () => random.pick(words)).join(' '),
    );
    const alone = await Promise.all(texts.map(async (text) => (await vectors(embedder, [text]))[0] as EmbeddingVector));
    const other = openEmbedder();
    expect(await vectors(other, texts), `seed ${seed}`).toEqual(alone);
    expect(await vectors(embedder, texts.toReversed())).toEqual(alone.toReversed());
    await other.close();
  });

  test('[M8] vectors are the same without vector instructions', async () => {
    const plain = openEmbedder({ kernel: 'plain' });
    const texts = ['A short text.', 'kitten'];
    expect(await vectors(plain, texts)).toEqual(await vectors(embedder, texts));
    await plain.close();
  });

  test('[M8] any text has a vector of length 1: empty, endless, without words, with a lone surrogate', async () => {
    const texts = ['', ' ', '🎉🎉', 'x'.repeat(100_000), 'word '.repeat(5_000), 'a\ud800b', '\0\n'];
    for (const { values } of await vectors(embedder, texts)) {
      expect(values.length).toBe(384);
      expect(Math.hypot(...values)).toBeCloseTo(1, 5);
    }
    expect(await vectors(embedder, [])).toEqual([]);
  });

  test('[M8] texts get the same tokens as the reference, and a lookalike of a special token is text', () => {
    const tokenize = createWordPiece(cachedFilePath(cacheDirectory(), MINILM, MINILM.files[1]));
    expect(tokenize('Hello, World!', 99)).toEqual([101, 7592, 1010, 2088, 999, 102]);
    expect(tokenize('naïve Café—中文', 99)).toEqual([101, 15743, 7668, 1517, 1746, 1861, 102]);
    expect(tokenize('ΟΔΟΣ \u200b½ 🎉 e\u0301', 99)).toEqual([101, 1169, 29722, 15297, 1092, 100, 1041, 102]);
    expect(tokenize('unbelievably [SEP] x', 99)).toEqual([
      101, 4895, 8671, 2666, 3567, 6321, 1031, 19802, 1033, 1060, 102,
    ]);
    expect(tokenize('unbelievably', 4)).toEqual([101, 4895, 8671, 102]);
    expect(tokenize('x'.repeat(101), 9)).toEqual([101, 100, 102]);
  });

  test('[D25] a thought of one thread does not wait for all thoughts of another', async () => {
    const order: string[] = [];
    const long = embedder.embed(Array<string>(12).fill('many words '.repeat(100))).then(() => order.push('long'));
    const short = embedder.embed(['one thought']).then(() => order.push('short'));
    await Promise.all([long, short]);
    expect(order).toEqual(['short', 'long']);
  });

  test('[M8] a worker that dies at work is a refusal, and the next request starts another', async () => {
    const other = openEmbedder();
    expect(other).toMatchObject({ id: 'local', dimensions: 384 });
    const first = await vectors(other, ['first']);
    const running = other.embed(Array<string>(200).fill('many words '.repeat(100)));
    await other.close();
    expect(await running).toMatchObject({ refusal: { code: 'model_unavailable' } });
    expect(await vectors(other, ['first'])).toEqual(first);
    await other.close();
  });

  test('[M8] a closed embedder is loaded again when it is used again', async () => {
    const other = openEmbedder();
    const first = await vectors(other, ['again']);
    await other.close();
    expect(await vectors(other, ['again'])).toEqual(first);
    await other.close();
  });
});

describe('[D25] without weights', () => {
  const cache = mkdtempSync(join(tmpdir(), 'heddle-no-weights-'));
  afterAll(() => rmSync(cache, { recursive: true, force: true }));

  test('[D25] without weights texts are compared by their words, offline, and the vectors say so', async () => {
    const lexical = openEmbedder({ cacheDir: cache });
    const texts = ['The cats were sleeping', 'A cat sleeps', 'Stock prices fell sharply', '', '!?'];
    const [cats, cat, stocks, nothing, marks] = await vectors(lexical, texts);
    expect(cats).toMatchObject({ embedder: 'lexical-1' });
    expect(likeness(cats, cat)).toBeGreaterThan(likeness(cats, stocks) + 0.1);
    for (const vector of [cats, cat, stocks, nothing, marks]) expect(likeness(vector, vector)).toBeCloseTo(1, 5);
    expect(await vectors(openEmbedder({ cacheDir: cache }), texts)).toEqual([cats, cat, stocks, nothing, marks]);
  });
});

async function vectors(from: Embedder, texts: readonly string[]): Promise<readonly EmbeddingVector[]> {
  const result = await from.embed(texts);
  if (isRefusal(result)) throw new Error(result.refusal.message);
  return result;
}

function likeness(a: EmbeddingVector | undefined, b: EmbeddingVector | undefined): number {
  if (!a || !b || a.embedder !== b.embedder) throw new Error('There is nothing to compare.');
  return a.values.reduce((sum, value, i) => sum + value * b.values[i]!, 0);
}
