import { useState } from 'react';
import type { WireUsage } from '../../src/client/index.ts';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { moneySign, showMoney } from '../data/money.ts';
import { client } from '../data/session.ts';
import { Button } from '../ui/controls/button.tsx';
import { TextField } from '../ui/controls/field.tsx';
import { handleSubmit } from '../ui/handle-submit.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { Card } from '../ui/status/card.tsx';
import { Progress } from '../ui/status/progress.tsx';
import styles from './budget.module.css';
import { CurrencySelect } from './currency-select.tsx';
import { SettingsSection } from './section.tsx';
import { UsageTable } from './usage.tsx';

const FIELDS = [
  { name: 'tokens', label: 'Limit in tokens', inputMode: 'numeric' },
  { name: 'money', label: 'Limit in money', inputMode: 'decimal' },
] as const;
const NEARLY = 0.8;

/** The limit for all models together, and what they have used of it. */
export function BudgetSection({ usage, onSaved }: { readonly usage: WireUsage; onSaved(): Promise<void> }) {
  const { workspace } = usage.budgets;
  const { attempt, busy, refusal } = useAttempt();
  const [isSaved, setSaved] = useState(false);

  async function save(form: FormData): Promise<void> {
    setSaved(false);
    const limits = FIELDS.map(({ name }) => [name, readNumber(form, name)] as const);
    const budget = Object.fromEntries(limits.filter(([, limit]) => limit !== undefined));
    if (!(await attempt(() => client.models.setBudget(budget)))) return;
    setSaved(true);
    await onSaved();
  }

  return (
    <SettingsSection id="budget" label="Budget and usage" text="Models pause at this limit and ask you.">
      <Card>
        <UsedOfBudget usage={usage} />
        <form
          aria-label="Budget of the workspace"
          className={styles.form}
          onChange={() => setSaved(false)}
          onSubmit={handleSubmit(save)}
        >
          {FIELDS.map(({ name, label, inputMode }) => (
            <TextField
              key={`${name} ${workspace[name]}`}
              name={name}
              label={name === 'money' ? `Limit in ${moneySign()}` : label}
              inputMode={inputMode}
              defaultValue={workspace[name]}
              placeholder="No limit"
              autoComplete="off"
            />
          ))}
          <Button type="submit" disabled={busy}>
            Save
          </Button>
          <p className={styles.status} role="status">
            {isSaved && 'Saved in heddle.yaml.'}
          </p>
          <RefusalMessage reason={refusal} />
        </form>
        <CurrencySelect onSaved={onSaved} />
      </Card>
      <UsageTable usage={usage} />
    </SettingsSection>
  );
}

function UsedOfBudget({ usage: { total, budgets } }: { readonly usage: WireUsage }) {
  const { tokens, money } = budgets.workspace;
  const usedTokens = total.promptTokens + total.generatedTokens;
  const fraction = Math.max(tokens ? usedTokens / tokens : 0, money ? total.cost / money : 0);
  return (
    <div className={styles.used}>
      <p>
        <b>{showMoney(total.cost)}</b>
        {money !== undefined && ` of ${showMoney(money)}`} · {formatNumber(usedTokens)}
        {tokens !== undefined && ` of ${formatNumber(tokens)}`} tokens used
      </p>
      {(tokens !== undefined || money !== undefined) && (
        <Progress
          label="Used of the budget"
          fraction={Math.min(1, fraction)}
          tone={fraction >= 1 ? 'bad' : fraction > NEARLY ? 'warn' : 'plain'}
        />
      )}
    </div>
  );
}

/** An empty field means no limit; the server refuses an invalid number and says why. */
function readNumber(form: FormData, name: string): number | undefined {
  const text = String(form.get(name) ?? '').trim();
  return text === '' ? undefined : Number(text.replaceAll(/[\s_']/g, ''));
}
