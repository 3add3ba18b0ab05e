import type { Chunk } from '../../model.ts';

export interface Started {
  cancel(): void;
}

/** What arrives by calls, as a stream to be read at leisure. Reading begins the work, leaving the loop calls it off. */
export async function* createStream(
  choices: number,
  signal: AbortSignal | undefined,
  start: (receive: (chunks: readonly Chunk[]) => void) => Promise<Started | undefined>,
): AsyncGenerator<Chunk> {
  const queue: Chunk[] = [];
  let started: Started | undefined;
  let finished = false;
  let wake = () => {};
  const receive = (chunks: readonly Chunk[]) => {
    queue.push(...chunks);
    wake();
  };
  const arrival = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const abort = () => (started ? started.cancel() : receive(calledOff(choices)));
  signal?.addEventListener('abort', abort, { once: true });
  try {
    if (signal?.aborted) abort();
    else {
      void start(receive).then((work) => {
        started = work;
        // Called off while it was getting ready: nobody waits for it any more.
        if (finished || signal?.aborted) started?.cancel();
      });
    }
    while (!finished) {
      if (queue.length === 0) await arrival();
      const chunk = queue.shift() as Chunk;
      finished = chunk.type === 'done' || chunk.type === 'refused';
      yield chunk;
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    if (!finished) started?.cancel();
    finished = true;
  }
}

function calledOff(choices: number): readonly Chunk[] {
  const ends = Array.from({ length: choices }, (_, choice) => ({ type: 'end', choice, reason: 'cancelled' }) as const);
  return [...ends, { type: 'done', usage: { promptTokens: 0, generatedTokens: 0 }, dropped: 0 }];
}
