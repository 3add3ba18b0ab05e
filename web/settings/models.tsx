import { useCallback, useEffect, useState } from 'react';
import type { WireModel, WireModelEntry, WireUsage } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { usage as known, thinker } from '../data/workspace.ts';
import { takesFocus } from '../ui/focus.ts';
import { Refused, useWish } from '../ui/request.tsx';
import { AddModel } from './add-model.tsx';
import { Anchor } from './anchor.tsx';
import { Budget } from './budget.tsx';
import { Defaults } from './defaults.tsx';
import { ModelRow } from './model-row.tsx';
import { Usage } from './usage.tsx';

/** What was just done to the list; what was taken out can be put back. */
type Done =
  | { readonly added: string }
  | { readonly removed: { readonly name: string; readonly entry: WireModelEntry } };

/** The models of the workspace, whether they work, what they are used for, and what they have used. */
export function Models() {
  const [models, setModels] = useState<readonly WireModel[]>([]);
  const [problem, setProblem] = useState<string>();
  const [usage, setUsage] = useState<WireUsage>();
  const [done, setDone] = useState<Done>();
  const { wish, refusal } = useWish();
  const restore = useWish();
  const load = useCallback(async () => {
    const loaded = await wish(() => Promise.all([client.models.list(), client.models.usage()]));
    if (!loaded) return;
    setModels(loaded[0].models);
    setProblem(loaded[0].problem);
    setUsage(loaded[1]);
    known.set(loaded[1]);
    thinker.set(loaded[0].models.find(({ default_for }) => default_for.includes('mind'))?.name);
  }, [wish]);
  useEffect(() => void load(), [load]);

  async function did(what: Done): Promise<void> {
    setDone(what);
    await load();
  }

  async function putBack({ name, entry }: { readonly name: string; readonly entry: WireModelEntry }): Promise<void> {
    if (await restore.wish(() => client.models.add({ name, entry }))) await did({ added: name });
  }

  const isAdded = (name: string) => done !== undefined && 'added' in done && done.added === name;
  return (
    <Anchor id="models" label="Models">
      <h2>Models</h2>
      <ul className="models">
        {models.map((model) => (
          <ModelRow
            key={model.name}
            model={model}
            isAdded={isAdded(model.name)}
            onChanged={load}
            onRemoved={(removed) => did({ removed })}
          />
        ))}
      </ul>
      <p className="soft" role="status">
        {done && 'added' in done && `Added “${done.added}” to heddle.yaml.`}
        {done && 'removed' in done && `Removed “${done.removed.name}” from heddle.yaml.`}
      </p>
      {done && 'removed' in done && (
        <p>
          <button
            type="button"
            className="act"
            disabled={restore.busy}
            ref={takesFocus}
            onClick={() => void putBack(done.removed)}
          >
            Put “{done.removed.name}” back
          </button>
        </p>
      )}
      <Refused because={restore.refusal ?? problem ?? refusal} />
      <AddModel taken={models} onAdded={(name) => did({ added: name })} />
      {models.length > 0 && <Defaults models={models} onSaved={load} />}
      {usage && <Usage usage={usage} />}
      {usage && <Budget usage={usage} onSaved={load} />}
    </Anchor>
  );
}
