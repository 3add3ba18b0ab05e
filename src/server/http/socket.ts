import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { MAX_BODY_BYTES } from '../../core/events/limits.ts';
import type { Refusal } from '../../core/refusal.ts';
import { faultLine } from './errors.ts';
import { bodyTooLarge, truncatedBody } from './limits.ts';
import { type InboundRequest, type ResponseOrStream, STREAMING } from './request.ts';
import { downloadSink, type Sink, socketSink } from './sink.ts';

/** Headers that decide who asks, by which host name, for what. None may be repeated. */
const SINGLE_HEADERS = new Set([
  ...['host', 'origin', 'authorization'],
  ...['content-type', 'content-length', 'idempotency-key', 'last-event-id'],
]);
const LINGER_MS = 500;
const LINGER_BYTES = 8 * 1024 * 1024;

/** Handles requests of Node's own server, without needless wrappers or copies. */
export function socketListener(
  answer: (inbound: InboundRequest) => Promise<ResponseOrStream>,
  report: (text: string) => void,
) {
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    // Read the socket now: Node removes it from a request that is destroyed before its body has ended.
    const { socket } = incoming;
    // The client disconnected; the 'close' event informs those who wait.
    outgoing.on('error', () => {});
    respond(incoming, outgoing, socket).catch((error) => {
      report(faultLine(error));
      socket.destroy();
    });
  };

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse, socket: Socket): Promise<void> {
    const response = await answer(new SocketRequest(incoming, outgoing));
    if (response === STREAMING) return;
    const { status, headers, body } = response;
    if (!incoming.complete) outgoing.once('finish', () => lingerThenClose(incoming, socket));
    outgoing.writeHead(status, withLength(headers, Buffer.byteLength(body)));
    outgoing.end(body);
  }
}

class SocketRequest implements InboundRequest {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly port: number | undefined;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    const url = incoming.url ?? '';
    const queryStart = url.indexOf('?');
    this.method = incoming.method ?? '';
    this.path = queryStart === -1 ? url : url.slice(0, queryStart);
    this.search = queryStart === -1 ? '' : url.slice(queryStart + 1);
    this.port = incoming.socket.localPort;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  header(name: string): string | undefined {
    return this.#incoming.headers[name] as string | undefined;
  }

  repeatedHeader(): string | undefined {
    const { headers, rawHeaders } = this.#incoming;
    // Node drops or joins repeated headers, so equal counts mean that none was repeated.
    if (Object.keys(headers).length * 2 === rawHeaders.length) return undefined;
    const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
    return names.find((name, i) => SINGLE_HEADERS.has(name) && names.indexOf(name) < i);
  }

  host(): string {
    return this.#incoming.headers.host ?? '';
  }

  address(): string | undefined {
    const address = this.#incoming.socket.localAddress?.replace(/^::ffff:/, '');
    return address?.includes(':') ? `[${address}]` : address;
  }

  /** Reads a body. Refuses one that is too long while it arrives, and does not keep it (L15). */
  body(): Promise<Buffer | Refusal> {
    const incoming = this.#incoming;
    if (Number(incoming.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return Promise.resolve(bodyTooLarge());
    return new Promise((resolve) => {
      let chunks: Buffer[] = [];
      let length = 0;
      incoming.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= MAX_BODY_BYTES) return chunks.push(chunk);
        chunks = [];
        resolve(bodyTooLarge());
      });
      incoming.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
      // No effect after 'end': a promise settles only once.
      incoming.on('close', () => resolve(truncatedBody()));
    });
  }

  /** Keeps the connection open for the response when the consumer stops reading early. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#incoming.iterator({ destroyOnReturn: false });
    } catch {
      throw truncatedBody();
    }
  }

  disconnectSignal(): AbortSignal {
    const controller = new AbortController();
    this.#outgoing.once('close', () => controller.abort());
    if (this.#outgoing.destroyed) controller.abort();
    return controller.signal;
  }

  stream(headers: Readonly<Record<string, string>>, onClose: () => void): Sink {
    return socketSink(this.#outgoing, headers, onClose);
  }

  download(headers: Readonly<Record<string, string>>, onClose: () => void): Sink {
    return downloadSink(this.#outgoing, headers, onClose);
  }
}

const flatHeaders = new WeakMap<Readonly<Record<string, string>>, readonly string[]>();

/** Headers in the form that Node writes fastest. Most responses share theirs, so the layout is cached. */
function withLength(headers: Readonly<Record<string, string>>, length: number): string[] {
  let entries = flatHeaders.get(headers);
  if (!entries) {
    entries = [...Object.entries(headers).flat(), 'content-length'];
    flatHeaders.set(headers, entries);
  }
  return [...entries, String(length)];
}

/** A client that is still sending may not read its response before it is done. It gets a little time, and no more. */
function lingerThenClose(incoming: IncomingMessage, socket: Socket) {
  incoming.resume();
  const maxBytes = socket.bytesRead + LINGER_BYTES;
  const deadline = performance.now() + LINGER_MS;
  const timer = setInterval(() => {
    const isOver = socket.bytesRead > maxBytes || performance.now() > deadline;
    if (isOver && !incoming.complete) socket.destroy();
    if (isOver || incoming.complete) clearInterval(timer);
  }, LINGER_MS / 50);
  timer.unref();
}
