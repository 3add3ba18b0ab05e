import type { ServerResponse } from 'node:http';

/** Where a stream's frames go. */
export interface Sink {
  write(frame: Buffer): void;
  /** Bytes written here that the reader has not taken. */
  readonly waiting: number;
  /** Resolves when the reader has caught up, or is gone. */
  drained(): Promise<void>;
  /** Lets what waits go out, for a while. */
  end(): void;
}

const LAST_WORD_MS = 2_000;

/**
 * Straight to the socket's response: the same bytes serve every reader. Without
 * chunks, because a stream lasts as long as its connection does anyway.
 */
export function socketSink(
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string>>,
  closed: () => void,
): Sink {
  outgoing.removeHeader('transfer-encoding');
  outgoing.writeHead(200, headers);
  outgoing.on('close', closed);
  outgoing.on('error', closed);
  // Someone who left before this began will not leave again.
  if (outgoing.destroyed) queueMicrotask(closed);
  return {
    write: (frame) => void outgoing.write(frame),
    get waiting() {
      return outgoing.writableLength;
    },
    drained: () =>
      new Promise((resolve) => {
        if (!outgoing.writableNeedDrain || outgoing.destroyed) return resolve();
        outgoing.once('drain', resolve);
        outgoing.once('close', resolve);
      }),
    end() {
      outgoing.end();
      setTimeout(() => outgoing.destroy(), LAST_WORD_MS).unref();
    },
  };
}

/** For a reader in the same process, who has no socket. */
export function webSink(closed: () => void): { sink: Sink; body: ReadableStream<Uint8Array> } {
  const room = 64 * 1024;
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let wake = () => {};
  let done = false;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
      },
      pull: () => wake(),
      cancel: finish,
    },
    { highWaterMark: room, size: (chunk) => chunk.length },
  );
  function finish() {
    if (done) return;
    done = true;
    wake();
    closed();
  }
  const sink: Sink = {
    write(frame) {
      if (!done) controller.enqueue(frame);
    },
    get waiting() {
      return room - (controller.desiredSize ?? 0);
    },
    drained: () =>
      new Promise((resolve) => {
        if (done || (controller.desiredSize ?? 0) > 0) return resolve();
        wake = resolve;
      }),
    end() {
      if (!done) controller.close();
      finish();
    },
  };
  return { sink, body };
}
