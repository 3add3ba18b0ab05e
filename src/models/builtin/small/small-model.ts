import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { refuse } from '../../../core/refusal.ts';
import type { Capabilities, Chunk, Completion, Model } from '../../model.ts';
import { createStream } from '../generation/stream.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { cacheDirectory, fileIn } from '../weights/cache.ts';
import { STORIES } from '../weights/pinned.ts';
import { weightsReady } from '../weights/ready.ts';
import { asStory } from './conversation.ts';
import { createPool } from './pool.ts';

export interface EmbeddedOptions {
  readonly cacheDir?: string;
  /** The most threads to use; by default all but one, which is the server's. */
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

/** The model that is always there. Opening it costs nothing: weights are looked for and read at the first request. */
export function openEmbeddedModel(options: EmbeddedOptions = {}): Model {
  const { cacheDir = cacheDirectory(), threads = Math.max(1, availableParallelism() - 1), kernel } = options;
  const path = fileIn(cacheDir, STORIES, STORIES.files[0]);
  const pool = createPool({ path, capabilities: CAPABILITIES, ...(kernel && { kernel }) }, threads);
  const ready = weightsReady(STORIES, cacheDir);

  function complete(request: Completion, signal?: AbortSignal, unread = ''): AsyncIterable<Chunk> {
    const seed = request.seed ?? randomInt(2 ** 47);
    return createStream(request.n ?? 1, signal, async (receive) => {
      const missing = await ready();
      if (missing) return void receive([{ type: 'refused', refusal: missing.refusal }]);
      const fail = (error: Error) => receive([{ type: 'refused', ...broken(error) }]);
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
    countTokens: async (text) => (await ready()) ?? pool.countTokens(text).catch(broken),
    close: pool.close,
  };
}

function broken(error: Error) {
  return refuse('model_unavailable', `The small model stopped: ${error.message} The next request starts it again.`);
}
