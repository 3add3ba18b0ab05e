import { modelId } from './authors.ts';
import type { Replica } from './replica.ts';

/** Who writes a text that is still growing: the requested model, the loom's, or the usual one. */
export function createStreamAuthors(replica: Replica) {
  let defaultModel = 'small';
  return {
    of(generation: string): { readonly author: string; readonly kind: 'model' } {
      const { openGenerations: open, settings } = replica.loom.get();
      const requestedModel = open.find(({ request }) => request.generation === generation)?.request.model;
      return { author: modelId(requestedModel ?? settings.model ?? defaultModel), kind: 'model' };
    },
    setDefaultModel(name: string): void {
      defaultModel = name;
    },
  };
}
