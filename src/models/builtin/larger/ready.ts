import { rmSync } from 'node:fs';
import { type Refusal, refuse } from '../../../core/refusal.ts';
import { cachedFilePath, isIntact, seemsPresent } from '../weights/cache.ts';
import { LARGER_MODELS, type LargerModelName } from './pinned.ts';
import { hasRuntime, LLAMA_RUNTIME, runtimeDirectory } from './runtime.ts';

/** The locations of a downloaded model. */
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

/** Checks names and sizes only, which is fast. */
export function seemsPulled(model: LargerModelName, cacheDir: string): boolean {
  return seemsPresent(cacheDir, LARGER_MODELS[model].whole) && hasRuntime(cacheDir, LLAMA_RUNTIME);
}

export function notPulledMessage(model: LargerModelName): string {
  return `It is not on this machine yet: run "heddle models pull ${model}".`;
}

/** Verifies the weights once, to the last bit. It never downloads anything. */
export function createPullCheck(model: LargerModelName, cacheDir: string): () => Promise<Refusal | undefined> {
  let intact: Promise<boolean> | undefined;
  return async () => {
    if (!seemsPulled(model, cacheDir)) {
      intact = undefined;
      return refuse('model_unavailable', `"${model}" cannot be used. ${notPulledMessage(model)}`);
    }
    intact ??= isIntact(cacheDir, LARGER_MODELS[model].whole);
    if (await intact) return undefined;
    intact = undefined;
    // Delete the damaged file, so that it is not mistaken for weights again.
    rmSync(largerModelFilesOf(model, cacheDir).weights, { force: true });
    return refuse(
      'model_unavailable',
      `The weights of "${model}" were damaged and have been removed: run "heddle models pull ${model}".`,
    );
  };
}
