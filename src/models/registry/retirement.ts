import type { Chunk, Model } from '../model.ts';

/** A model that can be sent away without cutting off those it is answering. */
export interface Retiring {
  readonly model: Model;
  /** Closes it when the last answer under way has ended. */
  retire(): Promise<void>;
  close(): Promise<void>;
}

export function createRetiring(model: Model): Retiring {
  let busy = 0;
  let ended: (() => void) | undefined;

  async function* counted(stream: () => AsyncIterable<Chunk>): AsyncGenerator<Chunk, void, void> {
    busy++;
    try {
      yield* stream();
    } finally {
      busy--;
      if (busy === 0) ended?.();
    }
  }

  return {
    model: {
      ...model,
      // What it can do may be found out while it is used.
      get capabilities() {
        return model.capabilities;
      },
      complete: (request, signal) => counted(() => model.complete(request, signal)),
      chat: (request, signal) => counted(() => model.chat(request, signal)),
    },
    async retire() {
      if (busy > 0) await new Promise<void>((resolve) => (ended = resolve));
      await model.close();
    },
    close: () => model.close(),
  };
}
