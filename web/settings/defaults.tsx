import type { WireModel } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { USES } from './model-fields.ts';
import { Saved } from './section-form.tsx';

/** Which models are used where none is named. */
export function Defaults({ models, onSaved }: { readonly models: readonly WireModel[]; onSaved(): Promise<void> }) {
  const used = Object.fromEntries(
    USES.map((use) => [use, models.find(({ default_for }) => default_for.includes(use))?.name ?? 'small']),
  );

  function save(form: FormData) {
    const named = USES.map((use) => [use, String(form.get(use))] as const);
    return client.models.use(Object.fromEntries(named.filter(([use, name]) => name !== used[use])));
  }

  return (
    <Saved
      id="defaults"
      label="Which models are used"
      hint="For dialogues, audits and looms that name no other."
      save={save}
      onSaved={onSaved}
    >
      {USES.map((use) => (
        <label key={`${use} ${used[use]}`}>
          {use}
          <select name={use} defaultValue={used[use]}>
            {models.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      ))}
    </Saved>
  );
}
