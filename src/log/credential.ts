import type { ParticipantKind } from '../core/events/event.ts';
import { type Refusal, refuse } from '../core/refusal.ts';
import type { EventLog } from './event-log.ts';
import { CREDENTIAL, IDENTITY } from './record-kinds.ts';
import { sha256 } from './seal.ts';

/** Who someone is. The token itself is never kept, only its SHA-256 (L17). */
export interface Credential {
  readonly id: string;
  readonly participant: string;
  readonly kind: ParticipantKind;
  readonly created: string;
  /** A token for programs, or a browser's session. */
  readonly use: 'token' | 'session';
  /** The credentials by whose links a session was signed in, the first of them first: it ends with any of them (I25). */
  readonly via?: readonly string[];
}

const SESSION_MS = 30 * 24 * 3600_000;

/** Whose token this is, as the log has it now. */
export async function credentialOf(log: EventLog, token: string, now: string): Promise<Credential | undefined> {
  const stored = await log.record(CREDENTIAL, sha256(token));
  const credential = stored === undefined ? undefined : (JSON.parse(stored) as Credential);
  if (!credential || !isCurrent(credential, now)) return undefined;
  // Two servers may have issued for the same new id at once: one of the kinds holds, and for good.
  const kind = (await log.record(IDENTITY, credential.participant)) ?? credential.kind;
  return kind === credential.kind ? credential : undefined;
}

export function isCurrent({ use, created }: Credential, now: string): boolean {
  return use === 'token' || Date.parse(created) + SESSION_MS > Date.parse(now);
}

export function unknownCredential(): Refusal {
  return refuse(
    'unauthenticated',
    'This credential is not known here, or was revoked. "heddle token" prints a valid one.',
  );
}
