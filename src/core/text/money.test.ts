import { expect, test } from 'vitest';
import { currencySign, formatMoney } from './money.ts';

test.each([
  [0, '$0'],
  [-0.5, '$0'],
  [0.0000004, '<$0.000001'],
  [0.000123, '$0.000123'],
  [0.001, '$0.001'],
  [0.0049, '$0.0049'],
  [0.0443, '$0.0443'],
  [0.01, '$0.01'],
  [0.41, '$0.41'],
  [1, '$1.00'],
  [1234.567, '$1,234.57'],
])('[D31] %d is shown as %s', (amount, shown) => {
  expect(formatMoney(amount)).toBe(shown);
});

test.each([
  ['EUR', 0.0443, '€0.0443'],
  ['EUR', 1234.5, '€1,234.50'],
  ['CHF', 12, 'CHF\u00a012.00'],
  ['JPY', 1234.5, '¥1,235'],
  ['JPY', 4.4321, '¥4.43'],
  ['JPY', 5, '¥5'],
  ['KWD', 1.5, 'KWD\u00a01.500'],
  ['no code', 1, 'no code\u00a01.00'],
])('[C5] money in %s: %d is shown as %s', (currency, amount, shown) => {
  expect(formatMoney(amount, currency)).toBe(shown);
});

test('[C5] a label has the sign of the currency alone', () => {
  expect(['USD', 'EUR', 'CHF'].map(currencySign)).toEqual(['$', '€', 'CHF']);
});
