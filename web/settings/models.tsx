import { useCallback, useEffect, useState } from 'react';
import type { WireModel, WireModelEntry, WireUsage } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { mindModel, usage as workspaceUsage } from '../data/workspace.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { focusOnMount } from '../ui/focus.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { AddModel } from './add-model.tsx';
import { BudgetForm } from './budget.tsx';
import { DefaultModelsForm } from './defaults.tsx';
import { ModelRow } from './model-row.tsx';
import { SettingsSection } from './section.tsx';
import { UsageTable } from './usage.tsx';

/** The last change to the list; a removed model can be restored. */
type ModelListChange =
  | { readonly added: string }
  | { readonly removed: { readonly name: string; readonly entry: WireModelEntry } };

/** The workspace's models: their state, defaults and usage. */
export function ModelsSection() {
  const [models, setModels] = useState<readonly WireModel[]>([]);
  const [problem, setProblem] = useState<string>();
  const [usage, setUsage] = useState<WireUsage>();
  const [lastChange, setLastChange] = useState<ModelListChange>();
  const { attempt, refusal } = useAttempt();
  const restoreAttempt = useAttempt();
  const load = useCallback(async () => {
    const loaded = await attempt(() => Promise.all([client.models.list(), client.models.usage()]));
    if (!loaded) return;
    setModels(loaded[0].models);
    setProblem(loaded[0].problem);
    setUsage(loaded[1]);
    workspaceUsage.set(loaded[1]);
    mindModel.set(loaded[0].models.find(({ default_for }) => default_for.includes('mind'))?.name);
  }, [attempt]);
  useEffect(() => void load(), [load]);

  async function applyChange(change: ModelListChange): Promise<void> {
    setLastChange(change);
    await load();
  }

  async function restoreModel({
    name,
    entry,
  }: {
    readonly name: string;
    readonly entry: WireModelEntry;
  }): Promise<void> {
    if (await restoreAttempt.attempt(() => client.models.add({ name, entry }))) await applyChange({ added: name });
  }

  const isAdded = (name: string) => lastChange !== undefined && 'added' in lastChange && lastChange.added === name;
  return (
    <SettingsSection id="models" label="Models">
      <h2>Models</h2>
      <ul className="models">
        {models.map((model) => (
          <ModelRow
            key={model.name}
            model={model}
            isAdded={isAdded(model.name)}
            onChanged={load}
            onRemoved={(removed) => applyChange({ removed })}
          />
        ))}
      </ul>
      <p className="soft" role="status">
        {lastChange && 'added' in lastChange && `Added “${lastChange.added}” to heddle.yaml.`}
        {lastChange && 'removed' in lastChange && `Removed “${lastChange.removed.name}” from heddle.yaml.`}
      </p>
      {lastChange && 'removed' in lastChange && (
        <p>
          <ActionButton
            disabled={restoreAttempt.busy}
            ref={focusOnMount}
            onClick={() => void restoreModel(lastChange.removed)}
          >
            Put “{lastChange.removed.name}” back
          </ActionButton>
        </p>
      )}
      <RefusalMessage reason={restoreAttempt.refusal ?? problem ?? refusal} />
      <AddModel existing={models} onAdded={(name) => applyChange({ added: name })} />
      {models.length > 0 && <DefaultModelsForm models={models} onSaved={load} />}
      {usage && <UsageTable usage={usage} />}
      {usage && <BudgetForm usage={usage} onSaved={load} />}
    </SettingsSection>
  );
}
