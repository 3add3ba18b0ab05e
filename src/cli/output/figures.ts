import { formatMoney } from '../../core/text/money.ts';

export function formatCount(value: number): string {
  return value.toLocaleString('en');
}

/** Providers that run on this machine and cost nothing. */
const FREE_PROVIDERS: ReadonlySet<string> = new Set(['embedded', 'local', 'scripted']);

/** The price of a million input and output tokens. A missing price is not zero. */
export function formatPrice(provider: string, price: { readonly input: number; readonly output: number } | undefined) {
  if (price) return `${formatMoney(price.input)} / ${formatMoney(price.output)}`;
  return FREE_PROVIDERS.has(provider) ? 'free' : 'unknown';
}

/** The amount paid, as far as it is known. */
export function formatPaid(cost: number): string {
  return cost > 0 ? formatMoney(cost) : '–';
}

/** The cost in tokens, and in money if the model has a price. */
export function formatCost(usage: { readonly tokens: number; readonly money: number }): string {
  return `${formatCount(usage.tokens)} tokens${usage.money > 0 ? `, ${formatMoney(usage.money)}` : ''}`;
}

export function formatPercent(probability: number): string {
  const hundredths = probability * 100;
  if (hundredths > 0 && hundredths < 1) return '<1 %';
  return `${Math.round(hundredths)} %`;
}
