import type { Chunk, Model } from '../model.ts';

/** A model that can be closed without cutting off answers in progress. */
export interface RetirableModel {
  readonly model: Model;
  /** Closes the model when the last answer in progress has ended. */
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
      // A getter, because capabilities may be discovered while the model is in use.
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
