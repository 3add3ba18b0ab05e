import { formatNumber } from './format-number.ts';

const SMALLEST = 0.000001;

/** Formats an amount for people. Prices are in US dollars. */
export function formatMoney(amount: number): string {
  if (amount <= 0) return '$0';
  if (amount < SMALLEST) return `<$${SMALLEST.toFixed(6)}`;
  if (amount >= 0.01) return `$${amount.toFixed(2)}`;
  return `$${Number(amount.toPrecision(2))
    .toFixed(6)
    .replace(/0{1,4}$/, '')}`;
}

/** The cost in tokens, and in money if the model has a price. */
export function formatCost({ tokens, money }: { readonly tokens: number; readonly money: number }): string {
  return `${formatNumber(tokens)} tokens${money > 0 ? `, ${formatMoney(money)}` : ''}`;
}
