import { ReadableStream } from 'node:stream/web';
import type { RawResponse } from '../model.ts';
import { createRedaction, withoutSecrets } from './errors/secrets.ts';
import { WireFault } from './errors/wire-fault.ts';
import { type RemoteOptions, TIMEOUTS } from './options.ts';
import { createTap } from './tap.ts';
import { httpTransport, type WireResponse } from './transport.ts';

/** What a client library is given instead of its own key, which it never sees. */
export const NO_KEY = 'kept-by-heddle';
const PASSED_ON = ['content-type', 'accept', 'anthropic-version', 'anthropic-beta'];

/** One request to a provider: what the client library sends goes through here, and what came back is remembered. */
export interface Call {
  fetch(input: unknown, init?: RequestInit): Promise<Response>;
  /** What came, once it came. */
  readonly response: WireResponse | undefined;
  /** What went wrong on the wire; the client libraries swallow some of it. */
  readonly failure: unknown;
  readonly redact: (text: string) => string;
  /** How much of a body came, and whether it came as events. */
  readonly bytes: number;
  readonly isStream: boolean;
  /** The fields of the request. */
  sent(): Readonly<Record<string, unknown>>;
  raw(): RawResponse;
}

export function createCall(options: RemoteOptions, signal: AbortSignal): Call {
  const { model, timeouts, transport = httpTransport(timeouts?.connect ?? TIMEOUTS.connect) } = options;
  const redact = createRedaction(options);
  const started = new Date().toISOString();
  const begin = performance.now();
  const elapsed = () => Math.round(performance.now() - begin);
  let firstByteMs: number | undefined;
  let response: WireResponse | undefined;
  let failure: unknown;
  let isStream = false;
  let sent = '{}';
  const tap = createTap(() => {
    firstByteMs = elapsed();
  });

  async function fetch(input: unknown, init: RequestInit = {}): Promise<Response> {
    const body = String(init.body ?? '');
    sent = body;
    try {
      response = await transport({
        url: new URL(String(input)),
        method: init.method ?? 'POST',
        headers: headersFor(options, new Headers(init.headers), body),
        body,
        signal,
      });
      const kind = kindOf(body, response, options);
      isStream = kind === 'events';
      const stream = ReadableStream.from(watched(response, kind));
      return new Response(stream as unknown as globalThis.ReadableStream<Uint8Array>, {
        status: response.status,
        headers: response.headers,
      });
    } catch (error) {
      failure = error;
      throw error;
    }
  }

  async function* watched({ body }: WireResponse, kind: Kind) {
    try {
      if (kind === 'whole') yield* asEvents(tap.through(body, 'json'));
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
    sent: () => JSON.parse(sent || '{}'),
    raw: () => {
      const requestId = response?.headers['x-request-id'] ?? response?.headers['request-id'];
      return {
        model,
        ...(response && { status: response.status }),
        headers: withoutSecrets(response?.headers ?? {}, redact),
        body: redact(tap.body()),
        ...(tap.cut && { cut: true as const }),
        ...(requestId !== undefined && { requestId }),
        timing: { started, ...(firstByteMs !== undefined && { firstByteMs }), totalMs: elapsed() },
      };
    },
  };
}

/** Only what the wire format needs, and what was written for this model: nothing a library finds in the environment. */
function headersFor({ provider, apiKey, headers = {} }: RemoteOptions, given: Headers, body: string) {
  const needed = PASSED_ON.flatMap((name) => (given.get(name) === null ? [] : [[name, given.get(name) as string]]));
  const key = apiKey && (provider === 'anthropic' ? { 'x-api-key': apiKey } : { authorization: `Bearer ${apiKey}` });
  return {
    ...Object.fromEntries(needed),
    'user-agent': 'heddle',
    'accept-encoding': 'identity',
    'content-length': String(Buffer.byteLength(body)),
    ...(key || {}),
    ...headers,
  };
}

/** Events, a JSON body, or a body where events were asked for: some servers do not stream, whatever they are asked. */
type Kind = 'events' | 'json' | 'whole';

/** A good answer has to be what was asked for; a bad one is read for what it says, whatever it is. */
function kindOf(body: string, { status, headers }: WireResponse, { provider }: RemoteOptions): Kind {
  if (status < 200 || status > 299) return 'json';
  const type = headers['content-type'] ?? '';
  const streamed = /"stream":\s*true[,}]/.test(body);
  if (/html/i.test(type)) throw new WireFault('wrong-type', type);
  if (!streamed) return 'json';
  if (!/json/i.test(type)) return 'events';
  if (provider === 'anthropic') throw new WireFault('wrong-type', type);
  return 'whole';
}

async function* asEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  const text = Buffer.concat(pieces).toString();
  yield Buffer.from(`data: ${JSON.stringify(JSON.parse(text))}\n\ndata: [DONE]\n\n`);
}
