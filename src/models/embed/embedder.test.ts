import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { seeded } from '../../../test/support/random.ts';
import { FETCH_MS, fetched } from '../../../test/support/weights.ts';
import { MINILM } from '../weights/pinned.ts';
import { type Embedder, openEmbedder, type Vector } from './embedder.ts';

let embedder: Embedder;

beforeAll(async () => {
  await fetched(MINILM);
  embedder = openEmbedder();
}, FETCH_MS);
afterAll(() => embedder.close());

describe('[M8] the local embedder', () => {
  test('[M8] likenesses are those the weights have when computed in full precision', async () => {
    const [cat, kitten, car, food, bread, baby] = await embedder.embed([
      'cat',
      'kitten',
      'car',
      'A man is eating food.',
      'A man is eating a piece of bread.',
      'The girl is carrying a baby.',
    ]);
    expect(cat).toMatchObject({ embedder: 'all-MiniLM-L6-v2-q8' });
    const wanted = [0.03836, 0.06082, -0.00143, 0.0617].map((value) => expect.closeTo(value, 3));
    expect([...(cat?.values.slice(0, 4) ?? [])]).toEqual(wanted);
    expect(likeness(cat, kitten)).toBeCloseTo(0.782, 2);
    expect(likeness(cat, car)).toBeCloseTo(0.4747, 2);
    expect(likeness(food, bread)).toBeCloseTo(0.7607, 2);
    expect(likeness(food, baby)).toBeCloseTo(-0.1001, 2);
  });

  test('[M8] what means the same is nearer than what uses the same words', async () => {
    const [asked, answer, decoy] = await embedder.embed([
      'How do I make the server start faster?',
      'Reducing boot time of the service',
      'How do I make the tea taste sweeter?',
    ]);
    expect(likeness(asked, answer)).toBeGreaterThan(likeness(asked, decoy));
  });

  test('[M8] equal texts have equal vectors, to the last bit, beside whatever other texts and after a restart', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const random = seeded(seed);
    const words = ['thought', 'idea', 'a', 'the', 'river', 'grows', '中文', '🎉', 'É', '.', 'unbelievably'];
    const texts = Array.from({ length: 40 }, () =>
      Array.from({ length: random.below(60) }, () => random.pick(words)).join(' '),
    );
    const alone = await Promise.all(texts.map(async (text) => (await embedder.embed([text]))[0] as Vector));
    const other = openEmbedder();
    expect(await other.embed(texts), `seed ${seed}`).toEqual(alone);
    expect(await embedder.embed(texts.toReversed())).toEqual(alone.toReversed());
    await other.close();
  });

  test('[M8] without vector instructions the vectors are the same', async () => {
    const plain = openEmbedder({ kernel: 'plain' });
    const texts = ['A short text.', 'kitten'];
    expect(await plain.embed(texts)).toEqual(await embedder.embed(texts));
    await plain.close();
  });

  test('[M8] any text has a vector of length 1: empty, endless, without words, with half a character', async () => {
    const texts = ['', ' ', '🎉🎉', 'x'.repeat(100_000), 'word '.repeat(5_000), 'a\ud800b', '\0\n'];
    for (const { values } of await embedder.embed(texts)) {
      expect(values.length).toBe(384);
      expect(Math.hypot(...values)).toBeCloseTo(1, 5);
    }
    expect(await embedder.embed([])).toEqual([]);
  });

  test('[M8] a closed embedder is loaded again when it is asked again', async () => {
    const other = openEmbedder();
    const first = await other.embed(['again']);
    await other.close();
    expect(await other.embed(['again'])).toEqual(first);
    await other.close();
  });
});

describe('[D25] without weights', () => {
  const cache = mkdtempSync(join(tmpdir(), 'heddle-no-weights-'));
  const before = process.env.npm_config_registry;
  afterEach(() => {
    rmSync(cache, { recursive: true, force: true });
    if (before === undefined) delete process.env.npm_config_registry;
    else process.env.npm_config_registry = before;
  });

  test('[D25] texts are compared by their words, offline, and the vectors say so', { timeout: 60_000 }, async () => {
    process.env.npm_config_registry = 'http://127.0.0.1:9';
    const lexical = openEmbedder({ cacheDir: cache });
    const texts = ['The cats were sleeping', 'A cat sleeps', 'Stock prices fell sharply', '', '!?'];
    const [cats, cat, stocks, nothing, marks] = await lexical.embed(texts);
    expect(cats).toMatchObject({ embedder: 'lexical-1' });
    expect(likeness(cats, cat)).toBeGreaterThan(likeness(cats, stocks) + 0.1);
    for (const vector of [cats, cat, stocks, nothing, marks]) expect(likeness(vector, vector)).toBeCloseTo(1, 5);
    expect(await openEmbedder({ cacheDir: cache }).embed(texts)).toEqual([cats, cat, stocks, nothing, marks]);
  });
});

function likeness(a: Vector | undefined, b: Vector | undefined): number {
  if (!a || !b || a.embedder !== b.embedder) throw new Error('There is nothing to compare.');
  return a.values.reduce((sum, value, i) => sum + value * b.values[i]!, 0);
}
