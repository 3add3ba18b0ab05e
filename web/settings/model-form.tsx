import { type ComponentProps, useId, useRef, useState } from 'react';
import type { WireModel } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { handleSubmit } from '../ui/handle-submit.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import {
  changedFields,
  LABELS,
  type ModelProviderName,
  PROVIDERS,
  readModelFields,
  readUses,
  USES,
  withFieldLabels,
} from './model-fields.ts';

interface ModelFormProps {
  /** The model to change; without one, the form adds a model. */
  readonly existing?: WireModel;
  /** A suggested name that is not taken. */
  readonly name?: string;
  readonly isHidden: boolean;
  onSaved(name: string): Promise<void>;
  /** 'hidden' keeps the form's text; 'none' discards it. */
  onDismiss(outcome: 'hidden' | 'none'): void;
}

export function isRemoteModel({ provider }: WireModel): boolean {
  return Object.hasOwn(PROVIDERS, provider);
}

/** A form for one model. Its key can be set but never read back. */
export function ModelForm({ existing, name = '', isHidden, onSaved, onDismiss }: ModelFormProps) {
  const { attempt, busy, refusal } = useAttempt();
  const [provider, setProvider] = useState((existing?.provider ?? 'openai-chat') as ModelProviderName);
  const address = useRef<HTMLInputElement>(null);
  const { usual: defaultUrl, hint } = PROVIDERS[provider];

  function chooseProvider(next: ModelProviderName): void {
    const field = address.current;
    if (field && field.value === defaultUrl) field.value = PROVIDERS[next].usual;
    setProvider(next);
  }

  async function save(form: FormData): Promise<void> {
    const modelName = existing?.name ?? String(form.get('name') ?? '').trim();
    const saved = await attempt<unknown>(() => {
      if (existing) return client.models.change(modelName, changedFields(form, existing));
      return client.models.add({ name: modelName, entry: readModelFields(form), default_for: readUses(form) });
    });
    const key = String(form.get('key') ?? '').trim();
    const isDone = saved && (key === '' || (await attempt(() => client.models.setKey(modelName, key))));
    if (isDone) await onSaved(modelName);
  }

  return (
    <form
      className="model-form"
      aria-label={existing ? `Change ${existing.name}` : 'Add a model'}
      hidden={isHidden}
      onSubmit={handleSubmit(save)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onDismiss('hidden');
      }}
    >
      <label>
        <span>{LABELS.provider}</span>
        <select
          name="provider"
          value={provider}
          onChange={({ target }) => chooseProvider(target.value as ModelProviderName)}
        >
          {Object.entries(PROVIDERS).map(([providerName, { is: description }]) => (
            <option key={providerName} value={providerName}>
              {providerName}: {description}
            </option>
          ))}
        </select>
      </label>
      <ModelField
        name="base_url"
        hint={hint}
        ref={address}
        inputMode="url"
        defaultValue={existing ? existing.base_url : defaultUrl}
        placeholder="the provider’s own"
      />
      <ModelField name="model" required defaultValue={existing?.model} />
      {!existing && <ModelField name="name" required defaultValue={name} />}
      <ModelField
        name="key"
        type="password"
        // Checked before sending: otherwise the model would be added, and then its key refused.
        pattern="\s*\S*\s*"
        title="A key is one word."
        hint="Stored where the server runs, in the system keychain or a file only you can read. Never in heddle.yaml."
        placeholder={existing?.api_key_env && existing.state.code !== 'key_missing' ? 'unchanged' : 'none'}
      />
      <ModelField
        name="api_key_env"
        hint="Instead: the name of a variable that has the key, such as OPENROUTER_API_KEY."
        defaultValue={existing?.api_key_env}
        placeholder="none"
      />
      <ModelField
        name="context"
        inputMode="numeric"
        defaultValue={existing?.capabilities?.context}
        placeholder="the usual"
      />
      <ModelField name="price.input" inputMode="decimal" defaultValue={existing?.price?.input} placeholder="unknown" />
      <ModelField
        name="price.output"
        inputMode="decimal"
        defaultValue={existing?.price?.output}
        placeholder="unknown"
      />
      {!existing && (
        <fieldset className="choice">
          <legend className="soft">Default model for</legend>
          {USES.map((use) => (
            <label key={use}>
              <input type="checkbox" name="for" value={use} /> {use}
            </label>
          ))}
        </fieldset>
      )}
      <p className="line">
        <button type="submit" className="act" disabled={busy}>
          {existing ? 'Save' : 'Add'}
        </button>
        <ActionButton onClick={() => onDismiss('none')}>Cancel</ActionButton>
        <span className="soft">Written to heddle.yaml.</span>
      </p>
      <RefusalMessage reason={refusal && withFieldLabels(refusal)} />
    </form>
  );
}

interface ModelFieldProps extends ComponentProps<'input'> {
  readonly name: keyof typeof LABELS;
  readonly hint?: string;
}

function ModelField({ name, hint, ...input }: ModelFieldProps) {
  const id = useId();
  return (
    <>
      <label>
        <span>{LABELS[name]}</span>
        <input
          {...input}
          name={name}
          aria-describedby={hint && id}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </label>
      {hint && (
        <p id={id} className="soft">
          {hint}
        </p>
      )}
    </>
  );
}
