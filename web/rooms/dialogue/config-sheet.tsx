import { useEffect, useState } from 'react';
import type { Config } from '../../../src/core/dialogue/config.ts';
import { client, sentenceFor } from '../../data/session.ts';
import { Refused, useWish } from '../../ui/request.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import type { Talk } from './live-dialogue.ts';

type Field = Exclude<keyof Config, 'model' | 'budget' | 'prompt' | 'self'>;
const FIELDS: readonly { readonly name: Field; readonly label: string; readonly empty?: string }[] = [
  { name: 'active_pool_size', label: 'Thoughts that stay active' },
  { name: 'thought_display_count', label: 'Thoughts shown at once, at most' },
  { name: 'thought_display_chars', label: 'Characters of thoughts, at most' },
  { name: 'thought_recent_count', label: 'Newest thoughts shown in order beside them' },
  { name: 'thought_recall_count', label: 'Older thoughts recalled' },
  { name: 'draft_display_count', label: 'Drafts shown to the mind, at most' },
  { name: 'draft_display_chars', label: 'Characters of drafts, at most' },
  { name: 'history_pairs', label: 'Earlier turns shown' },
  { name: 'auto_accept', label: 'Accept by itself after so many quiet iterations', empty: 'never' },
  { name: 'temperature', label: 'Temperature', empty: 'as the model has it' },
];
const BUDGET = [
  { name: 'iterations', label: 'Iterations' },
  { name: 'tokens', label: 'Tokens' },
  { name: 'money', label: 'Money' },
  { name: 'seconds', label: 'Seconds' },
] as const;

/** The settings of one mind; only what was changed is sent. */
export function ConfigSheet({ talk, onClose }: { readonly talk: Talk; onClose(): void }) {
  const [config, setConfig] = useState<Config>();
  const [models, setModels] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string>();
  const { wish, busy, refusal } = useWish();

  useEffect(() => {
    talk.reads.config().then(
      (answer) => setConfig(answer.config as unknown as Config),
      (error) => setProblem(sentenceFor(error)),
    );
    client.models.list().then(
      (answer) => setModels(answer.models.map(({ name }) => name)),
      () => {}, // The name can still be left as it is.
    );
  }, [talk]);

  async function save(form: FormData, before: Config): Promise<void> {
    const wrong = notNumbers(form);
    setProblem(wrong[0] && `“${form.get(wrong[0].field)}” is no number: give one for “${wrong[0].label}”.`);
    if (wrong.length > 0) return;
    const set = changesIn(form, before);
    if (await wish(() => talk.remote.command('configure', { set }))) onClose();
  }

  return (
    <Sheet label="Settings of the mind" onClose={onClose}>
      <h2>Settings of the mind</h2>
      {config && (
        <form
          className="config"
          aria-label="Settings of the mind"
          onSubmit={(event) => {
            event.preventDefault();
            void save(new FormData(event.currentTarget), config);
          }}
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
          {FIELDS.map(({ name, label, empty }) => (
            <label key={name}>
              <span>{label}</span>
              <input name={name} inputMode="decimal" defaultValue={config[name] ?? ''} placeholder={empty} />
            </label>
          ))}
          <fieldset>
            <legend className="soft">Pause after (default: a run ends at a signal or after 20 iterations)</legend>
            {BUDGET.map(({ name, label }) => (
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
            <button type="button" className="act" onClick={onClose}>
              Leave it
            </button>
          </p>
        </form>
      )}
      <Refused because={problem ?? (refusal && inWords(refusal))} />
    </Sheet>
  );
}

const NUMBERS = [...FIELDS, ...BUDGET.map(({ name, label }) => ({ name: `budget.${name}`, label }))].map(
  ({ name, label }) => ({ field: name as string, label }),
);

function notNumbers(form: FormData): readonly { readonly field: string; readonly label: string }[] {
  return NUMBERS.filter(({ field }) => Number.isNaN(Number(form.get(field) ?? '')));
}

/** A refusal names a setting as the log does; here it is called by what stands beside its field. */
function inWords(refusal: string): string {
  return NUMBERS.reduce((text, { field, label }) => text.replaceAll(`"${field}"`, `“${label}”`), refusal);
}

function changesIn(form: FormData, before: Config): Record<string, unknown> {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const number = (name: string) => (text(name) === '' ? null : Number(text(name)));
  const budget = Object.fromEntries(
    BUDGET.map(({ name }) => [name, number(`budget.${name}`)] as const).filter(([, value]) => value !== null),
  );
  const now: Record<string, unknown> = {
    model: text('model') || null,
    prompt: text('prompt') || null,
    budget,
    ...Object.fromEntries(FIELDS.map(({ name }) => [name, number(name)])),
  };
  return Object.fromEntries(
    Object.entries(now).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Config]),
    ),
  );
}
