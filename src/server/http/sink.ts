import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';

/** The destination of a stream's frames. */
export interface Sink {
  write(frame: Buffer): void;
  /** Bytes written that the reader has not received yet. */
  readonly pendingBytes: number;
  /** Resolves when the reader has caught up or disconnected. */
  whenDrained(): Promise<void>;
  /** Closes the sink: pending data is sent for a limited time; for a download, all of it. */
  end(): void;
  /** Ends a download so that its reader can tell it is incomplete. */
  abort(): void;
}

const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Writes straight to the socket once the head is sent: all readers share the same bytes, and writing through the
 * response costs half as much again. It needs no chunked encoding, because a stream lasts as long as its connection.
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
  // A pipelined request has no socket yet.
  const stream: Writable = outgoing.socket ?? outgoing;
  return writableSink(stream, outgoing, () => {
    outgoing.end();
    setTimeout(() => outgoing.destroy(), CLOSE_TIMEOUT_MS).unref();
  });
}

/** A file of any length. Chunked encoding marks its end, so that readers notice a truncated file. */
export function downloadSink(
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string>>,
  onClose: () => void,
): Sink {
  outgoing.writeHead(200, headers);
  onDisconnect(outgoing, onClose);
  return writableSink(outgoing, outgoing, () => void outgoing.end());
}

function writableSink(stream: Writable, outgoing: ServerResponse, end: () => void): Sink {
  return {
    write: (frame) => void stream.write(frame),
    get pendingBytes() {
      return stream.writableLength;
    },
    whenDrained: () => whenDrained(stream),
    end,
    abort: () => void outgoing.destroy(),
  };
}

function onDisconnect(outgoing: ServerResponse, onClose: () => void): void {
  outgoing.on('close', onClose);
  outgoing.on('error', onClose);
  // A reader that disconnected before this point triggers no further "close".
  if (outgoing.destroyed) queueMicrotask(onClose);
}

function whenDrained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (!stream.writableNeedDrain || stream.destroyed) return resolve();
    stream.once('drain', resolve);
    stream.once('close', resolve);
  });
}

/** A sink for a reader in the same process, without a socket. */
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
      if (!isDone) controller.error(new Error('The connection was interrupted.'));
      finish();
    },
  };
  return { sink, body };
}
