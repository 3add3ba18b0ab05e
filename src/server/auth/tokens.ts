import { createHmac, randomBytes } from 'node:crypto';
import { sha256 } from '../../log/seal.ts';

/** Returns the key that tokens are derived from; called when the first token is needed. */
export type TokenKey = () => string;

export function randomToken(): string {
  return `hdl_${randomBytes(32).toString('base64url')}`;
}

/** Derives a credential's token: always the same, and stored nowhere (L17). */
export function deriveToken(key: string, { participant, id }: { readonly participant: string; readonly id: string }) {
  return `hdl_${createHmac('sha256', key).update(`token\n${id}\n${participant}`).digest('base64url')}`;
}

/** An id that tells apart the keys of several workspace directories on one database, without revealing them. */
export function tokenKeyId(key: string): string {
  return sha256(`token key\n${key}`).slice(0, 16);
}

/** A key for a server without a directory: it can print its tokens again only while it runs. */
export function temporaryTokenKey(): TokenKey {
  const key = randomBytes(32).toString('base64url');
  return () => key;
}
