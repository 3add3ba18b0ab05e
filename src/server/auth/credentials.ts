import type { ParticipantKind } from '../../core/events/event.ts';
import { type Refusal, refuse } from '../../core/refusal.ts';
import { CREDENTIALS_CHANGED, holdersOf } from '../../engine/credentials.ts';
import { type Credential, credentialOf, isCurrent } from '../../log/credential.ts';
import type { EventLog } from '../../log/event-log.ts';
import { CREDENTIAL, CURRENT_TOKEN, IDENTITY } from '../../log/record-kinds.ts';
import { sha256 } from '../../log/seal.ts';
import { kindInLog } from './participant-kind.ts';
import { createRevocations, endsWith } from './revocations.ts';
import { createSignInCodes } from './sign-in-codes.ts';
import { deriveToken, fleetingTokenKey, randomToken, type TokenKey, tokenKeyId } from './tokens.ts';

export interface Issued {
  readonly token: string;
  readonly credential: Credential;
}

const KIND = CREDENTIAL;
/** However a revocation is announced, it holds everywhere after this long. */
const TRUSTED_MS = 5_000;
const TRUSTED_MOST = 10_000;

export interface CredentialParts {
  readonly log: EventLog;
  readonly clock: { now(): string; newId(): string };
  /** What the tokens of this workspace directory are derived from. */
  readonly tokenKey?: TokenKey;
}

