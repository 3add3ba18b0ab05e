import { useRef, useState } from 'react';
import { HeddleRefusal, type ModelTested, type WireModel, type WireModelEntry } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { useActions } from '../shell/actions.ts';
import { numeral } from '../ui/numeral.ts';
import { Refused, useWish } from '../ui/request.tsx';
import { visible } from '../ui/text/visible.ts';
import { isAskedElsewhere, ModelForm } from './model-form.tsx';
import { Coming, Offered, Tested } from './model-trial.tsx';

interface ModelRowProps {
  readonly model: WireModel;
  /** It was added just now: its test is the next thing to do. */
  readonly isAdded: boolean;
  onChanged(): Promise<void>;
  onRemoved(removed: { readonly name: string; readonly entry: WireModelEntry }): Promise<void>;
}

/** One model: what is known of it, and what can be done with it. */
export function ModelRow({ model, isAdded, onChanged, onRemoved }: ModelRowProps) {
  const { wish, busy, refusal } = useWish();
  const [texts, setTexts] = useState<readonly string[]>([]);
  const [tested, setTested] = useState<ModelTested>();
  const [isTesting, setTesting] = useState(false);
  const [offered, setOffered] = useState<readonly string[]>([]);
  const [form, setForm] = useState<'none' | 'shown' | 'hidden'>('none');
  const changeButton = useRef<HTMLButtonElement>(null);
  const { name, state, price, written, found } = model;

  async function test(): Promise<void> {
    setTexts([]);
    setTested(undefined);
    setTesting(true);
    const onText = (choice: number, text: string) =>
      setTexts((before) => Object.assign([...before], { [choice]: (before[choice] ?? '') + text }));
    setOffered([]);
    const done = await wish(() =>
      client.models.test(name, {}, { onText }).catch((error) => {
        if (error instanceof HeddleRefusal) setOffered((error.details.offered ?? []) as readonly string[]);
        throw error;
      }),
    );
    if (done) setTested(done);
    setTesting(false);
    await onChanged();
  }

  async function remove(): Promise<void> {
    const removed = await wish(() => client.models.remove(name));
    if (removed) await onRemoved(removed);
  }

  function close(then: 'none' | 'hidden'): void {
    setForm(then);
    changeButton.current?.focus();
  }

  const isChangeable = written && isAskedElsewhere(model);
  useActions('Settings', [
    { name: `Test ${name}`, act: () => void test(), when: !busy },
    { name: `Change ${name}`, act: () => setForm('shown'), when: isChangeable },
    { name: `Remove ${name}`, act: () => void remove(), when: written && !busy },
  ]);
  return (
    <li>
      <p className="model-line">
        <span className="row-title">{name}</span>
        <button
          type="button"
          className="act"
          aria-label={isTesting ? undefined : `Test ${name}`}
          disabled={busy}
          ref={isAdded ? focused : undefined}
          onClick={() => void test()}
        >
          {isTesting ? 'Writing …' : 'Test'}
        </button>
        {isChangeable && (
          <button
            type="button"
            className="act"
            aria-label={`Change ${name}`}
            aria-expanded={form === 'shown'}
            ref={changeButton}
            onClick={() => setForm(form === 'shown' ? 'hidden' : 'shown')}
          >
            Change
          </button>
        )}
        {written && (
          <button
            type="button"
            className="act"
            aria-label={`Remove ${name}`}
            disabled={busy}
            onClick={() => void remove()}
          >
            Remove
          </button>
        )}
      </p>
      <p className="soft">{described(model)}</p>
      {price && (
        <p className="soft">
          {price.input} read, {price.output} written, per million tokens
        </p>
      )}
      {found.map((sentence) => (
        <p className="soft" key={sentence}>
          {visible(sentence)}
        </p>
      ))}
      {state.code !== 'ready' && <p className="warned">{visible(state.sentence)}</p>}
      <Refused because={refusal} />
      <Offered models={offered} />
      {form !== 'none' && (
        <ModelForm
          before={model}
          isHidden={form === 'hidden'}
          onSaved={async () => {
            close('none');
            await onChanged();
          }}
          onLeave={close}
        />
      )}
      {tested ? <Tested tested={tested} /> : <Coming texts={texts} isBusy={isTesting} />}
    </li>
  );
}

/** In view, too: it stands where the list has grown. */
function focused(button: HTMLButtonElement | null): void {
  button?.focus();
}

function described({ provider, model, api_key_env, capabilities, state, default_for }: WireModel): string {
  return [
    provider,
    ...(model ? [visible(model)] : []),
    ...(capabilities ? [`${numeral(capabilities.context)} tokens`] : []),
    ...(capabilities?.label ? ['small'] : []),
    ...(default_for.length > 0 ? [`for ${default_for.join(', ')}`] : []),
    ...(api_key_env && state.code !== 'key_missing' ? [`key in ${api_key_env}`] : []),
    state.code === 'ready' ? 'ready' : state.code.replace('_', ' '),
  ].join(' · ');
}
