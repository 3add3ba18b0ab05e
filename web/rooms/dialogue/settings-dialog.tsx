import { useEffect, useState } from 'react';
import type { DialogueConfig } from '../../../src/core/dialogue/config.ts';
import { moneySign } from '../../data/money.ts';
import { client, describeError } from '../../data/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextArea, TextField } from '../../ui/controls/field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { handleSubmit } from '../../ui/handle-submit.ts';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import type { LiveDialogue } from './live-dialogue.ts';
import styles from './settings-dialog.module.css';
import {
  BUDGET_FIELDS,
  CONTEXT_FIELDS,
  changedSettings,
  findInvalidNumber,
  labelRefusal,
  WRITING_FIELDS,
} from './settings-fields.ts';

const TITLE = 'Dialogue settings';
const FORM_ID = 'dialogue-settings';
/** The value that stands for the workspace's default. */
const DEFAULT_MODEL = '';

/** The settings of one dialogue. Only changed ones are sent. */
export function SettingsDialog({ dialogue, onClose }: { readonly dialogue: LiveDialogue; onClose(): void }) {
  const [config, setConfig] = useState<DialogueConfig>();
  const [model, setModel] = useState(DEFAULT_MODEL);
  const [models, setModels] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string>();
  const { attempt, busy, refusal } = useAttempt();

  useEffect(() => {
    dialogue.queries.config().then(
      (answer) => {
        const saved = answer.config as DialogueConfig;
        setConfig(saved);
        setModel(saved.model ?? DEFAULT_MODEL);
      },
      (error) => setProblem(describeError(error)),
    );
    client.models.list().then(
      (answer) => setModels(answer.models.map(({ name }) => name)),
      () => {}, // Without the list, the current name can still be kept.
    );
  }, [dialogue]);

  async function save(form: FormData, savedConfig: DialogueConfig): Promise<void> {
    const invalid = findInvalidNumber(form);
    setProblem(invalid && `“${form.get(invalid.field)}” is not a number. Enter one for “${invalid.label}”.`);
    if (invalid) return;
    const set = changedSettings(form, model || null, savedConfig);
    if (await attempt(() => dialogue.remote.command('configure', { set }))) onClose();
  }

  const names = [...new Set([...models, ...(config?.model ? [config.model] : [])])];
  return (
    <Dialog
      title={TITLE}
      size="large"
      onClose={onClose}
      footer={
        <>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" form={FORM_ID} disabled={busy || !config}>
            Save
          </Button>
        </>
      }
    >
      {config && (
        <form
          id={FORM_ID}
          aria-label={TITLE}
          className={styles.form}
          onSubmit={handleSubmit((data) => save(data, config))}
        >
          <Select
            label="Model"
            value={model}
            options={[
              { value: DEFAULT_MODEL, label: 'Default model for dialogues' },
              ...names.map((name) => ({ value: name, label: name })),
            ]}
            onChange={setModel}
          />
          <TextArea
            label="Instructions"
            name="prompt"
            rows={3}
            defaultValue={config.prompt ?? ''}
            placeholder="Heddle’s default instructions"
          />
          <NumberFields fields={WRITING_FIELDS} savedValue={(name) => config[name]} />
          <fieldset className={styles.group}>
            <legend>Pause after (default: the first signal, or 20 iterations)</legend>
            <NumberFields
              fields={BUDGET_FIELDS.map(({ name, label }) => ({
                name,
                label: name === 'money' ? `${label} (${moneySign()})` : label,
                placeholder: 'No limit',
              }))}
              prefix="budget."
              savedValue={(name) => config.budget[name]}
            />
          </fieldset>
          <fieldset className={styles.group}>
            <legend>What the mind sees</legend>
            <NumberFields fields={CONTEXT_FIELDS} savedValue={(name) => config[name]} />
          </fieldset>
        </form>
      )}
      <RefusalMessage reason={problem ?? (refusal && labelRefusal(refusal))} />
    </Dialog>
  );
}

function NumberFields<Name extends string>({
  fields,
  prefix = '',
  savedValue,
}: {
  readonly fields: readonly { readonly name: Name; readonly label: string; readonly placeholder?: string }[];
  readonly prefix?: string;
  savedValue(name: Name): number | null | undefined;
}) {
  return (
    <div className={styles.numbers}>
      {fields.map(({ name, label, placeholder }) => (
        <TextField
          key={name}
          label={label}
          name={prefix + name}
          inputMode="decimal"
          defaultValue={savedValue(name) ?? ''}
          placeholder={placeholder}
        />
      ))}
    </div>
  );
}
