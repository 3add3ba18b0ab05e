import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';

/** Where a stream's frames go. */
export interface Sink {
  write(frame: Buffer): void;
  /** Bytes written here that the reader has not taken. */
  readonly waiting: number;
  /** Resolves when the reader has caught up, or is gone. */
  drained(): Promise<void>;
  /** Lets what waits go out, for a while; of a download all of it. */
  end(): void;
  /** Ends it so that whoever reads a download knows that there was more. */
  breakOff(): void;
}

const LAST_WORD_MS = 2_000;

/**
 * Straight to the socket, once the head is sent: the same bytes serve every
 * reader, and going through the response costs half as much again. Without
 * chunks, because a stream lasts as long as its connection does anyway.
 */
export function socketSink(
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string>>,
  closed: () => void,
): Sink {
  outgoing.removeHeader('transfer-encoding');
  outgoing.writeHead(200, headers);
  outgoing.flushHeaders();
  onceLeft(outgoing, closed);
  // A request that came in behind another on the same connection has no socket yet.
  const wire: Writable = outgoing.socket ?? outgoing;
  return {
    write: (frame) => void wire.write(frame),
    get waiting() {
      return wire.writableLength;
    },
    drained: () => drained(wire),
    breakOff: () => void outgoing.destroy(),
    end() {
      outgoing.end();
      setTimeout(() => outgoing.destroy(), LAST_WORD_MS).unref();
    },
  };
}

/** A file of any length. It is sent in chunks, the last of which says so: one that was cut off is not taken for whole. */
export function downloadSink(
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string>>,
  closed: () => void,
): Sink {
  outgoing.writeHead(200, headers);
  onceLeft(outgoing, closed);
  return {
    write: (frame) => void outgoing.write(frame),
    get waiting() {
      return outgoing.writableLength;
    },
    drained: () => drained(outgoing),
    end: () => void outgoing.end(),
    breakOff: () => void outgoing.destroy(),
  };
}

function onceLeft(outgoing: ServerResponse, closed: () => void): void {
  outgoing.on('close', closed);
  outgoing.on('error', closed);
  // Someone who left before this began will not leave again.
  if (outgoing.destroyed) queueMicrotask(closed);
}

function drained(wire: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (!wire.writableNeedDrain || wire.destroyed) return resolve();
    wire.once('drain', resolve);
    wire.once('close', resolve);
  });
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
    breakOff() {
      if (!done) controller.error(new Error('It was broken off.'));
      finish();
    },
  };
  return { sink, body };
}
