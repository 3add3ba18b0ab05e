import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { MAX_BODY_BYTES } from '../../core/events/limits.ts';
import type { Refusal } from '../../core/refusal.ts';
import { faultLine } from './errors.ts';
import { cutOff, tooLarge } from './limits.ts';
import { type Answered, type Inbound, STREAMING } from './request.ts';
import { downloadSink, type Sink, socketSink } from './sink.ts';

/** What decides who asks, by which name, for what. */
const ONCE = new Set([
  ...['host', 'origin', 'authorization'],
  ...['content-type', 'content-length', 'idempotency-key', 'last-event-id'],
]);
const LAST_BYTES_MS = 500;
const LAST_BYTES = 8 * 1024 * 1024;

/** Requests from Node's own server: nothing is wrapped and nothing copied that need not be. */
export function socketListener(answer: (inbound: Inbound) => Promise<Answered>, report: (text: string) => void) {
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    // Asked for now: Node takes it from a request that is destroyed before its body has ended.
    const { socket } = incoming;
    // The client left; 'close' tells those who wait for it.
    outgoing.on('error', () => {});
    respond(incoming, outgoing, socket).catch((error) => {
      report(faultLine(error));
      socket.destroy();
    });
  };

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse, socket: Socket): Promise<void> {
    const reply = await answer(new SocketInbound(incoming, outgoing));
    if (reply === STREAMING) return;
    const { status, headers, body } = reply;
    if (!incoming.complete) outgoing.once('finish', () => letGo(incoming, socket));
    outgoing.writeHead(status, withLength(headers, Buffer.byteLength(body)));
    outgoing.end(body);
  }
}

class SocketInbound implements Inbound {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly port: number | undefined;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    const url = incoming.url ?? '';
    const mark = url.indexOf('?');
    this.method = incoming.method ?? '';
    this.path = mark === -1 ? url : url.slice(0, mark);
    this.search = mark === -1 ? '' : url.slice(mark + 1);
    this.port = incoming.socket.localPort;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  header(name: string): string | undefined {
    return this.#incoming.headers[name] as string | undefined;
  }

  repeated(): string | undefined {
    const { headers, rawHeaders } = this.#incoming;
    // Node keeps the first of some and joins others, so then there are fewer than were sent.
    if (Object.keys(headers).length * 2 === rawHeaders.length) return undefined;
    const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
    return names.find((name, i) => ONCE.has(name) && names.indexOf(name) < i);
  }

  host(): string {
    return this.#incoming.headers.host ?? '';
  }

  address(): string | undefined {
    const address = this.#incoming.socket.localAddress?.replace(/^::ffff:/, '');
    return address?.includes(':') ? `[${address}]` : address;
  }

  /** A body that is too long is refused while it comes in, and not kept (L15). */
  body(): Promise<Buffer | Refusal> {
    const incoming = this.#incoming;
    if (Number(incoming.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return Promise.resolve(tooLarge());
    return new Promise((resolve) => {
      let chunks: Buffer[] = [];
      let length = 0;
      incoming.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= MAX_BODY_BYTES) return chunks.push(chunk);
        chunks = [];
        resolve(tooLarge());
      });
      incoming.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
      // After an end this changes nothing: a promise is settled once.
      incoming.on('close', () => resolve(cutOff()));
    });
  }

  /** Whoever stops reading early has an answer to give, so the connection stays. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#incoming.iterator({ destroyOnReturn: false });
    } catch {
      throw cutOff();
    }
  }

  gone(): AbortSignal {
    const controller = new AbortController();
    this.#outgoing.once('close', () => controller.abort());
    if (this.#outgoing.destroyed) controller.abort();
    return controller.signal;
  }

  stream(headers: Readonly<Record<string, string>>, closed: () => void): Sink {
    return socketSink(this.#outgoing, headers, closed);
  }

  download(headers: Readonly<Record<string, string>>, closed: () => void): Sink {
    return downloadSink(this.#outgoing, headers, closed);
  }
}

const flattened = new WeakMap<Readonly<Record<string, string>>, readonly string[]>();

/** Headers as Node writes them fastest; most answers share theirs, so they are laid out once. */
function withLength(headers: Readonly<Record<string, string>>, length: number): string[] {
  let flat = flattened.get(headers);
  if (!flat) {
    flat = [...Object.entries(headers).flat(), 'content-length'];
    flattened.set(headers, flat);
  }
  return [...flat, String(length)];
}

/** A client that is still sending may not see its answer before it is done: it gets a little time, and no more. */
function letGo(incoming: IncomingMessage, socket: Socket) {
  incoming.resume();
  const mostBytes = socket.bytesRead + LAST_BYTES;
  const latest = performance.now() + LAST_BYTES_MS;
  const watch = setInterval(() => {
    const over = socket.bytesRead > mostBytes || performance.now() > latest;
    if (over && !incoming.complete) socket.destroy();
    if (over || incoming.complete) clearInterval(watch);
  }, LAST_BYTES_MS / 50);
  watch.unref();
}
