import { currencySign, DEFAULT_CURRENCY, formatMoney } from '../../src/core/text/money.ts';
import { keepStore } from './kept/kept-page.ts';
import { createStore } from './store.ts';

/** The currency of prices and budgets, as heddle.yaml names it. */
export const currency = createStore(DEFAULT_CURRENCY);
keepStore('currency', currency);

/** An amount in the workspace's currency. */
export function showMoney(amount: number): string {
  return formatMoney(amount, currency.get());
}

/** The sign for labels of fields: "$", "€", "CHF". */
export function moneySign(): string {
  return currencySign(currency.get());
}
