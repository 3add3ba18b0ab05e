import { Check, Ellipsis, Pencil, Star, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { HeddleRefusal, type ModelTestResult, type WireModel, type WireModelEntry } from '../../src/client/index.ts';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { client } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { useActions } from '../shell/actions.ts';
import { Button, IconButton } from '../ui/controls/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/floating/menu.tsx';
import { Avatar } from '../ui/people/avatar.tsx';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { Tag } from '../ui/status/badge.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { clock } from '../ui/time.tsx';
import { type ModelUse, USE_LABELS, USES } from './model-fields.ts';
import { type KeptFields, ModelForm } from './model-form.tsx';
import styles from './model-row.module.css';
import { statusOf } from './model-status.ts';
import { OfferedModels, TestResult, TestStream } from './model-trial.tsx';
import { PRESETS, providerName } from './presets.ts';
import { Row } from './rows.tsx';

interface ModelRowProps {
  readonly model: WireModel;
  /** The model was just added: trying it is the next step. */
  readonly isAdded: boolean;
  onChanged(): Promise<void>;
  onRemoved(removed: { readonly name: string; readonly entry: WireModelEntry }): Promise<void>;
}

/** One model with its status, facts and actions. */
export function ModelRow({ model, isAdded, onChanged, onRemoved }: ModelRowProps) {
  const { attempt, busy, refusal } = useAttempt();
  const [texts, setTexts] = useState<readonly string[]>([]);
  const [testResult, setTestResult] = useState<ModelTestResult>();
  const [isTesting, setTesting] = useState(false);
  const [offeredModels, setOfferedModels] = useState<readonly string[]>([]);
  const [isFormOpen, setFormOpen] = useState(false);
  const [kept, setKept] = useState<KeptFields>();
  const menuButton = useRef<HTMLButtonElement>(null);
  const { name, state, written, found, default_for: defaultFor } = model;
  const { tone, label, problem, call } = statusOf(model, useStore(clock));

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

  async function makeDefault(use: ModelUse): Promise<void> {
    if (await attempt(() => client.models.use({ [use]: name }))) await onChanged();
  }

  function closeForm(fields?: KeptFields): void {
    setKept(fields);
    setFormOpen(false);
    menuButton.current?.focus();
  }

  const isChangeable =
    written && PRESETS.some(({ provider, needs }) => provider === model.provider && needs !== 'file');
  const freeUses = USES.filter((use) => !defaultFor.includes(use));
  useActions('Settings', [
    { name: `Try ${name}`, act: () => void runTest(), when: !busy },
    { name: `Change ${name}`, act: () => setFormOpen(true), when: isChangeable },
    ...freeUses.map((use) => ({
      name: `Use ${name} for ${USE_LABELS[use].toLowerCase()}`,
      act: () => void makeDefault(use),
      many: true as const,
    })),
    { name: `Remove ${name}`, act: () => void remove(), when: written && !busy },
  ]);
  const hasTrial = isTesting || testResult || texts.length > 0;
  return (
    <Row
      icon={<Avatar id={name} kind="model" />}
      title={escapeBidi(name)}
      text={<ModelFacts model={model} call={call} />}
      actions={
        <>
          <Tag tone={tone} {...(tone === 'good' && { icon: Check })}>
            {label}
          </Tag>
          {state.code === 'key_missing' && isChangeable && (
            <Button aria-label={`Add key for ${name}`} onClick={() => setFormOpen(true)}>
              Add key
            </Button>
          )}
          <Button
            aria-label={isTesting ? undefined : `Try ${name}`}
            disabled={busy}
            ref={isAdded ? focusButton : undefined}
            onClick={() => void runTest()}
          >
            {isTesting ? 'Writing…' : 'Try'}
          </Button>
          <Menu trigger={<IconButton ref={menuButton} icon={Ellipsis} label={`More for ${name}`} />}>
            {freeUses.map((use) => (
              <MenuItem key={use} icon={Star} onSelect={() => void makeDefault(use)}>
                Use for {USE_LABELS[use].toLowerCase()}
              </MenuItem>
            ))}
            {written && freeUses.length > 0 && <MenuSeparator />}
            {isChangeable && (
              <MenuItem icon={Pencil} onSelect={() => setFormOpen(true)}>
                Change…
              </MenuItem>
            )}
            {written && (
              <MenuItem icon={Trash2} danger={true} disabled={busy} onSelect={() => void remove()}>
                Remove
              </MenuItem>
            )}
          </Menu>
        </>
      }
    >
      {(problem || refusal || found.length > 0 || hasTrial || offeredModels.length > 0) && (
        <>
          {problem && problem !== refusal && <p className={styles.problem}>{escapeBidi(problem)}</p>}
          {found.map((sentence) => (
            <p className={styles.found} key={sentence}>
              {escapeBidi(sentence)}
            </p>
          ))}
          <RefusalMessage reason={refusal} />
          <OfferedModels models={offeredModels} />
          {testResult ? <TestResult result={testResult} /> : <TestStream texts={texts} isBusy={isTesting} />}
        </>
      )}
      {isFormOpen && (
        <ModelForm
          existing={model}
          kept={kept}
          onSaved={async () => {
            closeForm();
            await onChanged();
          }}
          onClose={closeForm}
        />
      )}
    </Row>
  );
}

/** Focus also scrolls the button into view: it appears where the list has grown. */
function focusButton(button: HTMLButtonElement | null): void {
  button?.focus();
}

function ModelFacts({ model, call }: { readonly model: WireModel; readonly call: string | undefined }) {
  const { name, model: modelId, api_key_env, capabilities, state, price, default_for: uses } = model;
  const service = [
    providerName(model),
    ...(modelId && modelId !== name ? [escapeBidi(modelId)] : []),
    ...(capabilities?.label ? ['works offline; for trying things out, not for real work'] : []),
    ...(price ? [`$${price.input} in, $${price.output} out per 1M tokens`] : []),
    ...(call ? [call] : []),
  ];
  const details = [
    ...(uses.length > 0 ? [`Default for ${uses.map((use) => USE_LABELS[use].toLowerCase()).join(', ')}`] : []),
    ...(capabilities ? [`${formatNumber(capabilities.context)} tokens of context`] : []),
    ...(api_key_env && state.code !== 'key_missing' ? [`key in ${api_key_env}`] : []),
  ];
  return (
    <>
      <p>{service.join(' · ')}</p>
      <p>{details.join(' · ')}</p>
    </>
  );
}
