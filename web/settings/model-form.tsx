import { type ComponentProps, useId, useRef, useState } from 'react';
import type { WireModel } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { Refused, useWish } from '../ui/request.tsx';
import { changesIn, fieldsIn, inWords, LABELS, PROVIDERS, type Provider, USES, usesIn } from './model-fields.ts';

interface ModelFormProps {
  /** The one to change; a new one is added where there is none. */
  readonly before?: WireModel;
  /** A name that is free, to begin with. */
  readonly name?: string;
  readonly isHidden: boolean;
  onSaved(name: string): Promise<void>;
  /** Left for a while, what is written stays; otherwise it is forgotten. */
  onLeave(how: 'hidden' | 'none'): void;
}

export function isAskedElsewhere({ provider }: WireModel): boolean {
  return Object.hasOwn(PROVIDERS, provider);
}

/** A model in fields. Its key goes in, and never comes out again. */
export function ModelForm({ before, name = '', isHidden, onSaved, onLeave }: ModelFormProps) {
  const { wish, busy, refusal } = useWish();
  const [provider, setProvider] = useState((before?.provider ?? 'openai-chat') as Provider);
  const address = useRef<HTMLInputElement>(null);
  const { usual, hint } = PROVIDERS[provider];

  function choose(next: Provider): void {
    const field = address.current;
    if (field && field.value === usual) field.value = PROVIDERS[next].usual;
    setProvider(next);
  }

  async function save(form: FormData): Promise<void> {
    const called = before?.name ?? String(form.get('name') ?? '').trim();
    const saved = await wish<unknown>(() => {
      if (before) return client.models.change(called, changesIn(form, before));
      return client.models.add({ name: called, entry: fieldsIn(form), default_for: usesIn(form) });
    });
    const key = String(form.get('key') ?? '').trim();
    const isDone = saved && (key === '' || (await wish(() => client.models.setKey(called, key))));
    if (isDone) await onSaved(called);
  }

  return (
    <form
      className="model-form"
      aria-label={before ? `Change ${before.name}` : 'Add a model'}
      hidden={isHidden}
      onSubmit={(event) => {
        event.preventDefault();
        void save(new FormData(event.currentTarget));
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onLeave('hidden');
      }}
    >
      <label>
        <span>{LABELS.provider}</span>
        <select name="provider" value={provider} onChange={({ target }) => choose(target.value as Provider)}>
          {Object.entries(PROVIDERS).map(([each, { is }]) => (
            <option key={each} value={each}>
              {each}: {is}
            </option>
          ))}
        </select>
      </label>
      <Field
        name="base_url"
        hint={hint}
        ref={address}
        inputMode="url"
        defaultValue={before ? before.base_url : usual}
        placeholder="the provider’s own"
      />
      <Field name="model" required defaultValue={before?.model} />
      {!before && <Field name="name" required defaultValue={name} />}
      <Field
        name="key"
        type="password"
        // Seen before anything is sent: a model whose key is then refused would be there without it.
        pattern="\s*\S*\s*"
        title="A key is one word."
        hint="Stored where the server runs, in the system keychain or a file only you can read. Never in heddle.yaml."
        placeholder={before?.api_key_env && before.state.code !== 'key_missing' ? 'unchanged' : 'none'}
      />
      <Field
        name="api_key_env"
        hint="Instead: the name of a variable that has the key, such as OPENROUTER_API_KEY."
        defaultValue={before?.api_key_env}
        placeholder="none"
      />
      <Field name="context" inputMode="numeric" defaultValue={before?.capabilities?.context} placeholder="the usual" />
      <Field name="price.input" inputMode="decimal" defaultValue={before?.price?.input} placeholder="unknown" />
      <Field name="price.output" inputMode="decimal" defaultValue={before?.price?.output} placeholder="unknown" />
      {!before && (
        <fieldset className="choice">
          <legend className="soft">Use it, where none is named, for</legend>
          {USES.map((use) => (
            <label key={use}>
              <input type="checkbox" name="for" value={use} /> {use}
            </label>
          ))}
        </fieldset>
      )}
      <p className="line">
        <button type="submit" className="act" disabled={busy}>
          {before ? 'Save' : 'Add'}
        </button>
        <button type="button" className="act" onClick={() => onLeave('none')}>
          Leave it
        </button>
        <span className="soft">Written to heddle.yaml.</span>
      </p>
      <Refused because={refusal && inWords(refusal)} />
    </form>
  );
}

interface FieldProps extends ComponentProps<'input'> {
  readonly name: keyof typeof LABELS;
  readonly hint?: string;
}

function Field({ name, hint, ...input }: FieldProps) {
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
