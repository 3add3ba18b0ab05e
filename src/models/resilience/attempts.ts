import { refuse } from '../../core/refusal.ts';
import type { Chunk, DoneChunk, Model, RefusedChunk } from '../model.ts';
import type { Timeouts } from '../remote/options.ts';
import type { Time } from './time.ts';

/** Times the attempts of one request, and brings each to an end even if the model does not. */
export interface Attempts {
  run(openStream: (signal: AbortSignal) => AsyncIterable<Chunk>): AsyncGenerator<Chunk>;
  /** Returns false immediately if less time than this is left. */
  pause(ms: number): Promise<boolean>;
  abort(): void;
  /** Whether any part of an answer arrived. */
  readonly hasOutput: boolean;
  /** Whether the caller cancelled the request. */
  readonly isCancelled: boolean;
}

type PendingChunk = Promise<IteratorResult<Chunk>>;
type AttemptEvent = { readonly chunk: IteratorResult<Chunk> } | { readonly error: unknown } | 'late' | 'aborted';

/** The time a cancelled model has to report its result. */
export const GRACE_MS = 1_500;

export function createAttempts(
  model: Model,
  timeouts: Timeouts,
  time: Time,
  n: number,
  signal: AbortSignal | undefined,
): Attempts {
  const deadline = time.now() + timeouts.total;
  const callerAbort = new AbortController();
  const callerSignal = signal ? AbortSignal.any([signal, callerAbort.signal]) : callerAbort.signal;
  const openChoices = new Set(Array.from({ length: n }, (_, choice) => choice));
  let hasOutput = false;

  async function* run(openStream: (signal: AbortSignal) => AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    const attemptAbort = new AbortController();
    const chunks = openIterator(openStream, AbortSignal.any([callerSignal, attemptAbort.signal]));
    let isFinished = false;
    try {
      while (!isFinished) {
        const [timeoutMs, timeout] = currentTimeout();
        const pending = chunks.next();
        const outcome = await race(pending, timeoutMs);
        if (outcome === 'aborted') return yield* finishCancelled(pending, chunks);
        if (outcome === 'late') {
          attemptAbort.abort();
          const { raw, usage } = (await drainToEnd(pending, chunks)) ?? {};
          return yield {
            ...timeoutRefusal(model.id, timeout, timeouts[timeout], hasOutput),
            ...(raw && { raw }),
            ...(usage && { usage }),
          };
        }
        if ('error' in outcome || outcome.chunk.done)
          return yield brokenRefusal(model.id, 'error' in outcome ? outcome.error : undefined);
        const chunk = outcome.chunk.value;
        trackChunk(chunk);
        isFinished = chunk.type === 'done' || chunk.type === 'refused';
        yield chunk;
      }
    } finally {
      attemptAbort.abort();
      void Promise.resolve(chunks.return?.()).catch(() => {});
    }
  }

  function trackChunk(chunk: Chunk): void {
    if (chunk.type === 'text' || chunk.type === 'end') hasOutput = true;
    if (chunk.type === 'end') openChoices.delete(chunk.choice);
  }

  /** How long the next step may take, and which timeout applies. */
  function currentTimeout(): readonly [number, keyof Timeouts] {
    const remainingMs = Math.max(0, deadline - time.now());
    const timeout = hasOutput ? 'idle' : 'firstToken';
    // A model that does not stream delivers everything at its end.
    if (!model.capabilities.streaming || timeouts[timeout] >= remainingMs) return [remainingMs, 'total'];
    return [timeouts[timeout], timeout];
  }

  async function race(pending: PendingChunk, ms: number): Promise<AttemptEvent> {
    const settled = new AbortController();
    const whenAborted = new Promise<AttemptEvent>((resolve) => {
      if (callerSignal.aborted) resolve('aborted');
      callerSignal.addEventListener('abort', () => resolve('aborted'), { once: true, signal: settled.signal });
    });
    const whenLate = time.wait(ms, settled.signal).then((): AttemptEvent => 'late');
    const whenChunk = pending.then(
      (chunk): AttemptEvent => ({ chunk }),
      (error: unknown): AttemptEvent => ({ error }),
    );
    try {
      return await Promise.race([whenChunk, whenAborted, whenLate]);
    } finally {
      settled.abort();
    }
  }

  /** Accepts chunks for a short time after a model is stopped; missing final chunks are supplied here. */
  async function* finishCancelled(pending: PendingChunk, chunks: AsyncIterator<Chunk>): AsyncGenerator<Chunk> {
    const lastChunk = await drainToEnd(pending, chunks);
    for (const choice of openChoices) yield { type: 'end', choice, reason: 'cancelled' };
    if (lastChunk?.type === 'done') yield lastChunk;
    else {
      const { raw, usage } = lastChunk ?? {};
      yield {
        type: 'done',
        usage: usage ?? { promptTokens: 0, generatedTokens: 0, estimated: true },
        dropped: 0,
        ...(raw && { raw }),
      };
    }
  }

  async function drainToEnd(
    pending: PendingChunk,
    chunks: AsyncIterator<Chunk>,
  ): Promise<DoneChunk | RefusedChunk | undefined> {
    const settled = new AbortController();
    const whenDrained = (async () => {
      for (let current = pending; ; current = chunks.next()) {
        const { done, value } = await current;
        if (done) return undefined;
        if (value.type === 'done' || value.type === 'refused') return value;
      }
    })().catch(() => undefined);
    const whenGraceEnds = time.wait(GRACE_MS, settled.signal).then(() => undefined);
    const lastChunk = await Promise.race([whenDrained, whenGraceEnds]);
    settled.abort();
    return lastChunk;
  }

  return {
    run,
    pause: async (ms) => {
      if (ms >= deadline - time.now()) return false;
      await time.wait(ms, callerSignal);
      return true;
    },
    abort: () => callerAbort.abort(),
    get hasOutput() {
      return hasOutput;
    },
    get isCancelled() {
      return callerSignal.aborted;
    },
  };
}

