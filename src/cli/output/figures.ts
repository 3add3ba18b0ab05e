import { formatMoney } from '../../core/text/money.ts';

export function count(value: number): string {
  return value.toLocaleString('en');
}

/** Models of this machine: nobody asks money for them. */
const FREE: ReadonlySet<string> = new Set(['embedded', 'local', 'scripted']);

/** What a million tokens cost, read and written. A price that nobody set is not zero. */
export function priceWords(provider: string, price: { readonly input: number; readonly output: number } | undefined) {
  if (price) return `${formatMoney(price.input)} / ${formatMoney(price.output)}`;
  return FREE.has(provider) ? 'free' : 'unknown';
}

/** What was paid, as far as it is known. */
export function paidWords(cost: number): string {
  return cost > 0 ? formatMoney(cost) : '–';
}

/** What work cost: tokens, and money where the model has a price. */
export function costWords(spent: { readonly tokens: number; readonly money: number }): string {
  return `${count(spent.tokens)} tokens${spent.money > 0 ? `, ${formatMoney(spent.money)}` : ''}`;
}

export function percent(probability: number): string {
  const hundredths = probability * 100;
  if (hundredths > 0 && hundredths < 1) return '<1 %';
  return `${Math.round(hundredths)} %`;
}
