import type { Chunk, Completion, Model } from '../../../src/models/model.ts';

export type CompletionStream = (request: Completion, signal: AbortSignal | undefined) => AsyncIterable<Chunk>;

/** A model that completes texts as the test says, and keeps what it was asked. Its tokens are words. */
export function stubModel(answer: CompletionStream, capabilities: Partial<Model['capabilities']> = {}) {
  const requests: Completion[] = [];
  const model: Model = {
    id: 'base',
    capabilities: {
      ...{ context: 1000, n: 16, logprobs: 5, streaming: true, fillInTheMiddle: false, frame: false },
      ...capabilities,
    },
    complete(request, signal) {
      requests.push(request);
      return answer(request, signal);
    },
    chat: () => {
      throw new Error('not asked');
    },
    countTokens: async (text) => text.split(' ').length,
    close: async () => {},
  };
  return { model, requests };
}

/** Settings in which it is the only model, and the one for looms. */
export const stubSettings = {
  models: { base: { provider: 'embedded' as const } },
  clients: {},
  defaults: { loom: 'base' },
  budgets: {},
};
