import { expect, test } from 'vitest';
import { formatMoney } from './money.ts';

test.each([
  [0, '$0'],
  [-0.5, '$0'],
  [0.0000004, '<$0.000001'],
  [0.000123, '$0.00012'],
  [0.001, '$0.001'],
  [0.0049, '$0.0049'],
  [0.01, '$0.01'],
  [1, '$1.00'],
  [1234.567, '$1234.57'],
])('[D31] %d is shown as %s', (amount, shown) => {
  expect(formatMoney(amount)).toBe(shown);
});
