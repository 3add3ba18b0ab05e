import { isUtf8 } from 'node:buffer';
import { MAX_BODY_BYTES } from '../../core/events/limits.ts';
import { type Refusal, refuse } from '../../core/refusal.ts';

export interface ServerLimits {
  /** Rate limit of a credential: `burst` requests at once, then `perSecond`. */
  readonly burst: number;
  readonly perSecond: number;
  /** Streams a credential may have open. */
  readonly streams: number;
}

/** Far above normal use by people and agents, but low enough to keep a runaway loop from hurting others. */
export const DEFAULT_LIMITS: ServerLimits = { burst: 20_000, perSecond: 2_000, streams: 2_000 };

/** A token bucket per credential; each request takes one token (I18). */
export function createRateLimiter({ burst, perSecond }: ServerLimits, elapsed: () => number) {
  const buckets = new Map<string, { level: number; at: number }>();

  return function checkRate(credential: string): Refusal | undefined {
    const now = elapsed();
    const bucket = buckets.get(credential) ?? { level: burst, at: now };
    buckets.set(credential, bucket);
    bucket.level = Math.min(burst, bucket.level + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    if (bucket.level >= 1) {
      bucket.level -= 1;
      return undefined;
    }
    const seconds = Math.max(1, Math.ceil((1 - bucket.level) / perSecond));
    return rateLimited(`Too many requests: at most ${perSecond} a second.`, seconds);
  };
}

export function rateLimited(problem: string, seconds: number): Refusal {
  return refuse('rate_limited', `${problem} Nothing was done; try again in ${seconds} s.`, { retry_after: seconds });
}

/** Decodes a body. Refuses invalid UTF-8, which would be stored as different text (L15). */
export function decodeBody(body: Buffer): string | Refusal {
  if (isUtf8(body)) return body.toString();
  return refuse('unacceptable_text', 'The body is not valid UTF-8. Nothing was stored; send it again as UTF-8.');
}

export function truncatedBody(): Refusal {
  return refuse('malformed', 'The request ended before its body was complete. Nothing was stored; send it again.');
}

export function bodyTooLarge(): Refusal {
  return refuse(
    'too_large',
    `The request's body is over the limit of ${MAX_BODY_BYTES} bytes (2 MiB). Nothing was stored; send it in parts.`,
    { limit: MAX_BODY_BYTES },
  );
}
