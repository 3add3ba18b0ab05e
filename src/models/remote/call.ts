import { ReadableStream } from 'node:stream/web';
import type { RawResponse } from '../model.ts';
import { createRedactor, withoutSecrets } from './errors/secrets.ts';
import { WireFault } from './errors/wire-fault.ts';
import { DEFAULT_TIMEOUTS, type RemoteOptions } from './options.ts';
import { createTap } from './tap.ts';
import { httpTransport, type WireResponse } from './transport.ts';

/** Given to a client library in place of the key, which it never sees. */
export const PLACEHOLDER_KEY = 'kept-by-heddle';
const FORWARDED_HEADERS = ['content-type', 'accept', 'anthropic-version', 'anthropic-beta'];

/** One request to a provider: it carries what the client library sends, and remembers the response. */
export interface ProviderCall {
  fetch(input: unknown, init?: RequestInit): Promise<Response>;
  /** The response, once it has arrived. */
  readonly response: WireResponse | undefined;
  /** The error on the wire; the client libraries swallow some errors. */
  readonly failure: unknown;
  readonly redact: (text: string) => string;
  /** The number of body bytes received; `isStream` says whether they came as events. */
  readonly bytes: number;
  readonly isStream: boolean;
  /** The fields of the request. */
  requestFields(): Readonly<Record<string, unknown>>;
  raw(): RawResponse;
}

export function createCall(options: RemoteOptions, signal: AbortSignal): ProviderCall {
  const { model, timeouts, transport = httpTransport(timeouts?.connect ?? DEFAULT_TIMEOUTS.connect) } = options;
  const redact = createRedactor(options);
  const startedAt = new Date().toISOString();
  const startTime = performance.now();
  const elapsed = () => Math.round(performance.now() - startTime);
  let firstByteMs: number | undefined;
  let response: WireResponse | undefined;
  let failure: unknown;
  let isStream = false;
  let sentBody = '{}';
  const tap = createTap(() => {
    firstByteMs = elapsed();
  });

  async function fetch(input: unknown, init: RequestInit = {}): Promise<Response> {
    const body = String(init.body ?? '');
    sentBody = body;
    try {
      response = await transport({
        url: new URL(String(input)),
        method: init.method ?? 'POST',
        headers: headersFor(options, new Headers(init.headers), body),
        body,
        signal,
      });
      const kind = bodyKindOf(body, response, options);
      isStream = kind === 'events';
      const stream = ReadableStream.from(tapBody(response, kind));
      return new Response(stream as unknown as globalThis.ReadableStream<Uint8Array>, {
        status: response.status,
        headers: response.headers,
      });
    } catch (error) {
      failure = error;
      throw error;
    }
  }

  async function* tapBody({ body }: WireResponse, kind: BodyKind) {
    try {
      if (kind === 'whole') yield* wrapAsEvents(tap.through(body, 'json'));
      else yield* tap.through(body, kind);
    } catch (error) {
      failure = error;
      throw error;
    }
  }

  return {
    fetch,
    get response() {
      return response;
    },
    get failure() {
      return failure;
    },
    redact,
    get bytes() {
      return tap.bytes;
    },
    get isStream() {
      return isStream;
    },
    requestFields: () => JSON.parse(sentBody || '{}', withoutImageBytes),
    raw: () => {
      const requestId = response?.headers['x-request-id'] ?? response?.headers['request-id'];
      return {
        model,
        ...(response && { status: response.status }),
        headers: withoutSecrets(response?.headers ?? {}, redact),
        body: redact(tap.body()),
        ...(tap.cut && { cut: true as const }),
        ...(requestId !== undefined && { requestId }),
        timing: { started: startedAt, ...(firstByteMs !== undefined && { firstByteMs }), totalMs: elapsed() },
      };
    },
  };
}

/** Nobody looks for words in the bytes of an image. */
function withoutImageBytes(key: string, value: unknown): unknown {
  return (key === 'url' || key === 'data') && typeof value === 'string' ? '' : value;
}

/** Only the headers that the wire format needs: nothing a library finds in the environment. */
function headersFor({ provider, apiKey }: RemoteOptions, libraryHeaders: Headers, body: string) {
  const forwarded = FORWARDED_HEADERS.flatMap((name) =>
    libraryHeaders.get(name) === null ? [] : [[name, libraryHeaders.get(name) as string]],
  );
  const authHeader =
    apiKey && (provider === 'anthropic' ? { 'x-api-key': apiKey } : { authorization: `Bearer ${apiKey}` });
  return {
    ...Object.fromEntries(forwarded),
    'user-agent': 'heddle',
    'accept-encoding': 'identity',
    'content-length': String(Buffer.byteLength(body)),
    ...(authHeader || {}),
  };
}

/** Events, a JSON body, or a whole body where events were requested: some servers never stream. */
type BodyKind = 'events' | 'json' | 'whole';

/** A successful response must have the requested form; an error response is read in any form. */
function bodyKindOf(body: string, { status, headers }: WireResponse, { provider }: RemoteOptions): BodyKind {
  if (status < 200 || status > 299) return 'json';
  const contentType = headers['content-type'] ?? '';
  const wantsStream = /"stream":\s*true[,}]/.test(body);
  if (/html/i.test(contentType)) throw new WireFault('wrong-type', contentType);
  if (!wantsStream) return 'json';
  if (!/json/i.test(contentType)) return 'events';
  if (provider === 'anthropic') throw new WireFault('wrong-type', contentType);
  return 'whole';
}

async function* wrapAsEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  yield Buffer.from(`data: ${JSON.stringify(JSON.parse(text))}\n\ndata: [DONE]\n\n`);
}
