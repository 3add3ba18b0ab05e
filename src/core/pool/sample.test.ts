import { describe, expect, test } from 'vitest';
import { seededRandom } from '../util/random.ts';
import { SAMPLE_LIMITS, sampleThoughts } from './sample.ts';
import { addThoughts, assign, emptyPool, type ThoughtPool } from './state.ts';

const limits = { iter: 100, ...SAMPLE_LIMITS };
const idsOf = (shown: readonly { readonly id: number }[]): number[] => shown.map(({ id }) => id);

function poolOf(texts: readonly string[], activeSize = 50): ThoughtPool {
  return texts.reduce((pool, text, i) => addThoughts(pool, [{ iter: i + 1, text, author: 'mind' }]), {
    ...emptyPool,
    activeSize,
  });
}

const thoughtTexts = (count: number) => Array.from({ length: count }, (_, i) => `thought ${i + 1}`);

describe('a sample', () => {
  test('[D23] a seed always draws the same sample: at most ten active thoughts without repeats', () => {
    const pool = poolOf(thoughtTexts(80));
    const { sampled, recent, recalled } = sampleThoughts(pool, { ...limits, seed: 42 });
    expect(sampleThoughts(pool, { ...limits, seed: 42 }).sampled).toEqual(sampled);
    expect(sampleThoughts(pool, { ...limits, seed: 43 }).sampled).not.toEqual(sampled);
    expect(new Set(idsOf(sampled)).size).toBe(10);
    expect(Math.min(...idsOf(sampled))).toBeGreaterThan(30);
    expect([recent, recalled]).toEqual([[], []]);
    // Pinned: a recorded seed must mean the same in every version.
    expect(idsOf(sampled)).toMatchInlineSnapshot(`
      [
        58,
        53,
        48,
        69,
        40,
        38,
        70,
        60,
        32,
        67,
      ]
    `);
  });

  test('[D23] every active thought is equally likely at every position, whatever its length', () => {
    const pool = poolOf(Array.from({ length: 25 }, (_, i) => 'x'.repeat(i % 2 === 0 ? 50 : 600)));
    const draws = 20_000;
    const seen = new Array<number>(25).fill(0);
    const first = new Array<number>(25).fill(0);
    for (let seed = 0; seed < draws; seed++) {
      const { sampled } = sampleThoughts(pool, { ...limits, seed });
      for (const { id } of sampled) seen[id - 1]!++;
      first[sampled[0]!.id - 1]!++;
    }
    // 24 degrees of freedom: one in a thousand true dice would come above 51.
    expect(chiSquare(first)).toBeLessThan(51);
    // Drawn without replacement, counts vary less than those of dice: by the share that is not drawn.
    const share = seen.reduce((a, b) => a + b, 0) / draws / 25;
    expect((chiSquare(seen) * 24) / 25 / (1 - share)).toBeLessThan(51);
  });

  test('[D23] pairs are drawn as often as chance predicts', () => {
    const pool = poolOf(thoughtTexts(8));
    const pairs = new Map<string, number>();
    for (let seed = 0; seed < 14_000; seed++) {
      const [a, b] = idsOf(sampleThoughts(pool, { ...limits, count: 2, seed }).sampled);
      pairs.set(`${a} ${b}`, (pairs.get(`${a} ${b}`) ?? 0) + 1);
    }
    expect(pairs.size).toBe(56);
    // 55 degrees of freedom: one in a thousand above 93.
    expect(chiSquare([...pairs.values()])).toBeLessThan(93);
  });

  test('[D23] a sample has up to 3,000 characters: fewer long thoughts, and the longest cut between characters', () => {
    const long = poolOf(Array.from({ length: 10 }, () => '🧵'.repeat(700)));
    expect(sampleThoughts(long, { ...limits, seed: 1 }).sampled.map(({ text }) => text.length)).toEqual([1400, 1400]);
    const odd = sampleThoughts(poolOf(['🧵'.repeat(2000)]), { ...limits, chars: 2999, seed: 1 }).sampled;
    expect(odd.map(({ text }) => text)).toEqual([`${'🧵'.repeat(1498)} …`]);
    const mixed = poolOf(Array.from({ length: 10 }, (_, i) => 'x'.repeat(i === 0 ? 2900 : 10 + i)));
    for (let seed = 0; seed < 50; seed++) {
      const { sampled } = sampleThoughts(mixed, { ...limits, seed });
      const lengths = sampled.map(({ text }) => text.length);
      expect(lengths.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(3000);
      for (const { id, text } of sampled) if (id > 1) expect(text).toHaveLength(9 + id);
    }
    expect(sampleThoughts(emptyPool, { ...limits, seed: 1 }).sampled).toEqual([]);
  });

  test('[D23] recent thoughts are listed separately in order and not drawn again', () => {
    const { recent, sampled } = sampleThoughts(poolOf(thoughtTexts(20)), { ...limits, recent: 4, count: 20, seed: 5 });
    expect(idsOf(recent)).toEqual([17, 18, 19, 20]);
    expect(idsOf(sampled).sort((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, i) => i + 1));
  });

  test('[D23] recall brings back older members of a sampled cluster that became rare', () => {
    const members: [number, number][] = [
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 2],
      [11, 1],
      [12, 2],
      [13, 2],
      [14, 2],
      [15, 2],
    ];
    const pool = members.reduce(
      (next, [thought, cluster]) => assign(next, { thought, cluster }),
      poolOf(thoughtTexts(15), 5),
    );
    const { recalled } = sampleThoughts(pool, { ...limits, recall: 2, seed: 3 });
    expect(recalled).toHaveLength(2);
    // Cluster 2 has four active members and needs no reminder.
    for (const { id, cluster } of recalled) {
      expect([1, 2, 3]).toContain(id);
      expect(cluster).toEqual({ id: 1, size: 1 });
    }
    expect(sampleThoughts(pool, { ...limits, recall: 9, seed: 3, hidden: new Set([1, 2]) }).recalled).toMatchObject([
      { id: 3 },
    ]);
  });

  test('[D24] each shown thought has its age in iterations and its cluster with the active size', () => {
    const pool = assign(assign(poolOf(['a', 'b', 'c'], 2), { thought: 1, cluster: 3 }), { thought: 2, cluster: 3 });
    const { sampled } = sampleThoughts(pool, { ...limits, iter: 10, seed: 1 });
    expect(sampled.toSorted((a, b) => a.id - b.id)).toEqual([
      { id: 2, age: 8, text: 'b', cluster: { id: 3, size: 1 } },
      { id: 3, age: 7, text: 'c', cluster: null },
    ]);
  });

  test('[D23] hidden thoughts are not drawn', () => {
    const hidden = new Set([1, 2, 3, 4, 5, 6, 7]);
    const { sampled } = sampleThoughts(poolOf(thoughtTexts(10)), { ...limits, seed: 9, hidden });
    expect(idsOf(sampled).sort((a, b) => a - b)).toEqual([8, 9, 10]);
  });
});

describe('chance', () => {
  test('[D23] numbers follow from the seed, and every seed from 0 to 2^53 gives different ones', () => {
    const drawSample = (seed: number) => {
      const chance = seededRandom(seed);
      return Array.from({ length: 4 }, () => chance.below(1_000_000));
    };
    expect(drawSample(7)).toEqual(drawSample(7));
    expect(
      new Set([0, 1, 2, 2 ** 32, 2 ** 32 + 1, 2 ** 40, Number.MAX_SAFE_INTEGER].map((seed) => `${drawSample(seed)}`))
        .size,
    ).toBe(7);
    for (const seed of [-1, 0.5, Number.NaN, 2 ** 53]) expect(() => seededRandom(seed)).toThrow(/seed/);
    expect(() => seededRandom(1).below(0)).toThrow(/below 0/);
  });

  test('[D23] every number below the limit is equally likely', () => {
    const counts = new Array<number>(7).fill(0);
    const chance = seededRandom(11);
    for (let i = 0; i < 70_000; i++) counts[chance.below(7)]!++;
    // 6 degrees of freedom: one in a thousand above 22.5.
    expect(chiSquare(counts)).toBeLessThan(22.5);
  });
});

function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((a, b) => a + b, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}
