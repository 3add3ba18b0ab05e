import { type ComponentProps, useId, useRef, useState } from 'react';
import type { WireModel } from '../../src/client/index.ts';
import { moneySign } from '../data/money.ts';
import { client } from '../data/session.ts';
import { Button } from '../ui/controls/button.tsx';
import { Checkbox } from '../ui/controls/checkbox.tsx';
import { TextField } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';
import { Dialog } from '../ui/floating/dialog.tsx';
import { handleSubmit } from '../ui/handle-submit.ts';
import { useAttempt } from '../ui/refusal.tsx';
import { Banner } from '../ui/status/banner.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { changedFields, LABELS, readModelFields, readUses, USE_LABELS, USES, withFieldLabels } from './model-fields.ts';
import styles from './model-form.module.css';
import { ModelPicker } from './model-picker.tsx';
import { PRESETS, presetById, presetOf, suggestName } from './presets.ts';
import { type ModelServer, useOffered } from './use-offered.ts';

/** What was filled in when the form was closed, by the names of its fields. */
export type KeptFields = Readonly<Record<string, string>>;

interface ModelFormProps {
  /** The model to change; without one, the form adds a model. */
  readonly existing?: WireModel;
  /** The preset to begin with. */
  readonly preset?: string | undefined;
  readonly taken?: ReadonlySet<string>;
  readonly kept?: KeptFields | undefined;
  onSaved(name: string): Promise<void>;
  /** Without fields, what was filled in is discarded. */
  onClose(kept?: KeptFields): void;
}

