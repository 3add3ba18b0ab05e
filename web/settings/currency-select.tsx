import { currency } from '../data/money.ts';
import { client } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { Select } from '../ui/controls/select.tsx';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import styles from './budget.module.css';

/** Any other code can stand in heddle.yaml. */
const COMMON = [
  'USD',
  'EUR',
  'GBP',
  'JPY',
  'CHF',
  'CAD',
  'AUD',
  'CNY',
  'INR',
  'BRL',
  'KRW',
  'MXN',
  'SEK',
  'NOK',
  'PLN',
];

/** The currency of prices and budgets; a choice is saved at once. */
export function CurrencySelect({ onSaved }: { onSaved(): Promise<void> }) {
  const { attempt, busy, refusal } = useAttempt();
  const current = useStore(currency);
  const codes = COMMON.includes(current) ? COMMON : [current, ...COMMON];

  async function choose(code: string): Promise<void> {
    if (await attempt(() => client.models.setCurrency(code))) await onSaved();
  }

  return (
    <div className={styles.currency}>
      <Select
        label="Currency"
        hint="Prices and budgets are in this currency. Nothing is converted."
        value={current}
        options={codes.map((code) => ({ value: code, label: `${code} · ${nameOf(code)}` }))}
        disabled={busy}
        onChange={(code) => void choose(code)}
      />
      <RefusalMessage reason={refusal} />
    </div>
  );
}

function nameOf(code: string): string {
  return new Intl.DisplayNames('en', { type: 'currency' }).of(code) ?? code;
}
