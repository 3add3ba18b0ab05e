import type { WireUsage } from '../../src/client/index.ts';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { showMoney } from '../data/money.ts';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import styles from './usage.module.css';

/** Model usage by model, by thread and in total. */
export function UsageTable({ usage }: { readonly usage: WireUsage }) {
  const { total, models, threads } = usage;
  if (total.calls === 0) return <p className={styles.faint}>No model has been used yet.</p>;
  const rows = [
    ...models.map((row) => ({ ...row, key: `model ${row.model}`, name: row.model })),
    ...threads.map((row) => ({ ...row, key: row.thread, name: row.title ?? row.thread })),
    { ...total, key: 'all', name: 'Total' },
  ];
  return (
    <table className={styles.usage}>
      <caption className="unseen">Usage by model and thread</caption>
      <thead>
        <tr>
          {['Used by', 'Calls', 'Tokens', 'Cost'].map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, calls, failures, promptTokens, generatedTokens, cost }) => (
          <tr key={key}>
            <th scope="row">{escapeBidi(name)}</th>
            <td>
              {formatNumber(calls)}
              {failures > 0 && <span className={styles.faint}> ({formatNumber(failures)} failed)</span>}
            </td>
            <td>{formatNumber(promptTokens + generatedTokens)}</td>
            <td>{cost > 0 ? showMoney(cost) : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
