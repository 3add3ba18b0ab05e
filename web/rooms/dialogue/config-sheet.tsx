import { useEffect, useState } from 'react';
import type { DialogueConfig } from '../../../src/core/dialogue/config.ts';
import { client, describeError } from '../../data/session.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { handleSubmit } from '../../ui/handle-submit.ts';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import type { LiveDialogue } from './live-dialogue.ts';

type ConfigField = Exclude<keyof DialogueConfig, 'model' | 'budget' | 'prompt' | 'self'>;
const CONFIG_FIELDS: readonly { readonly name: ConfigField; readonly label: string; readonly empty?: string }[] = [
  { name: 'active_pool_size', label: 'Thoughts that stay active' },
  { name: 'thought_display_count', label: 'Thoughts shown at once, at most' },
  { name: 'thought_display_chars', label: 'Characters of thoughts, at most' },
  { name: 'thought_recent_count', label: 'Newest thoughts shown in order beside them' },
  { name: 'thought_recall_count', label: 'Older thoughts recalled' },
  { name: 'draft_display_count', label: 'Drafts shown to the mind, at most' },
  { name: 'draft_display_chars', label: 'Characters of drafts, at most' },
  { name: 'history_pairs', label: 'Earlier turns shown' },
  { name: 'auto_accept', label: 'Auto-accept after this many quiet iterations', empty: 'never' },
  { name: 'temperature', label: 'Temperature', empty: 'as the model has it' },
];
const BUDGET_FIELDS = [
  { name: 'iterations', label: 'Iterations' },
  { name: 'tokens', label: 'Tokens' },
  { name: 'money', label: 'Money' },
  { name: 'seconds', label: 'Seconds' },
] as const;

/** The settings of one mind. Only changed settings are sent. */
export function ConfigSheet({ dialogue, onClose }: { readonly dialogue: LiveDialogue; onClose(): void }) {
  const [config, setConfig] = useState<DialogueConfig>();
  const [models, setModels] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string>();
  const { attempt, busy, refusal } = useAttempt();

  useEffect(() => {
    dialogue.queries.config().then(
      (answer) => setConfig(answer.config as DialogueConfig),
      (error) => setProblem(describeError(error)),
    );
    client.models.list().then(
      (answer) => setModels(answer.models.map(({ name }) => name)),
      () => {}, // Without the list, the current name can still be kept.
    );
  }, [dialogue]);

  async function save(form: FormData, savedConfig: DialogueConfig): Promise<void> {
    const invalidFields = findInvalidNumbers(form);
    setProblem(
      invalidFields[0] &&
        `“${form.get(invalidFields[0].field)}” is no number: give one for “${invalidFields[0].label}”.`,
    );
    if (invalidFields.length > 0) return;
    const set = changedSettings(form, savedConfig);
    if (await attempt(() => dialogue.remote.command('configure', { set }))) onClose();
  }

  return (
    <Sheet label="Settings of the mind" onClose={onClose}>
      <h2>Settings of the mind</h2>
      {config && (
        <form
          className="config"
          aria-label="Settings of the mind"
          onSubmit={handleSubmit((data) => save(data, config))}
        >
          <label>
            <span>Model</span>
            <select name="model" defaultValue={config.model ?? ''}>
              <option value="">the one chosen for minds</option>
              {[...new Set([...models, ...(config.model ? [config.model] : [])])].map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          {CONFIG_FIELDS.map(({ name, label, empty }) => (
            <label key={name}>
              <span>{label}</span>
              <input name={name} inputMode="decimal" defaultValue={config[name] ?? ''} placeholder={empty} />
            </label>
          ))}
          <fieldset>
            <legend className="soft">Pause after (default: a run ends at a signal or after 20 iterations)</legend>
            {BUDGET_FIELDS.map(({ name, label }) => (
              <label key={name}>
                <span>{label}</span>
                <input
                  name={`budget.${name}`}
                  inputMode="decimal"
                  defaultValue={config.budget[name] ?? ''}
                  placeholder="no limit"
                />
              </label>
            ))}
          </fieldset>
          <label className="prompt-field">
            <span>Prompt</span>
            <textarea
              name="prompt"
              rows={3}
              defaultValue={config.prompt ?? ''}
              placeholder="the one that comes with Heddle"
            />
          </label>
          <p className="draft-acts">
            <button type="submit" className="act accept" disabled={busy}>
              Save
            </button>
            <ActionButton onClick={onClose}>Cancel</ActionButton>
          </p>
        </form>
      )}
      <RefusalMessage reason={problem ?? (refusal && labelRefusal(refusal))} />
    </Sheet>
  );
}

const NUMBER_FIELDS = [
  ...CONFIG_FIELDS,
  ...BUDGET_FIELDS.map(({ name, label }) => ({ name: `budget.${name}`, label })),
].map(({ name, label }) => ({ field: name as string, label }));

function findInvalidNumbers(form: FormData): readonly { readonly field: string; readonly label: string }[] {
  return NUMBER_FIELDS.filter(({ field }) => Number.isNaN(Number(form.get(field) ?? '')));
}

/** A refusal uses the setting's name in the log; this replaces it with the field's label. */
function labelRefusal(refusal: string): string {
  return NUMBER_FIELDS.reduce((text, { field, label }) => text.replaceAll(`"${field}"`, `“${label}”`), refusal);
}

function changedSettings(form: FormData, savedConfig: DialogueConfig): Record<string, unknown> {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const number = (name: string) => (text(name) === '' ? null : Number(text(name)));
  const budget = Object.fromEntries(
    BUDGET_FIELDS.map(({ name }) => [name, number(`budget.${name}`)] as const).filter(([, value]) => value !== null),
  );
  const values: Record<string, unknown> = {
    model: text('model') || null,
    prompt: text('prompt') || null,
    budget,
    ...Object.fromEntries(CONFIG_FIELDS.map(({ name }) => [name, number(name)])),
  };
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(savedConfig[name as keyof DialogueConfig]),
    ),
  );
}
