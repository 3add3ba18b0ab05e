export function money(amount: number): string {
  if (amount === 0) return '0';
  return amount < 0.01 ? amount.toPrecision(2) : amount.toFixed(2);
}

export function count(value: number): string {
  return value.toLocaleString('en');
}

/** What work cost: tokens, and money where the model has a price. */
export function costWords(spent: { readonly tokens: number; readonly money: number }): string {
  return `${count(spent.tokens)} tokens${spent.money > 0 ? `, $${money(spent.money)}` : ''}`;
}

export function percent(probability: number): string {
  const hundredths = probability * 100;
  if (hundredths > 0 && hundredths < 1) return '<1 %';
  return `${Math.round(hundredths)} %`;
}
