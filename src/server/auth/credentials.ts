import type { ParticipantKind } from '../../core/events/event.ts';
import { type Refusal, refuse } from '../../core/refusal.ts';
import { CREDENTIALS_CHANGED, credentialHoldersOf } from '../../engine/credentials.ts';
import { type Credential, credentialOf, isCurrent } from '../../log/credential.ts';
import type { EventLog } from '../../log/event-log.ts';
import { CREDENTIAL, CURRENT_TOKEN, IDENTITY } from '../../log/record-kinds.ts';
import { sha256 } from '../../log/seal.ts';
import { findKindInLog } from './participant-kind.ts';
import { createRevocations, isRevokedBy } from './revocations.ts';
import { createSignInCodes } from './sign-in-codes.ts';
import { deriveToken, randomToken, type TokenKey, temporaryTokenKey, tokenKeyId } from './tokens.ts';

export interface IssuedToken {
  readonly token: string;
  readonly credential: Credential;
}

const RECORD_KIND = CREDENTIAL;
/** A revocation takes effect everywhere after this time, even if its announcement is lost. */
const CACHE_MS = 5_000;
const CACHE_SIZE = 10_000;

export interface CredentialOptions {
  readonly log: EventLog;
  readonly clock: { now(): string; newId(): string };
  /** The key from which this workspace directory derives its tokens. */
  readonly tokenKey?: TokenKey;
  /** A token that is valid without being stored, for a process that reads the log's files itself. */
  readonly guestToken?: string;
}

