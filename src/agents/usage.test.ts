import { expect, test } from 'vitest';
import { resolveUsage } from './usage.ts';

const ran = { input: 'p'.repeat(3000), output: 'a'.repeat(300), seconds: 2 };
const GUESS = { promptTokens: 1000, generatedTokens: 100, estimated: true };

test('[M13] what a program reports is taken where it can be, hidden calls included', () => {
  const likely = { promptTokens: 250_000, generatedTokens: 9_000, cost: 1.5 };
  expect(resolveUsage(likely, ran)).toEqual(likely);
});

test('[M13] a program that reports nothing is counted by the bytes of its prompt and answer', () => {
  expect(resolveUsage(undefined, ran)).toEqual(GUESS);
  expect(resolveUsage({ promptTokens: 0, generatedTokens: 0 }, ran)).toEqual(GUESS);
});

test.for([
  [{ promptTokens: 9e8, generatedTokens: 100 }, { generatedTokens: 100 }],
  [{ promptTokens: 900, generatedTokens: 9e8 }, { promptTokens: 900 }],
  [{ promptTokens: 2, generatedTokens: 100 }, {}],
  [{ promptTokens: 900.5, generatedTokens: 100 }, {}],
] as const)('[M13] an absurd number is estimated, the other one kept: %o', ([reported, kept]) => {
  expect(resolveUsage(reported, ran)).toEqual({ ...GUESS, ...kept });
});

test('[M13] an absurd price is not believed, and the longer a program ran the more it may have used', () => {
  const reported = { promptTokens: 5_000_000, generatedTokens: 30_000, cost: 50 };
  expect(resolveUsage(reported, ran)).toEqual(GUESS);
  expect(resolveUsage(reported, { ...ran, seconds: 60 })).toEqual(reported);
});
