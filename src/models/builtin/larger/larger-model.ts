import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Refusal, refuse } from '../../../core/refusal.ts';
import type { Capabilities, Chunk, Completion, Model, RefusedChunk } from '../../model.ts';
import { createStream } from '../generation/stream.ts';
import { cacheDirectory } from '../weights/cache.ts';
import { applyChatTemplate } from './chat-template.ts';
import { createModelProcess } from './host.ts';
import { LARGER_MODELS, type LargerModelName } from './pinned.ts';
import { createPullCheck, type LargerModelFiles, largerModelFilesOf } from './ready.ts';

export interface LargerModelOptions {
  readonly id: string;
  readonly files: LargerModelFiles;
  readonly context: number;
  /** Checks for missing files before anything is loaded. */
  readonly ready: () => Promise<Refusal | undefined>;
  readonly silentMs?: number;
}

/** Reading a stride of the prompt takes a second or two, on a busy machine several. */
const MAX_SILENCE_MS = 60_000;
/** More threads hardly help: they wait for memory, and for each other when processors are scarce. */
const MAX_THREADS = 4;

export function openLargerModel(id: string, model: LargerModelName, cacheDir: string = cacheDirectory()): Model {
  const { context } = LARGER_MODELS[model];
  return createLargerModel({
    id,
    context,
    files: largerModelFilesOf(model, cacheDir),
    ready: createPullCheck(model, cacheDir),
  });
}

/** A larger local model in its own process. Opening it costs nothing: it is loaded at the first request. */
export function createLargerModel({ id, files, context, ready, silentMs = MAX_SILENCE_MS }: LargerModelOptions): Model {
  const capabilities: Capabilities = {
    context,
    n: 16,
    logprobs: 0,
    streaming: true,
    fillInTheMiddle: false,
    frame: true,
  };
  const threads = Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1));
  const modelProcess = createModelProcess({ ...files, context, threads, capabilities }, silentMs);

  function runRequest(request: Completion, isChat: boolean, signal?: AbortSignal): AsyncIterable<Chunk> {
    const seed = request.seed ?? randomInt(2 ** 47);
    return createStream(request.n ?? 1, signal, async (receive) => {
      const missing = await ready();
      if (missing) return void receive([{ type: 'refused', refusal: missing.refusal }]);
      return modelProcess.complete(
        { request, seed, turns: isChat },
        { receive, fail: (error) => receive([refuseBroken(id, error)]) },
      );
    });
  }

  return {
    id,
    capabilities,
    complete: (request, signal) => runRequest(request, false, signal),
    chat: (request, signal) => runRequest(applyChatTemplate(request), true, signal),
    countTokens: async (text) =>
      (await ready()) ??
      modelProcess.countTokens(text.toWellFormed()).catch((error) => ({ refusal: refuseBroken(id, error).refusal })),
    close: modelProcess.close,
  };
}

function refuseBroken(id: string, { message }: Error): RefusedChunk {
  const { refusal } = refuse(
    'model_unavailable',
    `The model "${id}" stopped: ${message}. The next request starts it again.`,
    { model: id },
  );
  return { type: 'refused', refusal, fault: { again: false } };
}
