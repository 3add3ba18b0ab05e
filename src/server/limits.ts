import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { MAX_BODY_BYTES } from '../core/limits.ts';
import { isRefusal, type Refusal, refuse } from '../core/refusal.ts';

export interface Limits {
  /** Requests a credential may make: so many at once, then so many a second. */
  readonly burst: number;
  readonly perSecond: number;
  /** Streams a credential may have open. */
  readonly streams: number;
}

/** Far above what people and agents do, below what a loop gone wild does to the others. */
export const DEFAULT_LIMITS: Limits = { burst: 20_000, perSecond: 2_000, streams: 2_000 };

/** A bucket per credential that fills by itself; a request takes one drop (I18). */
export function createBuckets({ burst, perSecond }: Limits) {
  const buckets = new Map<string, { level: number; at: number }>();

  return function take(credential: string): Refusal | undefined {
    const now = performance.now();
    const bucket = buckets.get(credential) ?? { level: burst, at: now };
    buckets.set(credential, bucket);
    bucket.level = Math.min(burst, bucket.level + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    if (bucket.level >= 1) {
      bucket.level -= 1;
      return undefined;
    }
    const seconds = Math.max(1, Math.ceil((1 - bucket.level) / perSecond));
    return tooOften(`Too many requests: at most ${perSecond} a second.`, seconds);
  };
}

export function tooOften(what: string, seconds: number): Refusal {
  return refuse('rate_limited', `${what} Nothing was done; try again in ${seconds} s.`, { retry_after: seconds });
}

/** The text of a request's body. One that is too long is refused while it comes in, and not kept (L15). */
export async function readBody(incoming: IncomingMessage | undefined, request: Request): Promise<string | Refusal> {
  const bytes = incoming ? await fromSocket(incoming) : await fromStream(request.body);
  if (isRefusal(bytes)) return bytes;
  if (isUtf8(bytes)) return bytes.toString();
  return refuse('unacceptable_text', 'The body is not valid UTF-8. Nothing was stored; send it again as UTF-8.');
}

function fromSocket(incoming: IncomingMessage): Promise<Buffer | Refusal> {
  if (Number(incoming.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return Promise.resolve(tooLarge());
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    function take(chunk: Buffer) {
      length += chunk.length;
      if (length > MAX_BODY_BYTES) finish(tooLarge());
      else chunks.push(chunk);
    }
    function end() {
      finish(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length));
    }
    function broken() {
      finish(refuse('malformed', 'The request ended before its body did. Nothing was stored; send it again.'));
    }
    function finish(result: Buffer | Refusal) {
      incoming.off('data', take).off('end', end).off('error', broken).off('close', broken);
      resolve(result);
    }
    incoming.on('data', take).on('end', end).on('error', broken).on('close', broken);
  });
}

async function fromStream(stream: ReadableStream<Uint8Array> | null): Promise<Buffer | Refusal> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream ?? []) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function tooLarge(): Refusal {
  return refuse(
    'too_large',
    `The request's body is over the limit of ${MAX_BODY_BYTES} bytes (2 MiB). Nothing was stored; send it in parts.`,
    { limit: MAX_BODY_BYTES },
  );
}
