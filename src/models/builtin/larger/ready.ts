import { rmSync } from 'node:fs';
import { type Refusal, refuse } from '../../../core/refusal.ts';
import { cachedFilePath, isIntact, seemsPresent } from '../weights/cache.ts';
import { LARGER_MODELS, type LargerModelName } from './pinned.ts';
import { hasRuntime, LLAMA_RUNTIME, runtimeDirectory } from './runtime.ts';

/** Where a model that was pulled lies. */
export interface LargerModelFiles {
  readonly weights: string;
  /** A directory with `node_modules`. */
  readonly runtime: string;
}

export function largerModelFilesOf(model: LargerModelName, cacheDir: string): LargerModelFiles {
  const { whole } = LARGER_MODELS[model];
  return {
    weights: cachedFilePath(cacheDir, whole, whole.files[0]!),
    runtime: runtimeDirectory(cacheDir, LLAMA_RUNTIME),
  };
}

/** By names and sizes: takes no time. */
export function seemsPulled(model: LargerModelName, cacheDir: string): boolean {
  return seemsPresent(cacheDir, LARGER_MODELS[model].whole) && hasRuntime(cacheDir, LLAMA_RUNTIME);
}

export function notPulledMessage(model: LargerModelName): string {
  return `It is not on this machine yet: run "heddle models pull ${model}".`;
}

/** Makes sure, once, that the weights are whole to the last bit. Nothing is ever fetched here. */
export function createPullCheck(model: LargerModelName, cacheDir: string): () => Promise<Refusal | undefined> {
  let intact: Promise<boolean> | undefined;
  return async () => {
    if (!seemsPulled(model, cacheDir)) {
      intact = undefined;
      return refuse('model_unavailable', `"${model}" cannot be asked. ${notPulledMessage(model)}`);
    }
    intact ??= isIntact(cacheDir, LARGER_MODELS[model].whole);
    if (await intact) return undefined;
    intact = undefined;
    // Out of the way, so that it is not taken for weights again.
    rmSync(largerModelFilesOf(model, cacheDir).weights, { force: true });
    return refuse(
      'model_unavailable',
      `The weights of "${model}" were damaged and have been removed: run "heddle models pull ${model}".`,
    );
  };
}
