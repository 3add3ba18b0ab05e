import { expect, test } from 'vitest';
import { sumCounts, usageFrom } from './output.ts';

test('[M13] a program that claims an absurd use is not believed', () => {
  expect(sumCounts(3, 9e15, -1, Number.NaN, Number.POSITIVE_INFINITY, '7', null, 4)).toBe(7);
  expect(usageFrom(5, 6, 0.25)).toEqual({ usage: { promptTokens: 5, generatedTokens: 6, cost: 0.25 } });
  expect(usageFrom(5, 6, 1e300)).toEqual({ usage: { promptTokens: 5, generatedTokens: 6 } });
});
