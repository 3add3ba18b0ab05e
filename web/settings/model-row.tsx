import { useRef, useState } from 'react';
import { HeddleRefusal, type ModelTestResult, type WireModel, type WireModelEntry } from '../../src/client/index.ts';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { client } from '../data/session.ts';
import { useActions } from '../shell/actions.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { isRemoteModel, ModelForm } from './model-form.tsx';
import { OfferedModels, TestResult, TestStream } from './model-trial.tsx';

interface ModelRowProps {
  readonly model: WireModel;
  /** The model was just added: testing it is the next step. */
  readonly isAdded: boolean;
  onChanged(): Promise<void>;
  onRemoved(removed: { readonly name: string; readonly entry: WireModelEntry }): Promise<void>;
}

/** One model with its facts and actions. */
export function ModelRow({ model, isAdded, onChanged, onRemoved }: ModelRowProps) {
  const { attempt, busy, refusal } = useAttempt();
  const [texts, setTexts] = useState<readonly string[]>([]);
  const [testResult, setTestResult] = useState<ModelTestResult>();
  const [isTesting, setTesting] = useState(false);
  const [offeredModels, setOfferedModels] = useState<readonly string[]>([]);
  const [form, setForm] = useState<'none' | 'shown' | 'hidden'>('none');
  const changeButton = useRef<HTMLButtonElement>(null);
  const { name, state, price, written, found } = model;

  async function runTest(): Promise<void> {
    setTexts([]);
    setTestResult(undefined);
    setTesting(true);
    const onText = (choice: number, text: string) =>
      setTexts((before) => Object.assign([...before], { [choice]: (before[choice] ?? '') + text }));
    setOfferedModels([]);
    const result = await attempt(() =>
      client.models.test(name, {}, { onText }).catch((error) => {
        if (error instanceof HeddleRefusal) setOfferedModels((error.details.offered ?? []) as readonly string[]);
        throw error;
      }),
    );
    if (result) setTestResult(result);
    setTesting(false);
    await onChanged();
  }

  async function remove(): Promise<void> {
    const removed = await attempt(() => client.models.remove(name));
    if (removed) await onRemoved(removed);
  }

  function closeForm(nextForm: 'none' | 'hidden'): void {
    setForm(nextForm);
    changeButton.current?.focus();
  }

  const isChangeable = written && isRemoteModel(model);
  useActions('Settings', [
    { name: `Test ${name}`, act: () => void runTest(), when: !busy },
    { name: `Change ${name}`, act: () => setForm('shown'), when: isChangeable },
    { name: `Remove ${name}`, act: () => void remove(), when: written && !busy },
  ]);
  return (
    <li>
      <p className="model-line">
        <span className="row-title">{name}</span>
        <ActionButton
          aria-label={isTesting ? undefined : `Test ${name}`}
          disabled={busy}
          ref={isAdded ? focusButton : undefined}
          onClick={() => void runTest()}
        >
          {isTesting ? 'Writing …' : 'Test'}
        </ActionButton>
        {isChangeable && (
          <ActionButton
            aria-label={`Change ${name}`}
            aria-expanded={form === 'shown'}
            ref={changeButton}
            onClick={() => setForm(form === 'shown' ? 'hidden' : 'shown')}
          >
            Change
          </ActionButton>
        )}
        {written && (
          <ActionButton aria-label={`Remove ${name}`} disabled={busy} onClick={() => void remove()}>
            Remove
          </ActionButton>
        )}
      </p>
      <p className="soft">{describeModel(model)}</p>
      {price && (
        <p className="soft">
          {price.input} read, {price.output} written, per million tokens
        </p>
      )}
      {found.map((sentence) => (
        <p className="soft" key={sentence}>
          {escapeBidi(sentence)}
        </p>
      ))}
      {state.code !== 'ready' && <p className="warned">{escapeBidi(state.sentence)}</p>}
      <RefusalMessage reason={refusal} />
      <OfferedModels models={offeredModels} />
      {form !== 'none' && (
        <ModelForm
          existing={model}
          isHidden={form === 'hidden'}
          onSaved={async () => {
            closeForm('none');
            await onChanged();
          }}
          onDismiss={closeForm}
        />
      )}
      {testResult ? <TestResult result={testResult} /> : <TestStream texts={texts} isBusy={isTesting} />}
    </li>
  );
}

/** Focus also scrolls the button into view: it appears where the list has grown. */
function focusButton(button: HTMLButtonElement | null): void {
  button?.focus();
}

function describeModel({ provider, model, api_key_env, capabilities, state, default_for }: WireModel): string {
  return [
    provider,
    ...(model ? [escapeBidi(model)] : []),
    ...(capabilities ? [`${formatNumber(capabilities.context)} tokens`] : []),
    ...(capabilities?.label ? ['small'] : []),
    ...(default_for.length > 0 ? [`for ${default_for.join(', ')}`] : []),
    ...(api_key_env && state.code !== 'key_missing' ? [`key in ${api_key_env}`] : []),
    state.code === 'ready' ? 'ready' : state.code.replace('_', ' '),
  ].join(' · ');
}
