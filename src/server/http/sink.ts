import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';

/** Where a stream's frames go. */
export interface Sink {
  write(frame: Buffer): void;
  /** Bytes written here that the reader has not taken. */
  readonly pendingBytes: number;
  /** Resolves when the reader has caught up, or is gone. */
  whenDrained(): Promise<void>;
  /** Lets what waits go out, for a while; of a download all of it. */
  end(): void;
  /** Ends it so that whoever reads a download knows that there was more. */
  abort(): void;
}

const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Straight to the socket, once the head is sent: the same bytes serve every
 * reader, and going through the response costs half as much again. Without
 * chunks, because a stream lasts as long as its connection does anyway.
 */
export function socketSink(
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string>>,
  onClose: () => void,
): Sink {
  outgoing.removeHeader('transfer-encoding');
  outgoing.writeHead(200, headers);
  outgoing.flushHeaders();
  onDisconnect(outgoing, onClose);
  // A request that came in behind another on the same connection has no socket yet.
  const stream: Writable = outgoing.socket ?? outgoing;
  return {
    write: (frame) => void stream.write(frame),
    get pendingBytes() {
      return stream.writableLength;
    },
    whenDrained: () => whenDrained(stream),
    abort: () => void outgoing.destroy(),
    end() {
      outgoing.end();
      setTimeout(() => outgoing.destroy(), CLOSE_TIMEOUT_MS).unref();
    },
  };
}

/** A file of any length. It is sent in chunks, the last of which says so: one that was cut off is not taken for whole. */
export function downloadSink(
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string>>,
  onClose: () => void,
): Sink {
  outgoing.writeHead(200, headers);
  onDisconnect(outgoing, onClose);
  return {
    write: (frame) => void outgoing.write(frame),
    get pendingBytes() {
      return outgoing.writableLength;
    },
    whenDrained: () => whenDrained(outgoing),
    end: () => void outgoing.end(),
    abort: () => void outgoing.destroy(),
  };
}

function onDisconnect(outgoing: ServerResponse, onClose: () => void): void {
  outgoing.on('close', onClose);
  outgoing.on('error', onClose);
  // Someone who left before this began will not leave again.
  if (outgoing.destroyed) queueMicrotask(onClose);
}

function whenDrained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (!stream.writableNeedDrain || stream.destroyed) return resolve();
    stream.once('drain', resolve);
    stream.once('close', resolve);
  });
}

/** For a reader in the same process, who has no socket. */
export function webSink(onClose: () => void): { sink: Sink; body: ReadableStream<Uint8Array> } {
  const capacity = 64 * 1024;
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let resume = () => {};
  let isDone = false;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (streamController) => {
        controller = streamController;
      },
      pull: () => resume(),
      cancel: finish,
    },
    { highWaterMark: capacity, size: (chunk) => chunk.length },
  );
  function finish() {
    if (isDone) return;
    isDone = true;
    resume();
    onClose();
  }
  const sink: Sink = {
    write(frame) {
      if (!isDone) controller.enqueue(frame);
    },
    get pendingBytes() {
      return capacity - (controller.desiredSize ?? 0);
    },
    whenDrained: () =>
      new Promise((resolve) => {
        if (isDone || (controller.desiredSize ?? 0) > 0) return resolve();
        resume = resolve;
      }),
    end() {
      if (!isDone) controller.close();
      finish();
    },
    abort() {
      if (!isDone) controller.error(new Error('It was broken off.'));
      finish();
    },
  };
  return { sink, body };
}