export function createCredentials({ log, clock, tokenKey = fleetingTokenKey() }: CredentialParts) {
  const trusted = new Map<string, { readonly credential: Credential; readonly until: number }>();
  const codes = createSignInCodes(clock.now);
  const revocations = createRevocations(async (token) => find(token));
  let changes = 0;
  let issuing: Promise<unknown> = Promise.resolve();
  const unlisten = log.listen({
    appended() {},
    announced(text) {
      if (text.startsWith(CREDENTIALS_CHANGED)) forget((JSON.parse(text) as { ended?: string }).ended);
    },
  });

  /** The token of a participant: the one from before unless it was revoked or `isNew` asks for another (C3). */
  function issue(
    participant: string,
    kind?: ParticipantKind,
    isNew = false,
    asker = participant,
  ): Promise<Issued | Refusal> {
    // One after the other: two at once could each find an id of no kind yet.
    const issued = issuing.then(() => make(participant, kind, { isNew, asker }));
    issuing = issued.catch(() => {});
    return issued;
  }

  async function make(
    participant: string,
    wish: ParticipantKind | undefined,
    { by, isNew = false, asker }: { readonly by?: Credential; readonly isNew?: boolean; readonly asker?: string },
  ): Promise<Issued | Refusal> {
    const all = await rows();
    const other = await otherSpelling(participant, all);
    if (other !== undefined) return differsInCase(participant, other);
    const known = await kindOf(participant, all);
    if (known && wish && known !== wish) return otherKind(participant, known, wish);
    const kind = known ?? wish ?? 'agent';
    // The token of another person is never shown: a new one stands in the list, where it is seen and can be revoked.
    const isOthers = kind === 'human' && asker !== participant;
    const current = by || isNew || isOthers ? undefined : await currentToken(participant, kind, all);
    if (current) return current;
    const credential: Credential = {
      id: clock.newId(),
      participant,
      kind,
      created: clock.now(),
      use: by ? 'session' : 'token',
      ...(by && { via: [...(by.via ?? []), by.id] }),
    };
    const token = by ? randomToken() : deriveToken(tokenKey(), credential);
    const outlived = all
      .filter((row) => !isCurrent(row.credential, clock.now()))
      .map(({ key }) => ({ kind: KIND, key, value: null }));
    await log.putRecords([
      ...outlived,
      { kind: IDENTITY, key: participant, value: kind },
      { kind: KIND, key: sha256(token), value: JSON.stringify(credential) },
      ...(by || isOthers ? [] : [{ kind: CURRENT_TOKEN, key: currentKey(participant), value: credential.id }]),
    ]);
    if (known === undefined) await holdersChanged('}');
    return { token, credential };
  }

  /** Somebody whose id differs from this one in case only (T29). */
  async function otherSpelling(participant: string, all: readonly Row[]): Promise<string | undefined> {
    const ids = [
      ...all.map(({ credential }) => credential.participant),
      ...(await log.records(IDENTITY)).map(({ key }) => key),
    ];
    return ids.find((id) => id !== participant && id.toLowerCase() === participant.toLowerCase());
  }

  /** The newest token derived for a participant, unless it was revoked. */
  async function currentToken(participant: string, kind: ParticipantKind, all: readonly Row[]) {
    const id = await log.record(CURRENT_TOKEN, currentKey(participant));
    const row = all.find(({ credential }) => credential.id === id && credential.kind === kind);
    if (!row) return undefined;
    const token = deriveToken(tokenKey(), row.credential);
    return row.key === sha256(token) ? { token, credential: row.credential } : undefined;
  }

  function currentKey(participant: string): string {
    return `${tokenKeyId(tokenKey())} ${participant}`;
  }

  async function kindOf(participant: string, all: readonly Row[]): Promise<ParticipantKind | undefined> {
    const kept = await log.record(IDENTITY, participant);
    if (kept !== undefined) return kept as ParticipantKind;
    const held = all.find(({ credential }) => credential.participant === participant);
    return held?.credential.kind ?? kindInLog(log, participant);
  }

  /** Whose token this is. Answers at once when it was seen a moment ago. */
  function find(token: string): Credential | undefined | Promise<Credential | undefined> {
    const known = trusted.get(token);
    if (known && known.until > performance.now()) return known.credential;
    return look(token);
  }

  /** Whose token this is, as the log has it now. */
  async function look(token: string): Promise<Credential | undefined> {
    const asked = changes;
    trusted.delete(token);
    const credential = await credentialOf(log, token, clock.now());
    if (!credential) return undefined;
    if (trusted.size >= TRUSTED_MOST) trusted.clear();
    // What was revoked while it was looked up is not trusted for a moment longer.
    if (asked === changes) trusted.set(token, { credential, until: performance.now() + TRUSTED_MS });
    return credential;
  }

  async function list(): Promise<readonly Credential[]> {
    const current = (await rows())
      .map((row) => row.credential)
      .filter((credential) => isCurrent(credential, clock.now()));
    return current.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Ends a credential, and with it the sessions it has signed in. */
  async function revoke(id: string): Promise<Credential | undefined> {
    let all = await rows();
    const revoked = all.find(({ credential }) => credential.id === id)?.credential;
    if (!revoked) return undefined;
    const identity = { kind: IDENTITY, key: revoked.participant, value: revoked.kind };
    // A session that is being signed in meanwhile is found by looking again, or finds this gone itself.
    for (;;) {
      const ended = all.filter(({ credential }) => isEndedBy(credential, revoked));
      if (ended.length === 0) break;
      await log.putRecords([identity, ...ended.map(({ key }) => ({ kind: KIND, key, value: null }))]);
      all = await rows();
    }
    forget(id);
    await holdersChanged(`,"ended":${JSON.stringify(id)}}`);
    return revoked;
  }

  /** Signs a browser in by a link: the one time that uses it up. */
  async function redeem(code: string): Promise<Issued | undefined> {
    const by = codes.take(code);
    if (!by || !(await isHeld(by.id))) return undefined;
    const issued = await make(by.participant, by.kind, { by });
    if (!('token' in issued)) return undefined;
    if (await isHeld(by.id)) return issued;
    // Whoever made the link was turned away just now.
    await log.putRecords([{ kind: KIND, key: sha256(issued.token), value: null }]);
    return undefined;
  }

  async function isHeld(id: string): Promise<boolean> {
    return (await rows()).some(({ credential }) => credential.id === id && isCurrent(credential, clock.now()));
  }

  /** What may be decided depends on who is a person: here and on every other server (T22). */
  async function holdersChanged(how: string) {
    await holdersOf(log).refresh();
    await log.announce(`${CREDENTIALS_CHANGED}${how}`);
  }

  function forget(ended: string | undefined) {
    changes++;
    trusted.clear();
    if (ended !== undefined) revocations.end(ended);
    revocations.recheck();
  }

  async function rows(): Promise<readonly Row[]> {
    return (await log.records(KIND)).map(({ key, value }) => ({ key, credential: JSON.parse(value) as Credential }));
  }

  return {
    issue,
    find,
    look,
    list,
    revoke,
    /** A code that signs a browser in as the credential's participant: once, and soon. */
    signInCode: codes.make,
    /** Whether a code would sign in; asking does not use it up. */
    isSignInCode: (code: string) => codes.look(code) !== undefined,
    redeem,
    /** Aborted when the credential of this token ends. */
    revocation: revocations.signalOf,
    close() {
      unlisten();
      revocations.close();
    },
  };
}

export type Credentials = ReturnType<typeof createCredentials>;

interface Row {
  readonly key: string;
  readonly credential: Credential;
}

/** Of a session from before it was kept by what it was signed in, any token of its participant may have been it. */
function isEndedBy(credential: Credential, revoked: Credential): boolean {
  const { use, via, participant } = credential;
  const isUnclear = use === 'session' && via === undefined;
  return (
    endsWith(credential, revoked.id) || (isUnclear && revoked.use === 'token' && participant === revoked.participant)
  );
}

const A_KIND: Record<ParticipantKind, string> = { human: 'a human', agent: 'an agent', automation: 'an automation' };

function differsInCase(participant: string, other: string): Refusal {
  const message = `"${other}" has credentials already, and ids that differ only in case are one. Use "${other}" in place of "${participant}".`;
  return refuse('conflict', message, { participant });
}

function otherKind(participant: string, known: ParticipantKind, wish: ParticipantKind): Refusal {
  return refuse(
    'conflict',
    `${participant} is ${A_KIND[known]} here and cannot become ${A_KIND[wish]}, with or without a token: what it wrote would seem to be ${A_KIND[wish]}'s. Choose another id.`,
    { participant },
  );
}
