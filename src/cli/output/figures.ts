import { formatMoney } from '../../core/text/money.ts';

/** Providers that run on this machine and cost nothing. */
const FREE_PROVIDERS: ReadonlySet<string> = new Set(['embedded', 'local', 'scripted']);

/** The price of a million input and output tokens. A missing price is not zero. */
export function formatPrice(
  provider: string,
  price: { readonly input: number; readonly output: number } | undefined,
  currency?: string,
) {
  if (price) return `${formatMoney(price.input, currency)} / ${formatMoney(price.output, currency)}`;
  return FREE_PROVIDERS.has(provider) ? 'free' : 'unknown';
}

/** The amount paid, as far as it is known. */
export function formatPaid(cost: number, currency?: string): string {
  return cost > 0 ? formatMoney(cost, currency) : '–';
}

export function formatPercent(probability: number): string {
  const hundredths = probability * 100;
  if (hundredths > 0 && hundredths < 1) return '<1 %';
  return `${Math.round(hundredths)} %`;
}
