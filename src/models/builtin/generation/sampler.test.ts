import { describe, expect, test } from 'vitest';
import { randomFor } from './random.ts';
import { createSampler, type DrawOptions } from './sampler.ts';

const ALL: DrawOptions = { temperature: 1, topP: 1, topK: 0, alternatives: undefined };
/** Tokens 10 … 13 with probabilities 0.5, 0.3, 0.15, 0.05, and four that training never met, near to nothing. */
const knownTokens = Int32Array.of(10, 11, 12, 13);
const scores = { trained: Float64Array.of(0.5, 0.3, 0.15, 0.05).map(Math.log), untrained: -40 };
const sampler = createSampler({
  trained: knownTokens,
  untrained: 0,
  exact: new Int16Array(),
  exactUnits: new Float64Array(8),
  roughAt: 0,
  roughUnits: new Float64Array(4),
});
const open = new Uint8Array(4);

describe('[M3] drawing tokens', () => {
  test('[M3] tokens are drawn as often as their probability says', () => {
    expect(shares(ALL)).toEqual([closeTo(0.5), closeTo(0.3), closeTo(0.15), closeTo(0.05)]);
  });

  test('[M3] temperature sharpens or flattens the distribution', () => {
    expect(shares({ ...ALL, temperature: 0.5 })).toEqual([
      closeTo(0.685),
      closeTo(0.247),
      closeTo(0.062),
      closeTo(0.007),
    ]);
    expect(shares({ ...ALL, temperature: 100 })).toEqual([closeTo(0.25), closeTo(0.25), closeTo(0.25), closeTo(0.25)]);
    expect(shares({ ...ALL, temperature: 0 })).toEqual([1, 0, 0, 0]);
  });

  test('[M3] top-k keeps the most likely few, top-p the fewest that add up to a share', () => {
    expect(shares({ ...ALL, topK: 2 })).toEqual([closeTo(0.625), closeTo(0.375), 0, 0]);
    expect(shares({ ...ALL, topP: 0.79 })).toEqual([closeTo(0.625), closeTo(0.375), 0, 0]);
    expect(shares({ ...ALL, topP: 0.81 })).toEqual([closeTo(0.526), closeTo(0.316), closeTo(0.158), 0]);
    expect(shares({ ...ALL, topK: 1, topP: 0.1, temperature: 5 })).toEqual([1, 0, 0, 0]);
  });

  test('[M3] masked tokens are never drawn', () => {
    const mask = Uint8Array.of(1, 0, 0, 0);
    expect(shares(ALL, mask)).toEqual([0, closeTo(0.6), closeTo(0.3), closeTo(0.1)]);
    expect(shares({ ...ALL, temperature: 0 }, mask)).toEqual([0, 1, 0, 0]);
  });

  test('[M3] reported probabilities do not depend on temperature or mask', () => {
    const drawn = sampler.draw(scores, { ...ALL, temperature: 0, alternatives: 2 }, Uint8Array.of(1, 0, 0, 0), () => 0);
    expect(drawn).toEqual({
      token: 11,
      logprob: expect.closeTo(Math.log(0.3), 6),
      alternatives: [
        { token: 10, logprob: expect.closeTo(Math.log(0.5), 6) },
        { token: 11, logprob: expect.closeTo(Math.log(0.3), 6) },
      ],
    });
  });

  test('[M3] unknown tokens take their share of probability but are never drawn', () => {
    const level = { trained: scores.trained, untrained: Math.log(0.25) };
    const { logprob } = sampler.draw(level, { ...ALL, temperature: 0, alternatives: 0 }, open, () => 0);
    expect(logprob).toBeCloseTo(Math.log(0.25), 6);
  });

  test('[M3] a seed always gives the same random numbers, different for every choice and seed', () => {
    const firstNumbers = (seed: number, choice: number) => Array.from({ length: 4 }, randomFor(seed, choice));
    expect(firstNumbers(7, 0)).toEqual(firstNumbers(7, 0));
    const all = [
      firstNumbers(7, 0),
      firstNumbers(7, 1),
      firstNumbers(8, 0),
      firstNumbers(7 + 2 ** 32, 0),
      firstNumbers(0, 0),
      firstNumbers(0, 1),
    ].map(String);
    expect(new Set(all).size).toBe(all.length);
  });
});

function shares(draw: DrawOptions, mask = open): number[] {
  const random = randomFor(1, 0);
  const counts = [0, 0, 0, 0];
  const runs = 20_000;
  for (let i = 0; i < runs; i++) counts[sampler.draw(scores, draw, mask, random).token - 10]! += 1 / runs;
  return counts.map((count) => Math.round(count * 1e6) / 1e6);
}

function closeTo(share: number) {
  return expect.closeTo(share, 1.6);
}
