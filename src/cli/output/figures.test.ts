import { expect, test } from 'vitest';
import { costWords, paidWords, priceWords } from './figures.ts';

test('[M5] a model without a price is not called free, unless it is of this machine', () => {
  expect(priceWords('openai-chat', undefined)).toBe('unknown');
  expect(priceWords('anthropic', undefined)).toBe('unknown');
  expect(priceWords('embedded', undefined)).toBe('free');
  expect(priceWords('local', undefined)).toBe('free');
  expect(priceWords('openai-chat', { input: 0.5, output: 2 })).toBe('$0.50 / $2.00');
});

test('[M5] where no price is known, no cost is told', () => {
  expect([paidWords(0), paidWords(0.5)]).toEqual(['–', '$0.50']);
  expect([costWords({ tokens: 12, money: 0 }), costWords({ tokens: 12, money: 0.5 })]).toEqual([
    '12 tokens',
    '12 tokens, $0.50',
  ]);
});
