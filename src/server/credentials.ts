import { randomBytes } from 'node:crypto';
import type { ParticipantKind } from '../core/event.ts';
import { type Refusal, refuse } from '../core/refusal.ts';
import type { EventLog } from '../log/event-log.ts';
import { sha256 } from '../log/seal.ts';

/** Who someone is. The token itself is never kept, only its SHA-256 (L17). */
export interface Credential {
  readonly id: string;
  readonly participant: string;
  readonly kind: ParticipantKind;
  readonly created: string;
  /** A token for programs, or a browser's session. */
  readonly use: 'token' | 'session';
}

export interface Issued {
  readonly token: string;
  readonly credential: Credential;
}

const KIND = 'credential';
const CHANGED = JSON.stringify({ type: 'credentials.changed' });
/** However a revocation is announced, it holds everywhere after this long. */
const TRUSTED_MS = 5_000;
const TRUSTED_MOST = 10_000;
const SESSION_MS = 30 * 24 * 3600_000;
const CODE_MS = 10 * 60_000;

export interface CredentialParts {
  readonly log: EventLog;
  readonly clock: { now(): string; newId(): string };
}

export function createCredentials({ log, clock }: CredentialParts) {
  const trusted = new Map<string, { readonly credential: Credential; readonly until: number }>();
  const codes = new Map<string, { readonly credential: Credential; readonly expires: number }>();
  const listeners = new Set<() => void>();
  const unlisten = log.listen({
    appended() {},
    announced(text) {
      if (text === CHANGED) forget();
    },
  });

  /** Makes a token for a participant. It cannot be shown again. */
  async function issue(
    participant: string,
    kind?: ParticipantKind,
    use: Credential['use'] = 'token',
  ): Promise<Issued | Refusal> {
    const all = await rows();
    const known = all.find((row) => row.credential.participant === participant)?.credential.kind;
    if (known && kind && known !== kind) return otherKind(participant, known, kind);
    const token = `hdl_${randomBytes(32).toString('base64url')}`;
    const credential: Credential = {
      id: clock.newId(),
      participant,
      kind: known ?? kind ?? 'agent',
      created: clock.now(),
      use,
    };
    const outlived = all
      .filter((row) => !isCurrent(row.credential))
      .map(({ key }) => ({ kind: KIND, key, value: null }));
    await log.putRecords([...outlived, { kind: KIND, key: sha256(token), value: JSON.stringify(credential) }]);
    return { token, credential };
  }

  /** Whose token this is. Answers at once when it was seen a moment ago. */
  function find(token: string): Credential | undefined | Promise<Credential | undefined> {
    const known = trusted.get(token);
    if (known && known.until > performance.now()) return known.credential;
    return look(token);
  }

  async function look(token: string): Promise<Credential | undefined> {
    trusted.delete(token);
    const value = await log.record(KIND, sha256(token));
    const credential = value === undefined ? undefined : (JSON.parse(value) as Credential);
    if (!credential || !isCurrent(credential)) return undefined;
    if (trusted.size >= TRUSTED_MOST) trusted.clear();
    trusted.set(token, { credential, until: performance.now() + TRUSTED_MS });
    return credential;
  }

  async function list(): Promise<readonly Credential[]> {
    const current = (await rows()).map((row) => row.credential).filter(isCurrent);
    return current.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async function revoke(id: string): Promise<Credential | undefined> {
    const row = (await rows()).find(({ credential }) => credential.id === id);
    if (!row) return undefined;
    await log.putRecords([{ kind: KIND, key: row.key, value: null }]);
    forget();
    await log.announce(CHANGED);
    return row.credential;
  }

  /** A code that signs a browser in as the credential's participant: once, and soon. */
  function signInCode(credential: Credential): { readonly code: string; readonly expires: string } {
    const now = Date.parse(clock.now());
    for (const [key, { expires }] of codes) if (expires <= now) codes.delete(key);
    const code = randomBytes(32).toString('base64url');
    codes.set(sha256(code), { credential, expires: now + CODE_MS });
    return { code, expires: new Date(now + CODE_MS).toISOString() };
  }

  async function redeem(code: string): Promise<Issued | undefined> {
    const key = sha256(code);
    const found = codes.get(key);
    codes.delete(key);
    if (!found || found.expires <= Date.parse(clock.now())) return undefined;
    // The one who made the link may have been turned away since.
    if (!(await rows()).some((row) => row.credential.id === found.credential.id)) return undefined;
    const { participant, kind } = found.credential;
    const issued = await issue(participant, kind, 'session');
    return 'token' in issued ? issued : undefined;
  }

  function forget() {
    trusted.clear();
    for (const listener of listeners) listener();
  }

  async function rows() {
    return (await log.records(KIND)).map(({ key, value }) => ({ key, credential: JSON.parse(value) as Credential }));
  }

  function isCurrent({ use, created }: Credential): boolean {
    return use === 'token' || Date.parse(created) + SESSION_MS > Date.parse(clock.now());
  }

  return {
    issue,
    find,
    list,
    revoke,
    signInCode,
    redeem,
    /** Told whenever a credential may have ended. */
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: unlisten,
  };
}

export type Credentials = ReturnType<typeof createCredentials>;

function otherKind(participant: string, known: ParticipantKind, kind: ParticipantKind): Refusal {
  return refuse(
    'conflict',
    `${participant} is known as ${known} and cannot become ${kind}: what a participant may do hangs on its kind. Choose another id.`,
    { participant },
  );
}