/** Opening the stream may throw as well as reading it. */
function openIterator(
  openStream: (signal: AbortSignal) => AsyncIterable<Chunk>,
  signal: AbortSignal,
): AsyncIterator<Chunk> {
  try {
    return openStream(signal)[Symbol.asyncIterator]();
  } catch (error) {
    return { next: () => Promise.reject(error) };
  }
}

const TIMEOUT_PHRASES: Record<keyof Timeouts, (seconds: string) => string> = {
  connect: (seconds) => `could not be reached within ${seconds}`,
  firstToken: (seconds) => `sent nothing for ${seconds}`,
  idle: (seconds) => `stopped sending for ${seconds} in the middle of its answer`,
  total: (seconds) => `was not done after ${seconds}`,
};

function timeoutRefusal(id: string, timeout: keyof Timeouts, ms: number, hasOutput: boolean): RefusedChunk {
  const keptNote = hasOutput ? ' The text so far is kept.' : '';
  const advice = 'Try again or choose another.';
  const message = `The model "${id}" ${TIMEOUT_PHRASES[timeout](`${ms / 1000} s`)}, so it was stopped.${keptNote} ${advice}`;
  const fault = { again: false, passes: true, advice };
  return { type: 'refused', ...refuse('model_unavailable', message, { model: id }), fault };
}

function brokenRefusal(id: string, error: unknown): RefusedChunk {
  // The error message is not shown: it might reveal the model's parameters.
  const problem =
    error === undefined ? 'stopped without a reason' : `broke (${error instanceof Error ? error.name : 'error'})`;
  const message = `The model "${id}" ${problem}. Try again or choose another.`;
  return { type: 'refused', ...refuse('model_unavailable', message, { model: id }), fault: { again: false } };
}
