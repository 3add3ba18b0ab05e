import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Refusal, refuse } from '../../../core/refusal.ts';
import type { Capabilities, Chunk, Completion, Model, RefusedChunk } from '../../model.ts';
import { createStream } from '../generation/stream.ts';
import { cacheDirectory } from '../weights/cache.ts';
import { asTurns } from './chat-template.ts';
import { createHost } from './host.ts';
import { LOCAL, type LocalName } from './pinned.ts';
import { filesOf, type LocalFiles, pulled } from './ready.ts';

export interface LocalOptions {
  readonly id: string;
  readonly files: LocalFiles;
  readonly context: number;
  /** What is missing, looked for before anything is loaded. */
  readonly ready: () => Promise<Refusal | undefined>;
  readonly silentMs?: number;
}

/** Reading a stride of the prompt takes a second or two, on a busy machine several. */
const SILENT_MS = 60_000;
/** More threads hardly help: they wait for memory, and for each other when processors are scarce. */
const MOST_THREADS = 4;

export function openLocalModel(id: string, model: LocalName, cacheDir: string = cacheDirectory()): Model {
  const { context } = LOCAL[model];
  return createLocalModel({ id, context, files: filesOf(model, cacheDir), ready: pulled(model, cacheDir) });
}

/** A larger model on this machine, in a process of its own. Opening it costs nothing: it is loaded at the first request. */
export function createLocalModel({ id, files, context, ready, silentMs = SILENT_MS }: LocalOptions): Model {
  const capabilities: Capabilities = {
    context,
    n: 16,
    logprobs: 0,
    streaming: true,
    fillInTheMiddle: false,
    frame: true,
  };
  const threads = Math.min(MOST_THREADS, Math.max(1, availableParallelism() - 1));
  const host = createHost({ ...files, context, threads, capabilities }, silentMs);

  function ask(request: Completion, turns: boolean, signal?: AbortSignal): AsyncIterable<Chunk> {
    const seed = request.seed ?? randomInt(2 ** 47);
    return createStream(request.n ?? 1, signal, async (receive) => {
      const missing = await ready();
      if (missing) return void receive([{ type: 'refused', refusal: missing.refusal }]);
      return host.complete({ request, seed, turns }, { receive, fail: (error) => receive([broken(id, error)]) });
    });
  }

  return {
    id,
    capabilities,
    complete: (request, signal) => ask(request, false, signal),
    chat: (request, signal) => ask(asTurns(request), true, signal),
    countTokens: async (text) =>
      (await ready()) ??
      host.countTokens(text.toWellFormed()).catch((error) => ({ refusal: broken(id, error).refusal })),
    close: host.close,
  };
}

function broken(id: string, { message }: Error): RefusedChunk {
  const { refusal } = refuse(
    'model_unavailable',
    `The model "${id}" stopped: ${message}. The next request starts it again.`,
    { model: id },
  );
  return { type: 'refused', refusal, fault: { again: false } };
}
