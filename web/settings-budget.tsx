import { useState } from 'react';
import type { WireUsage } from '../src/client/index.ts';
import { Refused, useWish } from './refused.tsx';
import { client } from './session.ts';
import { Anchor } from './settings-anchor.tsx';

/** What all models together may use before they stop and ask. It is written to heddle.yaml. */
export function Budget({ usage, onSaved }: { readonly usage: WireUsage; onSaved(): Promise<void> }) {
  const { wish, busy, refusal } = useWish();
  const [saved, setSaved] = useState(false);
  const { workspace } = usage.budgets;

  async function save(form: FormData): Promise<void> {
    const tokens = numberIn(form, 'tokens');
    const money = numberIn(form, 'money');
    const limit = { ...(tokens !== undefined && { tokens }), ...(money !== undefined && { money }) };
    setSaved(false);
    if (!(await wish(() => client.models.setBudget(limit)))) return;
    setSaved(true);
    await onSaved();
  }

  return (
    <Anchor id="budget" label="Budget of the workspace">
      <form
        aria-label="Budget"
        key={`${workspace.tokens} ${workspace.money}`}
        onChange={() => setSaved(false)}
        onSubmit={(event) => {
          event.preventDefault();
          void save(new FormData(event.currentTarget));
        }}
      >
        <h2>Budget of the workspace</h2>
        <p className="line budget">
          <label>
            Tokens
            <input
              name="tokens"
              inputMode="numeric"
              defaultValue={workspace.tokens}
              placeholder="no limit"
              autoComplete="off"
            />
          </label>
          <label>
            Money
            <input
              name="money"
              inputMode="decimal"
              defaultValue={workspace.money}
              placeholder="no limit"
              autoComplete="off"
            />
          </label>
          <button type="submit" className="act" disabled={busy}>
            Save
          </button>
        </p>
        <p className="soft" role="status">
          {saved ? 'Saved in heddle.yaml.' : 'When so much is used, models stop and ask.'}
        </p>
        <Refused because={refusal} />
      </form>
    </Anchor>
  );
}

/** An empty field is no limit; what is no number the server refuses, with its reason. */
function numberIn(form: FormData, name: string): number | undefined {
  const text = String(form.get(name) ?? '').trim();
  return text === '' ? undefined : Number(text.replaceAll(/[\s_']/g, ''));
}
