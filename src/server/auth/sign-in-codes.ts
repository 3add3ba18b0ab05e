import { randomBytes } from 'node:crypto';
import type { Credential } from '../../log/credential.ts';
import { sha256 } from '../../log/seal.ts';

const CODE_LIFETIME_MS = 10 * 60_000;

/** Codes of sign-in links. Each works once, for ten minutes, on the server that made it. */
export function createSignInCodes(now: () => string) {
  const codes = new Map<string, { readonly credential: Credential; readonly expires: number }>();

  function make(credential: Credential): { readonly code: string; readonly expires: string } {
    const time = Date.parse(now());
    for (const [key, { expires }] of codes) if (expires <= time) codes.delete(key);
    const code = randomBytes(32).toString('base64url');
    codes.set(sha256(code), { credential, expires: time + CODE_LIFETIME_MS });
    return { code, expires: new Date(time + CODE_LIFETIME_MS).toISOString() };
  }

  /** The credential that made the link. Looking does not use the code up. */
  function peek(code: string): Credential | undefined {
    const entry = codes.get(sha256(code));
    return entry && entry.expires > Date.parse(now()) ? entry.credential : undefined;
  }

  function consume(code: string): Credential | undefined {
    const credential = peek(code);
    codes.delete(sha256(code));
    return credential;
  }

  return { make, peek, consume };
}
