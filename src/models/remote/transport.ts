import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { realTime, type Time } from '../resilience/time.ts';
import { WireFault } from './errors/wire-fault.ts';

export interface WireRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Pieces that wait to be read before the sender has to wait. */
const MOST_WAITING = 64;

export type Transport = (request: WireRequest) => Promise<WireResponse>;

/**
 * One request over a socket. Not the built-in fetch: that gives up after five minutes without a byte, follows redirects
 * with the key in hand, and cannot tell connecting from waiting for an answer.
 */
export function httpTransport(connectMs: number, time: Time = realTime): Transport {
  return ({ url, method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const open = url.protocol === 'https:' ? overHttps : overHttp;
      const connected = new AbortController();
      const settled = () => connected.abort();
      const call = open(url, { method, headers, signal, agent: false }, (response) => {
        settled();
        resolve({ status: response.statusCode ?? 0, headers: flat(response), body: bodyOf(response) });
      });
      call.on('socket', (socket) => whenConnected(socket, url, settled));
      call.on('error', (error: NodeJS.ErrnoException) => {
        settled();
        reject(error);
      });
      void time.wait(connectMs, connected.signal).then(() => {
        if (connected.signal.aborted) return;
        call.destroy(new WireFault('connect-timeout', `${connectMs} ms`));
      });
      call.end(body);
    });
}

/** All that came, and only then what went wrong: a stream that is cut off gave something before. */
async function* bodyOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  const queue: Uint8Array[] = [];
  let end: { readonly error?: Error } | undefined;
  let wake = () => {};
  response.on('data', (piece: Uint8Array) => {
    queue.push(piece);
    if (queue.length >= MOST_WAITING) response.pause();
    wake();
  });
  const ended = (error?: Error) => {
    end ??= error ? { error } : {};
    wake();
  };
  response.on('end', () => ended());
  response.on('error', ended);
  response.on('close', () => ended(new Error('closed')));
  try {
    while (queue.length > 0 || !end) {
      const piece = queue.shift();
      if (piece) yield piece;
      else {
        response.resume();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    if (end.error) throw end.error;
  } finally {
    response.destroy();
  }
}

function whenConnected(socket: Socket, url: URL, tell: () => void): void {
  socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', tell);
  if (url.protocol === 'https:' && (socket as TLSSocket).authorized) tell();
}

function flat({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));
}
