import type { ParticipantKind } from '../core/events/event.ts';
import { type Refusal, refuse } from '../core/refusal.ts';
import type { EventLog } from './event-log.ts';
import { CREDENTIAL, IDENTITY } from './record-kinds.ts';
import { sha256 } from './seal.ts';

/** The identity behind a token. Only the token's SHA-256 is stored, never the token itself (L17). */
export interface Credential {
  readonly id: string;
  readonly participant: string;
  readonly kind: ParticipantKind;
  readonly created: string;
  /** A token for programs, or a browser session. */
  readonly use: 'token' | 'session';
  /** The credentials whose links signed this session in, oldest first: the session ends when any of them ends (I25). */
  readonly via?: readonly string[];
}

const SESSION_MS = 30 * 24 * 3600_000;

/** The credential a token currently belongs to, according to the log. */
export async function credentialOf(log: EventLog, token: string, now: string): Promise<Credential | undefined> {
  const stored = await log.record(CREDENTIAL, sha256(token));
  const credential = stored === undefined ? undefined : (JSON.parse(stored) as Credential);
  if (!credential || !isCurrent(credential, now)) return undefined;
  // Two servers may issue credentials for the same new id at once; one kind wins permanently.
  const kind = (await log.record(IDENTITY, credential.participant)) ?? credential.kind;
  return kind === credential.kind ? credential : undefined;
}

export function isCurrent({ use, created }: Credential, now: string): boolean {
  return use === 'token' || Date.parse(created) + SESSION_MS > Date.parse(now);
}

export function unknownCredential(): Refusal {
  return refuse('unauthenticated', 'This credential is unknown or was revoked. "heddle token" prints a valid one.');
}
