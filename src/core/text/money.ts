import { formatNumber } from './format-number.ts';

/** The currency of prices where heddle.yaml names none (C5). */
export const DEFAULT_CURRENCY = 'USD';

const SMALLEST = 0.000001;
/** Digits of a small amount: $0.0443. */
const SIGNIFICANT = 3;

/** How a currency is written: the sign in front, and the usual number of decimals. */
interface CurrencyStyle {
  readonly sign: string;
  readonly decimals: number;
}

/** Intl loads tables of all languages first, so the usual currency does without it. */
const styles = new Map<string, CurrencyStyle>([[DEFAULT_CURRENCY, { sign: '$', decimals: 2 }]]);

/** An amount as people read it: "$1,234.50", "€0.0443", "CHF 12.00". */
export function formatMoney(amount: number, currency: string = DEFAULT_CURRENCY): string {
  const { sign, decimals } = styleOf(currency);
  if (amount <= 0) return `${sign}0`;
  if (amount < SMALLEST) return `<${sign}${SMALLEST.toFixed(6)}`;
  if (amount >= 10 ** (1 - decimals)) return sign + withDecimals(amount, decimals);
  const [integer, fraction = ''] = Number(amount.toPrecision(SIGNIFICANT)).toFixed(6).split('.');
  const shown = fraction.slice(0, decimals) + fraction.slice(decimals).replace(/0{1,6}$/, '');
  return `${sign}${integer}${shown && `.${shown}`}`;
}

/** The sign of a currency for a label: "$", "€", "CHF". */
export function currencySign(currency: string): string {
  return styleOf(currency).sign.trim();
}

/** The cost in tokens, and in money if the model has a price. */
export function formatCost(
  { tokens, money }: { readonly tokens: number; readonly money: number },
  currency?: string,
): string {
  return `${formatNumber(tokens)} tokens${money > 0 ? `, ${formatMoney(money, currency)}` : ''}`;
}

function withDecimals(amount: number, decimals: number): string {
  const [integer, fraction] = amount.toFixed(decimals).split('.');
  return `${formatNumber(Number(integer))}${fraction ? `.${fraction}` : ''}`;
}

function styleOf(currency: string): CurrencyStyle {
  const known = styles.get(currency);
  if (known) return known;
  const style = readStyle(currency);
  styles.set(currency, style);
  return style;
}

/** A code that this machine does not know stands in front as it is. */
function readStyle(currency: string): CurrencyStyle {
  try {
    const parts = new Intl.NumberFormat('en-US', { style: 'currency', currency }).formatToParts(1);
    const sign = parts
      .slice(
        0,
        parts.findIndex(({ type }) => type === 'integer'),
      )
      .map(({ value }) => value);
    const decimals = parts.find(({ type }) => type === 'fraction')?.value.length ?? 0;
    return { sign: sign.join(''), decimals };
  } catch {
    return { sign: `${currency}\u00a0`, decimals: 2 };
  }
}
