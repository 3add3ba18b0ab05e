import type { Chunk, Model } from '../model.ts';

/** A model that can be sent away without cutting off those it is answering. */
export interface RetirableModel {
  readonly model: Model;
  /** Closes it when the last answer under way has ended. */
  retire(): Promise<void>;
  close(): Promise<void>;
}

export function createRetirable(model: Model): RetirableModel {
  let activeStreams = 0;
  let onIdle: (() => void) | undefined;

  async function* trackStream(openStream: () => AsyncIterable<Chunk>): AsyncGenerator<Chunk, void, void> {
    activeStreams++;
    try {
      yield* openStream();
    } finally {
      activeStreams--;
      if (activeStreams === 0) onIdle?.();
    }
  }

  return {
    model: {
      ...model,
      // What it can do may be found out while it is used.
      get capabilities() {
        return model.capabilities;
      },
      complete: (request, signal) => trackStream(() => model.complete(request, signal)),
      chat: (request, signal) => trackStream(() => model.chat(request, signal)),
    },
    async retire() {
      if (activeStreams > 0) await new Promise<void>((resolve) => (onIdle = resolve));
      await model.close();
    },
    close: () => model.close(),
  };
}
