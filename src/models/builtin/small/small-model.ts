import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { refuse } from '../../../core/refusal.ts';
import type { Capabilities, Chunk, Completion, Model } from '../../model.ts';
import { createStream } from '../generation/stream.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { cacheDirectory, cachedFilePath } from '../weights/cache.ts';
import { STORIES } from '../weights/pinned.ts';
import { createWeightsCheck } from '../weights/ready.ts';
import { asStory } from './conversation.ts';
import { createWorkerPool } from './pool.ts';

export interface SmallModelOptions {
  readonly cacheDir?: string;
  /** The maximum number of threads; by default all but one, which is left to the server. */
  readonly threads?: number;
  readonly kernel?: Kernel['name'];
}

const CAPABILITIES: Capabilities = {
  label: 'small',
  context: 256,
  n: 16,
  logprobs: 20,
  streaming: true,
  fillInTheMiddle: false,
  frame: true,
};

/**
 * The model that is always available. Opening it costs nothing: it looks for its weights and reads them at the first
 * request.
 */
export function openSmallModel(options: SmallModelOptions = {}): Model {
  const { cacheDir = cacheDirectory(), threads = Math.max(1, availableParallelism() - 1), kernel } = options;
  const path = cachedFilePath(cacheDir, STORIES, STORIES.files[0]);
  const pool = createWorkerPool({ path, capabilities: CAPABILITIES, ...(kernel && { kernel }) }, threads);
  const checkWeights = createWeightsCheck(STORIES, cacheDir);

  function complete(request: Completion, signal?: AbortSignal, unread = ''): AsyncIterable<Chunk> {
    const seed = request.seed ?? randomInt(2 ** 47);
    return createStream(request.n ?? 1, signal, async (receive) => {
      const missing = await checkWeights();
      if (missing) return void receive([{ type: 'refused', refusal: missing.refusal }]);
      const fail = (error: Error) => receive([{ type: 'refused', ...refuseBroken(error) }]);
      return pool.complete({ request, seed, unread }, { receive, fail });
    });
  }

  return {
    id: 'small',
    capabilities: CAPABILITIES,
    complete: (request, signal) => complete(request, signal),
    chat(chat, signal) {
      const { request, unread } = asStory(chat);
      return complete(request, signal, unread);
    },
    countTokens: async (text) => (await checkWeights()) ?? pool.countTokens(text).catch(refuseBroken),
    close: pool.close,
  };
}

function refuseBroken(error: Error) {
  return refuse('model_unavailable', `The small model stopped: ${error.message} The next request starts it again.`);
}
