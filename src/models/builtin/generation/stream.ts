import type { Chunk } from '../../model.ts';

export interface CancellableWork {
  cancel(): void;
}

/**
 * Turns callbacks into a stream that is read at the caller's pace. Reading starts the work; leaving the loop cancels
 * it.
 */
export async function* createStream(
  choices: number,
  signal: AbortSignal | undefined,
  start: (receive: (chunks: readonly Chunk[]) => void) => Promise<CancellableWork | undefined>,
): AsyncGenerator<Chunk> {
  const queue: Chunk[] = [];
  let activeWork: CancellableWork | undefined;
  let isFinished = false;
  let wake = () => {};
  const receive = (chunks: readonly Chunk[]) => {
    queue.push(...chunks);
    wake();
  };
  const nextArrival = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const abort = () => (activeWork ? activeWork.cancel() : receive(cancelledChunks(choices)));
  signal?.addEventListener('abort', abort, { once: true });
  try {
    if (signal?.aborted) abort();
    else {
      void start(receive).then((startedWork) => {
        activeWork = startedWork;
        // Cancelled while it was starting: no caller waits for it any more.
        if (isFinished || signal?.aborted) activeWork?.cancel();
      });
    }
    while (!isFinished) {
      if (queue.length === 0) await nextArrival();
      const chunk = queue.shift() as Chunk;
      isFinished = chunk.type === 'done' || chunk.type === 'refused';
      yield chunk;
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    if (!isFinished) activeWork?.cancel();
    isFinished = true;
  }
}

/** The answer to a request that was cancelled before it began. */
export function cancelledChunks(choices: number): readonly Chunk[] {
  const ends = Array.from({ length: choices }, (_, choice) => ({ type: 'end', choice, reason: 'cancelled' }) as const);
  return [...ends, { type: 'done', usage: { promptTokens: 0, generatedTokens: 0 }, dropped: 0 }];
}