/** A dialog for one model. Its key can be set but never read back. */
export function ModelForm({ existing, preset: first, taken = new Set(), kept = {}, onSaved, onClose }: ModelFormProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const { attempt, busy, refusal } = useAttempt();
  const { offered, ask, reset } = useOffered();
  const [preset, setPreset] = useState(existing ? presetOf(existing) : presetById(first ?? kept.preset));
  const [url, setUrl] = useState(kept.base_url ?? (existing ? (existing.base_url ?? '') : (preset.url ?? '')));
  const [model, setModel] = useState(kept.model ?? existing?.model ?? '');
  const suggestedName = suggestName(model, taken);
  const isScripted = preset.provider === 'scripted';

  function choosePreset(next: string): void {
    const chosen = presetById(next);
    if (url === (preset.url ?? '')) setUrl(chosen.url ?? '');
    setPreset(chosen);
    reset();
  }

  function listModels(): void {
    const fields = new FormData(form.current as HTMLFormElement);
    const text = (name: string) => String(fields.get(name) ?? '').trim();
    void ask({
      provider: preset.provider as ModelServer['provider'],
      ...(url.trim() && { base_url: url.trim() }),
      ...(text('key') && { key: text('key') }),
      ...(text('api_key_env') && { api_key_env: text('api_key_env') }),
    });
  }

  async function save(fields: FormData): Promise<void> {
    const name = existing?.name ?? (String(fields.get('name') ?? '').trim() || suggestedName);
    const saved = await attempt<unknown>(() => {
      if (existing) return client.models.change(name, changedFields(fields, existing));
      return client.models.add({ name, entry: readModelFields(fields), default_for: readUses(fields) });
    });
    const key = String(fields.get('key') ?? '').trim();
    const isDone = saved && (key === '' || (await attempt(() => client.models.setKey(name, key))));
    if (isDone) await onSaved(name);
  }

  /** Closed by Esc or a press outside, it keeps what was filled in, but for the key. */
  function keepAndClose(): void {
    const fields = [...new FormData(form.current as HTMLFormElement)].filter(([name]) => name !== 'key');
    onClose(Object.fromEntries(fields.map(([name, value]) => [name, String(value)])));
  }

  const addressField = (
    <ModelField
      name="base_url"
      inputMode="url"
      value={url}
      required={preset.needs === 'address'}
      placeholder={preset.needs === 'key' ? 'The provider’s own' : 'http://127.0.0.1:8080/v1'}
      onChange={(event) => setUrl(event.target.value)}
    />
  );
  const isAddressFirst = preset.needs === 'server' || preset.needs === 'address';
  return (
    <Dialog
      title={existing ? `Change ${escapeBidi(existing.name)}` : 'Add a model'}
      size="large"
      onClose={keepAndClose}
      footer={
        <>
          <Button kind="quiet" onClick={() => onClose()}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" form={id} disabled={busy}>
            {existing ? 'Save' : 'Add model'}
          </Button>
        </>
      }
    >
      <form
        id={id}
        ref={form}
        aria-label={existing ? `Change ${existing.name}` : 'Add a model'}
        className={styles.form}
        onSubmit={handleSubmit(save)}
      >
        <input type="hidden" name="provider" value={preset.provider} />
        <input type="hidden" name="preset" value={preset.id} />
        <Select
          label={LABELS.provider}
          value={preset.id}
          options={PRESETS.map((each) => ({ value: each.id, label: each.name, hint: each.about }))}
          onChange={choosePreset}
        />
        {isAddressFirst && addressField}
        {isScripted ? (
          <ModelField
            name="path"
            required
            defaultValue={kept.path}
            hint="The file with the model’s answers; its path, from the workspace’s folder."
          />
        ) : (
          <>
            <ModelField
              name="key"
              type="password"
              // Checked before sending: otherwise the model would be added, and then its key refused.
              pattern="\s*\S*\s*"
              title="A key contains no spaces."
              hint={
                preset.needs === 'server'
                  ? 'Usually not needed. Kept in the system keychain or a file only you can read, never in heddle.yaml.'
                  : 'Kept in the system keychain or a file only you can read, never in heddle.yaml.'
              }
              placeholder={existing?.api_key_env && existing.state.code !== 'key_missing' ? 'Unchanged' : 'None'}
            />
            <ModelPicker model={model} offered={offered} onModel={setModel} onList={listModels} />
          </>
        )}
        {!existing && (
          <ModelField
            name="name"
            defaultValue={kept.name}
            placeholder={suggestedName}
            pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}"
            title="Letters, digits, “.”, “_” or “-”."
          />
        )}
        {!existing && (
          <fieldset className={styles.uses}>
            <legend>Default model for</legend>
            {USES.map((use) => (
              <Checkbox key={use} name="for" value={use} label={USE_LABELS[use]} />
            ))}
          </fieldset>
        )}
        {!isScripted && (
          <details className={styles.advanced}>
            <summary>Advanced</summary>
            <div className={styles.form}>
              {!isAddressFirst && addressField}
              <ModelField
                name="api_key_env"
                hint="Instead of a key: the variable that contains it, such as OPENROUTER_API_KEY."
                defaultValue={kept.api_key_env ?? existing?.api_key_env}
                placeholder="None"
              />
              <div className={styles.three}>
                <ModelField
                  name="context"
                  inputMode="numeric"
                  defaultValue={kept.context ?? existing?.capabilities?.context}
                  placeholder="Default"
                  hint="In tokens"
                />
                <ModelField
                  name="price.input"
                  inputMode="decimal"
                  defaultValue={kept['price.input'] ?? existing?.price?.input}
                  placeholder="Unknown"
                  hint={`${moneySign()} per 1M tokens`}
                />
                <ModelField
                  name="price.output"
                  inputMode="decimal"
                  defaultValue={kept['price.output'] ?? existing?.price?.output}
                  placeholder="Unknown"
                  hint={`${moneySign()} per 1M tokens`}
                />
              </div>
            </div>
          </details>
        )}
        {refusal && <Banner tone="failure">{escapeBidi(withFieldLabels(refusal))}</Banner>}
      </form>
    </Dialog>
  );
}

interface ModelFieldProps extends ComponentProps<'input'> {
  readonly name: keyof typeof LABELS;
  readonly hint?: string;
}

function ModelField({ name, ...input }: ModelFieldProps) {
  return (
    <TextField {...input} name={name} label={LABELS[name]} autoComplete="off" autoCapitalize="off" spellCheck={false} />
  );
}
