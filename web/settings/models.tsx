import { useCallback, useEffect, useState } from 'react';
import type { WireModel, WireModelEntry, WireUsage } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { setUsage as setWorkspaceUsage } from '../data/workspace.ts';
import { Button } from '../ui/controls/button.tsx';
import { focusOnMount } from '../ui/focus.ts';
import { useAttempt } from '../ui/refusal.tsx';
import { Banner } from '../ui/status/banner.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { AddModel } from './add-model.tsx';
import { BudgetSection } from './budget.tsx';
import { DefaultModels } from './defaults.tsx';
import { FoundServers } from './found-servers.tsx';
import { ModelRow } from './model-row.tsx';
import { Rows } from './rows.tsx';
import { SettingsSection } from './section.tsx';

/** The last change to the list; a removed model can be restored. */
type ModelListChange =
  | { readonly added: string }
  | { readonly removed: { readonly name: string; readonly entry: WireModelEntry } };

/** The workspace's models: their state, defaults, budget and usage. */
export function ModelsSections() {
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
    setWorkspaceUsage(loaded[1]);
  }, [attempt]);
  useEffect(() => void load(), [load]);

  async function applyChange(change: ModelListChange): Promise<void> {
    setLastChange(change);
    await load();
  }

  async function restoreModel(removed: { readonly name: string; readonly entry: WireModelEntry }): Promise<void> {
    if (await restoreAttempt.attempt(() => client.models.add(removed))) await applyChange({ added: removed.name });
  }

  const isAdded = (name: string) => lastChange !== undefined && 'added' in lastChange && lastChange.added === name;
  const failure = restoreAttempt.refusal ?? problem ?? refusal;
  return (
    <>
      <SettingsSection id="models" label="Models" text="The status is from the last real call.">
        <Rows label="Your models">
          {models.map((model) => (
            <ModelRow
              key={model.name}
              model={model}
              isAdded={isAdded(model.name)}
              onChanged={load}
              onRemoved={(removed) => applyChange({ removed })}
            />
          ))}
        </Rows>
        {lastChange && 'added' in lastChange && <Banner>Added “{lastChange.added}” to heddle.yaml.</Banner>}
        {lastChange && 'removed' in lastChange && (
          <Banner
            action={
              <Button
                disabled={restoreAttempt.busy}
                ref={focusOnMount}
                onClick={() => void restoreModel(lastChange.removed)}
              >
                Put “{lastChange.removed.name}” back
              </Button>
            }
          >
            Removed “{lastChange.removed.name}” from heddle.yaml.
          </Banner>
        )}
        {failure && <Banner tone="failure">{escapeBidi(failure)}</Banner>}
      </SettingsSection>
      <FoundServers existing={models} onAdded={(name) => applyChange({ added: name })} />
      <AddModel existing={models} onAdded={(name) => applyChange({ added: name })} />
      {models.length > 0 && <DefaultModels models={models} onSaved={load} />}
      {usage && <BudgetSection usage={usage} onSaved={load} />}
    </>
  );
}
