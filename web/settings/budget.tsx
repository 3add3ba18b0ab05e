import type { WireUsage } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { SettingsForm } from './settings-form.tsx';

const FIELDS = [
  { name: 'tokens', label: 'Tokens', inputMode: 'numeric' },
  { name: 'money', label: 'Money', inputMode: 'decimal' },
] as const;

/** The limit for all models together; they pause when it is reached. */
export function BudgetForm({ usage, onSaved }: { readonly usage: WireUsage; onSaved(): Promise<void> }) {
  const { workspace } = usage.budgets;

  function save(form: FormData) {
    const limits = FIELDS.map(({ name }) => [name, readNumber(form, name)] as const);
    return client.models.setBudget(Object.fromEntries(limits.filter(([, limit]) => limit !== undefined)));
  }

  return (
    <SettingsForm
      id="budget"
      label="Budget of the workspace"
      hint="Models pause at this limit."
      save={save}
      onSaved={onSaved}
    >
      {FIELDS.map(({ name, label, inputMode }) => (
        <label key={`${name} ${workspace[name]}`}>
          {label}
          <input
            name={name}
            inputMode={inputMode}
            defaultValue={workspace[name]}
            placeholder="no limit"
            autoComplete="off"
          />
        </label>
      ))}
    </SettingsForm>
  );
}

/** An empty field means no limit; the server refuses an invalid number and says why. */
function readNumber(form: FormData, name: string): number | undefined {
  const text = String(form.get(name) ?? '').trim();
  return text === '' ? undefined : Number(text.replaceAll(/[\s_']/g, ''));
}
