import { rmSync } from 'node:fs';
import { type Refusal, refuse } from '../../../core/refusal.ts';
import { fileIn, isIntact, seemsPresent } from '../weights/cache.ts';
import { LOCAL, type LocalName } from './pinned.ts';
import { hasRuntime, LLAMA, runtimeIn } from './runtime.ts';

/** Where a model that was pulled lies. */
export interface LocalFiles {
  readonly weights: string;
  /** A directory with `node_modules`. */
  readonly runtime: string;
}

export function filesOf(model: LocalName, cacheDir: string): LocalFiles {
  const { whole } = LOCAL[model];
  return { weights: fileIn(cacheDir, whole, whole.files[0]!), runtime: runtimeIn(cacheDir, LLAMA) };
}

/** By names and sizes: takes no time. */
export function seemsPulled(model: LocalName, cacheDir: string): boolean {
  return seemsPresent(cacheDir, LOCAL[model].whole) && hasRuntime(cacheDir, LLAMA);
}

export function notPulled(model: LocalName): string {
  return `It is not on this machine yet: run "heddle models pull ${model}".`;
}

/** Makes sure, once, that the weights are whole to the last bit. Nothing is ever fetched here. */
export function pulled(model: LocalName, cacheDir: string): () => Promise<Refusal | undefined> {
  let checked: Promise<boolean> | undefined;
  return async () => {
    if (!seemsPulled(model, cacheDir)) {
      checked = undefined;
      return refuse('model_unavailable', `"${model}" cannot be asked. ${notPulled(model)}`);
    }
    checked ??= isIntact(cacheDir, LOCAL[model].whole);
    if (await checked) return undefined;
    checked = undefined;
    // Out of the way, so that it is not taken for weights again.
    rmSync(filesOf(model, cacheDir).weights, { force: true });
    return refuse(
      'model_unavailable',
      `The weights of "${model}" were damaged and have been removed: run "heddle models pull ${model}".`,
    );
  };
}
