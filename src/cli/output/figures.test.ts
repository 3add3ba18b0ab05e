import { expect, test } from 'vitest';
import { formatCost } from '../../core/text/money.ts';
import { formatPaid, formatPrice } from './figures.ts';

test('[M5] a model without a price is not called free, unless it is of this machine', () => {
  expect(formatPrice('openai-chat', undefined)).toBe('unknown');
  expect(formatPrice('anthropic', undefined)).toBe('unknown');
  expect(formatPrice('embedded', undefined)).toBe('free');
  expect(formatPrice('local', undefined)).toBe('free');
  expect(formatPrice('openai-chat', { input: 0.5, output: 2 })).toBe('$0.50 / $2.00');
});

test('[M5] where no price is known, no cost is told', () => {
  expect([formatPaid(0), formatPaid(0.5)]).toEqual(['–', '$0.50']);
  expect([formatCost({ tokens: 12, money: 0 }), formatCost({ tokens: 12, money: 0.5 })]).toEqual([
    '12 tokens',
    '12 tokens, $0.50',
  ]);
});
