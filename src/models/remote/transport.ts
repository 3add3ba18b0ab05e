import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
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

/** The number of queued chunks at which the sender is paused. */
const MAX_QUEUED_CHUNKS = 64;

export type Transport = (request: WireRequest) => Promise<WireResponse>;

/**
 * Sends one request over a socket. It does not use the built-in fetch, which gives up after five minutes without a
 * byte, follows redirects with the key, and cannot distinguish connecting from waiting for an answer.
 */
export function httpTransport(connectMs: number, time: Time = realTime): Transport {
  return ({ url, method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const sendRequest = url.protocol === 'https:' ? httpsRequest : httpRequest;
      const connected = new AbortController();
      const onConnected = () => connected.abort();
      const request = sendRequest(url, { method, headers, signal, agent: false }, (response) => {
        onConnected();
        resolve({ status: response.statusCode ?? 0, headers: flattenHeaders(response), body: readBody(response) });
      });
      request.on('socket', (socket) => watchConnection(socket, url, onConnected));
      request.on('error', (error: NodeJS.ErrnoException) => {
        onConnected();
        reject(error);
      });
      void time.wait(connectMs, connected.signal).then(() => {
        if (connected.signal.aborted) return;
        request.destroy(new WireFault('connect-timeout', `${connectMs} ms`));
      });
      request.end(body);
    });
}

/** Yields everything received before it throws: a truncated stream delivered something first. */
async function* readBody(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  const queue: Uint8Array[] = [];
  let ending: { readonly error?: Error } | undefined;
  let wake = () => {};
  response.on('data', (chunk: Uint8Array) => {
    queue.push(chunk);
    if (queue.length >= MAX_QUEUED_CHUNKS) response.pause();
    wake();
  });
  const onEnd = (error?: Error) => {
    ending ??= error ? { error } : {};
    wake();
  };
  response.on('end', () => onEnd());
  response.on('error', onEnd);
  response.on('close', () => onEnd(new Error('closed')));
  try {
    while (queue.length > 0 || !ending) {
      const chunk = queue.shift();
      if (chunk) yield chunk;
      else {
        response.resume();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    if (ending.error) throw ending.error;
  } finally {
    response.destroy();
  }
}

function watchConnection(socket: Socket, url: URL, onConnected: () => void): void {
  socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', onConnected);
  if (url.protocol === 'https:' && (socket as TLSSocket).authorized) onConnected();
}

function flattenHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));
}