export function createCredentials({ log, clock, tokenKey = temporaryTokenKey(), guestToken }: CredentialOptions) {
  const cache = new Map<string, { readonly credential: Credential; readonly until: number }>();
  const codes = createSignInCodes(clock.now);
  const revocations = createRevocations(async (token) => find(token));
  let changeCount = 0;
  let issueQueue: Promise<unknown> = Promise.resolve();
  const unlisten = log.listen({
    onAppend() {},
    onAnnouncement(text) {
      if (text.startsWith(CREDENTIALS_CHANGED)) clearCache((JSON.parse(text) as { ended?: string }).ended);
    },
  });

  /** Returns a participant's existing token, unless it was revoked or `isNew` requests another (C3). */
  function issue(
    participant: string,
    kind?: ParticipantKind,
    isNew = false,
    requester = participant,
  ): Promise<IssuedToken | Refusal> {
    // Issue tokens one at a time: two concurrent calls could both find an id that has no kind yet.
    const issuedToken = issueQueue.then(() => issueCredential(participant, kind, { isNew, requester }));
    issueQueue = issuedToken.catch(() => {});
    return issuedToken;
  }

  async function issueCredential(
    participant: string,
    requestedKind: ParticipantKind | undefined,
    {
      by,
      isNew = false,
      requester,
    }: { readonly by?: Credential; readonly isNew?: boolean; readonly requester?: string },
  ): Promise<IssuedToken | Refusal> {
    const allRows = await readRows();
    const otherId = await otherSpelling(participant, allRows);
    if (otherId !== undefined) return spellingConflict(participant, otherId);
    const knownKind = await kindOf(participant, allRows);
    if (knownKind && requestedKind && knownKind !== requestedKind)
      return kindConflict(participant, knownKind, requestedKind);
    const kind = knownKind ?? requestedKind ?? 'agent';
    // Never show another person's token. Issue a new one, which appears in the list and can be revoked there.
    const isForOther = kind === 'human' && requester !== participant;
    const current = by || isNew || isForOther ? undefined : await currentToken(participant, kind, allRows);
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
    const expiredRecords = allRows
      .filter((row) => !isCurrent(row.credential, clock.now()))
      .map(({ key }) => ({ kind: RECORD_KIND, key, value: null }));
    await log.putRecords([
      ...expiredRecords,
      { kind: IDENTITY, key: participant, value: kind },
      { kind: RECORD_KIND, key: sha256(token), value: JSON.stringify(credential) },
      ...(by || isForOther ? [] : [{ kind: CURRENT_TOKEN, key: currentKey(participant), value: credential.id }]),
    ]);
    if (knownKind === undefined) await announceChange('}');
    return { token, credential };
  }

  /** Finds a participant whose id differs from this one only in case (T29). */
  async function otherSpelling(participant: string, allRows: readonly CredentialRow[]): Promise<string | undefined> {
    const ids = [
      ...allRows.map(({ credential }) => credential.participant),
      ...(await log.records(IDENTITY)).map(({ key }) => key),
    ];
    return ids.find((id) => id !== participant && id.toLowerCase() === participant.toLowerCase());
  }

  /** The newest token derived for a participant, unless it was revoked. */
  async function currentToken(participant: string, kind: ParticipantKind, allRows: readonly CredentialRow[]) {
    const id = await log.record(CURRENT_TOKEN, currentKey(participant));
    const row = allRows.find(({ credential }) => credential.id === id && credential.kind === kind);
    if (!row) return undefined;
    const token = deriveToken(tokenKey(), row.credential);
    return row.key === sha256(token) ? { token, credential: row.credential } : undefined;
  }

  function currentKey(participant: string): string {
    return `${tokenKeyId(tokenKey())} ${participant}`;
  }

  async function kindOf(participant: string, allRows: readonly CredentialRow[]): Promise<ParticipantKind | undefined> {
    const storedKind = await log.record(IDENTITY, participant);
    if (storedKind !== undefined) return storedKind as ParticipantKind;
    const row = allRows.find(({ credential }) => credential.participant === participant);
    return row?.credential.kind ?? findKindInLog(log, participant);
  }

  /** The credential of a token. Synchronous if the token was looked up a moment ago. */
  function find(token: string): Credential | undefined | Promise<Credential | undefined> {
    if (token === guestToken)
      return { id: 'guest', participant: 'human', kind: 'human', created: clock.now(), use: 'token' };
    const cached = cache.get(token);
    if (cached && cached.until > performance.now()) return cached.credential;
    return lookUp(token);
  }

  /** The credential of a token, read from the log now. */
  async function lookUp(token: string): Promise<Credential | undefined> {
    const changesBefore = changeCount;
    cache.delete(token);
    const credential = await credentialOf(log, token, clock.now());
    if (!credential) return undefined;
    if (cache.size >= CACHE_SIZE) cache.clear();
    // Do not cache a credential if any was revoked during the lookup.
    if (changesBefore === changeCount) cache.set(token, { credential, until: performance.now() + CACHE_MS });
    return credential;
  }

  async function list(): Promise<readonly Credential[]> {
    const current = (await readRows())
      .map((row) => row.credential)
      .filter((credential) => isCurrent(credential, clock.now()));
    return current.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Ends a credential, and with it the sessions it has signed in. */
  async function revoke(id: string): Promise<Credential | undefined> {
    let allRows = await readRows();
    const target = allRows.find(({ credential }) => credential.id === id)?.credential;
    if (!target) return undefined;
    const identity = { kind: IDENTITY, key: target.participant, value: target.kind };
    // Repeat until none is left: a session being signed in meanwhile is found by the next pass, or finds this
    // credential gone itself.
    for (;;) {
      const endedRows = allRows.filter(({ credential }) => isEndedBy(credential, target));
      if (endedRows.length === 0) break;
      await log.putRecords([identity, ...endedRows.map(({ key }) => ({ kind: RECORD_KIND, key, value: null }))]);
      allRows = await readRows();
    }
    clearCache(id);
    await announceChange(`,"ended":${JSON.stringify(id)}}`);
    return target;
  }

  /** Signs a browser in by a link, which works only once. */
  async function redeem(code: string): Promise<IssuedToken | undefined> {
    const by = codes.consume(code);
    if (!by || !(await isHeld(by.id))) return undefined;
    const session = await issueCredential(by.participant, by.kind, { by });
    if (!('token' in session)) return undefined;
    if (await isHeld(by.id)) return session;
    // The credential that made the link was revoked just now.
    await log.putRecords([{ kind: RECORD_KIND, key: sha256(session.token), value: null }]);
    return undefined;
  }

  async function isHeld(id: string): Promise<boolean> {
    return (await readRows()).some(({ credential }) => credential.id === id && isCurrent(credential, clock.now()));
  }

  /** Updates the known humans, here and on every other server: decisions depend on who is human (T22). */
  async function announceChange(jsonTail: string) {
    await credentialHoldersOf(log).refresh();
    await log.announce(`${CREDENTIALS_CHANGED}${jsonTail}`);
  }

  function clearCache(endedId: string | undefined) {
    changeCount++;
    cache.clear();
    if (endedId !== undefined) revocations.end(endedId);
    revocations.recheck();
  }

  async function readRows(): Promise<readonly CredentialRow[]> {
    return (await log.records(RECORD_KIND)).map(({ key, value }) => ({
      key,
      credential: JSON.parse(value) as Credential,
    }));
  }

  return {
    issue,
    find,
    lookUp,
    list,
    revoke,
    /** A code that signs a browser in as the credential's participant, once and only for a short time. */
    signInCode: codes.make,
    /** Whether a code is valid; checking does not use it up. */
    isSignInCode: (code: string) => codes.peek(code) !== undefined,
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

interface CredentialRow {
  readonly key: string;
  readonly credential: Credential;
}

/** A legacy session does not record which credential signed it in, so revoking any token of its participant ends it. */
function isEndedBy(credential: Credential, revokedCredential: Credential): boolean {
  const { use, via, participant } = credential;
  const isLegacySession = use === 'session' && via === undefined;
  return (
    isRevokedBy(credential, revokedCredential.id) ||
    (isLegacySession && revokedCredential.use === 'token' && participant === revokedCredential.participant)
  );
}

const KIND_WITH_ARTICLE: Record<ParticipantKind, string> = {
  human: 'a human',
  agent: 'an agent',
  automation: 'an automation',
};

function spellingConflict(participant: string, otherId: string): Refusal {
  const message = `"${otherId}" already has credentials, and IDs that differ only in case are the same. Use "${otherId}" instead of "${participant}".`;
  return refuse('conflict', message, { participant });
}

function kindConflict(participant: string, knownKind: ParticipantKind, requestedKind: ParticipantKind): Refusal {
  return refuse(
    'conflict',
    `${participant} is ${KIND_WITH_ARTICLE[knownKind]} here and cannot become ${KIND_WITH_ARTICLE[requestedKind]}, because its earlier texts would then look like those of ${KIND_WITH_ARTICLE[requestedKind]}. Choose another ID.`,
    { participant },
  );
}
