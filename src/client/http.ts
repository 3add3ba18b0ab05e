import { trimEndWhile } from '../core/text/trim-end.ts';
import type { RequestBody, RequestQuery, RouteKey, RouteParams, RouteResponse } from '../protocol/routes.ts';
import { errorFromResponse, HeddleRefusal, HeddleUnreachable } from './refusal.ts';

/** Anything that answers a request: the platform's `fetch`, or a server's own in the same process. */
export type Fetch = (request: Request) => Response | Promise<Response>;

export type SendFile = (
  address: string,
  file: Blob | Uint8Array<ArrayBuffer>,
  options: {
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal | undefined;
    onProgress(share: number): void;
  },
) => Promise<Response>;

export interface ClientOptions {
  /** The server's address; empty in a page that the server itself delivered. */
  readonly url: string;
  /** A participant's token. A signed-in page has a cookie instead. */
  readonly token?: string;
  readonly fetch?: Fetch;
  /** Sends a file and says how far it is, which `fetch` cannot. Without it, uploads have no progress. */
  readonly sendFile?: SendFile;
  /** How long to retry a command while the server does not answer. */
  readonly retryForMs?: number;
}

export interface ClientCall<Key extends RouteKey> {
  readonly params?: Record<RouteParams<Key>, string>;
  readonly query?: RequestQuery<Key>;
  readonly body?: RequestBody<Key>;
  /** A body of JSON Lines, streamed to the server. */
  readonly upload?: string | Blob | ReadableStream<Uint8Array>;
  /** A body that is a file. */
  readonly file?: Blob | Uint8Array<ArrayBuffer>;
  /** How much of the body was sent so far, from 0 to 1, where the platform says so. */
  onProgress?(share: number): void;
  readonly signal?: AbortSignal | undefined;
  /** A command's id. A call with an id is retried if it gets no answer: the server executes it once (L7). */
  readonly id?: string;
  /** Sent even if the page is being closed. */
  readonly keepalive?: boolean | undefined;
}

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;

export function createHttp({
  url,
  token,
  fetch = (request) => globalThis.fetch(request),
  sendFile,
  retryForMs = 10_000,
}: ClientOptions) {
  const base = trimEndWhile(url, (char) => char === '/');
  /** Keeps requests alive: Node ignores an abort signal once its request is garbage-collected (nodejs/node#55428). */
  const liveRequests = new WeakMap<AbortSignal, Request>();

  async function call<Key extends RouteKey>(key: Key, options: ClientCall<Key> = {}): Promise<RouteResponse<Key>> {
    const response = options.id === undefined ? await fetchWhole(key, options) : await fetchWithRetry(key, options);
    if (!response.ok) throw await errorFromResponse(response);
    return (await response.json()) as RouteResponse<Key>;
  }

  async function fetchWithRetry<Key extends RouteKey>(key: Key, options: ClientCall<Key>): Promise<Response> {
    const deadline = performance.now() + retryForMs;
    for (let delay = FIRST_RETRY_MS; ; delay = Math.min(delay * 2, MAX_RETRY_MS)) {
      const isLastTry = options.signal?.aborted || performance.now() + delay > deadline;
      try {
        const response = await fetchWhole(key, options);
        if (isLastTry || ![502, 503, 504].includes(response.status)) return response;
      } catch (error) {
        if (isLastTry || options.signal?.aborted) throw error;
      }
      await sleep(delay * (0.5 + Math.random() / 2), options.signal);
    }
  }

  /** Fetches a response with its complete body; a truncated body counts as no answer. */
  async function fetchWhole<Key extends RouteKey>(key: Key, options: ClientCall<Key>): Promise<Response> {
    const response = await send(key, options);
    try {
      return new Response(await response.text(), response);
    } catch (error) {
      throw unreachableError(error, options.signal);
    }
  }

  async function send<Key extends RouteKey>(
    key: Key,
    { params, query, body, upload, file, onProgress, id, signal, keepalive = false }: ClientCall<Key>,
    extraHeaders: Record<string, string> = {},
  ): Promise<Response> {
    const [method, path] = key.split(' ') as [string, string];
    const headers: Record<string, string> = { ...extraHeaders };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (upload !== undefined) headers['content-type'] = 'application/jsonl';
    if (file !== undefined) headers['content-type'] = 'application/octet-stream';
    if (id !== undefined) headers['idempotency-key'] = id;
    const address = base + fillPath(path, params ?? {}) + queryString(query ?? {});
    if (file !== undefined && onProgress && sendFile) {
      try {
        return await sendFile(address, file, { headers, signal, onProgress });
      } catch (error) {
        throw unreachableError(error, signal);
      }
    }
    const request = new Request(address, {
      method,
      headers,
      keepalive,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(upload !== undefined && { body: upload, duplex: 'half' as const }),
      ...(file !== undefined && { body: file }),
      ...(signal && { signal }),
    });
    if (signal) liveRequests.set(signal, request);
    try {
      return await fetch(request);
    } catch (error) {
      throw unreachableError(error, signal);
    }
  }

  /** The raw response; its body is a file. */
  async function download<Key extends RouteKey>(key: Key, options: ClientCall<Key>): Promise<Response> {
    const response = await send(key, options);
    if (!response.ok) throw await errorFromResponse(response);
    return response;
  }

  function unreachableError(error: unknown, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason;
    const target = base === '' ? 'the server' : base;
    return new HeddleUnreachable(`No answer from ${target}: ${reasonOf(error)}. Is it running?`, { cause: error });
  }

  return { base, call, send, download };
}

export type Http = ReturnType<typeof createHttp>;

/** Resolves after a time, or at once when aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal?.addEventListener('abort', finish);
    if (signal?.aborted) finish();
  });
}

/** Whether an error is a refusal that retrying cannot change. */
export function isFinal(error: unknown): boolean {
  return error instanceof HeddleRefusal && error.status < 500 && error.status !== 429;
}

function fillPath(path: string, params: Record<string, string>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function queryString(query: Record<string, unknown>): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return '';
  return `?${new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as { code?: unknown }).code;
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  return cause instanceof Error && cause.message !== '' ? cause.message : String(code ?? cause);
}
