import { withoutEnd } from '../core/text/trim-end.ts';
import type { Answer, Params, RouteKey, SentBody, SentQuery } from '../protocol/routes.ts';
import { HeddleRefusal, HeddleUnreachable, refusalOf } from './refusal.ts';

/** Anything that answers a request: the platform's `fetch`, or a server's own in the same process. */
export type Fetch = (request: Request) => Response | Promise<Response>;

export interface ClientOptions {
  /** Where the server is; empty in a page that came from it. */
  readonly url: string;
  /** A participant's token. A signed-in page has a cookie instead. */
  readonly token?: string;
  readonly fetch?: Fetch;
  /** How long a command is tried again when nobody answers. */
  readonly retryForMs?: number;
}

export interface Call<Key extends RouteKey> {
  readonly params?: Record<Params<Key>, string>;
  readonly query?: SentQuery<Key>;
  readonly body?: SentBody<Key>;
  /** A body of JSON Lines, sent as it comes. */
  readonly upload?: string | Blob | ReadableStream<Uint8Array>;
  readonly signal?: AbortSignal | undefined;
  /** A command's id. With one, a call that got no answer is repeated: the server does it once (L7). */
  readonly id?: string;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

export function createHttp({
  url,
  token,
  fetch = (request) => globalThis.fetch(request),
  retryForMs = 10_000,
}: ClientOptions) {
  const base = withoutEnd(url, (char) => char === '/');
  /** Node no longer heeds a signal once the request it was given with is collected (nodejs/node#55428). */
  const kept = new WeakMap<AbortSignal, Request>();

  async function call<Key extends RouteKey>(key: Key, options: Call<Key> = {}): Promise<Answer<Key>> {
    const response = options.id === undefined ? await ask(key, options) : await askUntilAnswered(key, options);
    if (!response.ok) throw await refusalOf(response);
    return (await response.json()) as Answer<Key>;
  }

  async function askUntilAnswered<Key extends RouteKey>(key: Key, options: Call<Key>): Promise<Response> {
    const giveUp = performance.now() + retryForMs;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const last = options.signal?.aborted || performance.now() + pause > giveUp;
      try {
        const response = await ask(key, options);
        if (last || ![502, 503, 504].includes(response.status)) return response;
      } catch (error) {
        if (last || options.signal?.aborted) throw error;
      }
      await sleep(pause * (0.5 + Math.random() / 2), options.signal);
    }
  }

  /** The answer with all of its body: one that breaks off on the way is none. */
  async function ask<Key extends RouteKey>(key: Key, options: Call<Key>): Promise<Response> {
    const response = await send(key, options);
    try {
      return new Response(await response.text(), response);
    } catch (error) {
      throw unreachable(error, options.signal);
    }
  }

  async function send<Key extends RouteKey>(
    key: Key,
    { params, query, body, upload, id, signal }: Call<Key>,
    more: Record<string, string> = {},
  ): Promise<Response> {
    const [method, path] = key.split(' ') as [string, string];
    const headers: Record<string, string> = { ...more };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (upload !== undefined) headers['content-type'] = 'application/jsonl';
    if (id !== undefined) headers['idempotency-key'] = id;
    const request = new Request(base + fill(path, params ?? {}) + search(query ?? {}), {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(upload !== undefined && { body: upload, duplex: 'half' as const }),
      ...(signal && { signal }),
    });
    if (signal) kept.set(signal, request);
    try {
      return await fetch(request);
    } catch (error) {
      throw unreachable(error, signal);
    }
  }

  function unreachable(error: unknown, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason;
    const where = base === '' ? 'the server' : base;
    return new HeddleUnreachable(`No answer from ${where}: ${reasonOf(error)}. Is it running?`, { cause: error });
  }

  return { call, send };
}

export type Http = ReturnType<typeof createHttp>;

/** Resolves after a time, or at once when aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
    if (signal?.aborted) done();
  });
}

/** A refusal that will be the same however often one asks. */
export function isFinal(error: unknown): boolean {
  return error instanceof HeddleRefusal && error.status < 500 && error.status !== 429;
}

function fill(path: string, params: Record<string, string>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function search(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as { code?: unknown }).code;
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  return cause instanceof Error && cause.message !== '' ? cause.message : String(code ?? cause);
}
