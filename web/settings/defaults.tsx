import type { WireModel } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { USES } from './model-fields.ts';
import { SettingsForm } from './settings-form.tsx';

/** The default models. */
export function DefaultModelsForm({
  models,
  onSaved,
}: {
  readonly models: readonly WireModel[];
  onSaved(): Promise<void>;
}) {
  const currentModels = Object.fromEntries(
    USES.map((use) => [use, models.find(({ default_for }) => default_for.includes(use))?.name ?? 'small']),
  );

  function save(form: FormData) {
    const selected = USES.map((use) => [use, String(form.get(use))] as const);
    return client.models.use(Object.fromEntries(selected.filter(([use, name]) => name !== currentModels[use])));
  }

  return (
    <SettingsForm
      id="defaults"
      label="Which models are used"
      hint="For dialogues, audits and looms that name no other."
      save={save}
      onSaved={onSaved}
    >
      {USES.map((use) => (
        <label key={`${use} ${currentModels[use]}`}>
          {use}
          <select name={use} defaultValue={currentModels[use]}>
            {models.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      ))}
    </SettingsForm>
  );
}
