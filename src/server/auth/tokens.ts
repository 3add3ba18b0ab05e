import { createHmac, randomBytes } from 'node:crypto';
import { sha256 } from '../../log/seal.ts';

/** What tokens are derived from: read when the first one is asked for. */
export type TokenKey = () => string;

export function randomToken(): string {
  return `hdl_${randomBytes(32).toString('base64url')}`;
}

/** The token of a credential: the same whenever it is asked for, and stored nowhere (L17). */
export function deriveToken(key: string, { participant, id }: { readonly participant: string; readonly id: string }) {
  return `hdl_${createHmac('sha256', key).update(`token\n${id}\n${participant}`).digest('base64url')}`;
}

/** Tells the keys of several workspace directories on one database apart, and gives none of them away. */
export function tokenKeyId(key: string): string {
  return sha256(`token key\n${key}`).slice(0, 16);
}

/** For a server without a directory: its tokens can be printed again for as long as it runs. */
export function temporaryTokenKey(): TokenKey {
  const key = randomBytes(32).toString('base64url');
  return () => key;
}
