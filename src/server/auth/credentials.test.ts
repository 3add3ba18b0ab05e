import { expect, onTestFinished, test } from 'vitest';
import { openTestServer } from '../../../test/support/servers/server.ts';
import { isRefusal } from '../../core/refusal.ts';
import type { EventLog, LogListener } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { sha256 } from '../../log/seal.ts';
import { createCredentials, type IssuedToken } from './credentials.ts';

let ids = 0;
const clockAt = (time: { now: number }) => ({
  now: () => new Date(time.now).toISOString(),
  newId: () => `c${String(++ids).padStart(4, '0')}`,
});

function open(log: EventLog = openMemoryLog(), time = { now: Date.UTC(2026, 0, 1) }, key = 'the key of a directory') {
  return { log, time, credentials: createCredentials({ log, clock: clockAt(time), tokenKey: () => key }) };
}

async function everyRecord(log: EventLog) {
  return Promise.all(['credential', 'current-token', 'identity'].map((kind) => log.records(kind)));
}

async function expectToken(promise: Promise<unknown>): Promise<IssuedToken> {
  return (await promise) as IssuedToken;
}

test('[C3] a token acts as its participant until it is revoked', async () => {
  const { credentials } = open();
  const { token, credential } = await expectToken(credentials.issue('ada', 'human'));
  expect(token).toMatch(/^hdl_[\w-]{43}$/);
  expect(await credentials.find(token)).toEqual(credential);
  expect(await credentials.list()).toEqual([credential]);
  expect(await credentials.revoke(credential.id)).toEqual(credential);
  expect(await credentials.find(token)).toBeUndefined();
  expect(await credentials.list()).toEqual([]);
  expect(await credentials.revoke(credential.id)).toBeUndefined();
});

test('[L17] only the hash of a token is kept', async () => {
  const { log, credentials } = open();
  const { token } = await expectToken(credentials.issue('ada', 'human'));
  const rows = await log.records('credential');
  expect(rows.map(({ key }) => key)).toEqual([sha256(token)]);
  expect(JSON.stringify(rows)).not.toContain(token.slice(4, 20));
});

test('[C3] printing a token again gives the same token, in any process, and stores nothing new', async () => {
  const { log, credentials } = open();
  const first = await expectToken(credentials.issue('alpha', 'agent'));
  const stored = await everyRecord(log);
  for (const { issue } of [credentials, open(log).credentials]) {
    expect(await issue('alpha')).toEqual(first);
    expect(await issue('alpha', 'agent')).toEqual(first);
  }
  expect(await everyRecord(log)).toEqual(stored);
  expect((await expectToken(credentials.issue('beta'))).token).not.toBe(first.token);
});

test('[C3] nobody can see another person’s token', async () => {
  const { credentials } = open();
  const own = await expectToken(credentials.issue('ana', 'human'));
  const other = await expectToken(credentials.issue('ana', 'human', false, 'ben'));
  expect(other.token).not.toBe(own.token);
  expect((await credentials.list()).map(({ id }) => id)).toEqual([own.credential.id, other.credential.id]);
  // Nor does what another asked for become one's own.
  const token = await expectToken(credentials.issue('kim', 'human', false, 'ben'));
  expect((await expectToken(credentials.issue('kim', 'human'))).token).not.toBe(token.token);
});

test('[C3] a new token leaves earlier ones valid until they are revoked', async () => {
  const { credentials } = open();
  const first = await expectToken(credentials.issue('alpha', 'agent'));
  const second = await expectToken(credentials.issue('alpha', 'agent', true));
  expect(second.token).not.toBe(first.token);
  expect((await expectToken(credentials.issue('alpha'))).token).toBe(second.token);
  expect(await credentials.find(first.token)).toEqual(first.credential);
  await credentials.revoke(first.credential.id);
  expect(await credentials.find(first.token)).toBeUndefined();
  expect((await expectToken(credentials.issue('alpha'))).token).toBe(second.token);
});

test('[C3] a revoked token never comes back', async () => {
  const { log, credentials } = open();
  const seen = new Set<string>();
  for (const { issue, revoke } of [credentials, open(log).credentials, credentials]) {
    const older = await expectToken(issue('alpha', 'agent', true));
    const newest = await expectToken(issue('alpha', 'agent', true));
    await revoke(newest.credential.id);
    const next = await expectToken(issue('alpha'));
    for (const token of [older, newest, next].map((each) => each.token)) {
      expect(seen.has(token)).toBe(false);
      seen.add(token);
    }
    expect(await credentials.find(newest.token)).toBeUndefined();
  }
});

test('[L17] no copy of the database reveals a token, and directories that share it each print their own', async () => {
  const log = openMemoryLog();
  const [one, two] = ['the first key', 'the second key'].map((key) => open(log, undefined, key).credentials);
  if (!one || !two) throw new Error('two servers');
  const [first, second] = [await expectToken(one.issue('alpha', 'agent')), await expectToken(two.issue('alpha'))];
  expect(second.token).not.toBe(first.token);
  for (const server of [one, two]) {
    expect(await server.find(first.token)).toEqual(first.credential);
    expect(await server.find(second.token)).toEqual(second.credential);
  }
  expect([await one.issue('alpha'), await two.issue('alpha')]).toEqual([first, second]);
  expect(await one.list()).toHaveLength(2);
  await two.revoke(first.credential.id);
  expect((await expectToken(one.issue('alpha'))).token).not.toBe(first.token);
  const kept = JSON.stringify(await everyRecord(log));
  for (const secret of ['the first key', 'the second key', first.token, second.token])
    expect(kept).not.toContain(secret);
});

test('[C3] a random token of an earlier version keeps working besides the derived one', async () => {
  const { log, credentials } = open();
  const old = { id: 'c0', participant: 'ada', kind: 'human', created: '2026-01-01T00:00:00.000Z', use: 'token' };
  await log.putRecords([{ kind: 'credential', key: sha256('hdl_old'), value: JSON.stringify(old) }]);
  const { token } = await expectToken(credentials.issue('ada'));
  expect(await credentials.find(token)).toMatchObject({ participant: 'ada', kind: 'human' });
  expect(await credentials.find('hdl_old')).toEqual(old);
});

test('[T6] a participant never changes its kind', async () => {
  const { credentials } = open();
  await credentials.issue('alpha', 'agent');
  const refusal = await credentials.issue('alpha', 'human');
  expect(isRefusal(refusal) && refusal.refusal).toMatchObject({ code: 'conflict', participant: 'alpha' });
  expect((await expectToken(credentials.issue('alpha'))).credential.kind).toBe('agent');
  expect((await expectToken(credentials.issue('beta'))).credential.kind).toBe('agent');
  expect((await expectToken(credentials.issue('gamma', 'automation'))).credential.kind).toBe('automation');
});

test('[T6] [I25] an id keeps its kind after its tokens are revoked, in any process', async () => {
  const { log, credentials } = open();
  for (const [participant, kind, other] of [
    ['ada', 'human', 'agent'],
    ['alpha', 'agent', 'human'],
    ['robot', 'automation', 'agent'],
  ] as const) {
    const { credential } = await expectToken(credentials.issue(participant, kind));
    await credentials.revoke(credential.id);
    for (const { issue } of [credentials, open(log).credentials]) {
      const refusal = await issue(participant, other);
      expect(isRefusal(refusal) && refusal.refusal).toMatchObject({ code: 'conflict', participant });
      expect((await expectToken(issue(participant))).credential.kind).toBe(kind);
    }
  }
  const refusal = await credentials.issue('ada', 'agent');
  expect(isRefusal(refusal) && refusal.refusal.message).toBe(
    'ada is a human here and cannot become an agent, because its earlier texts would then look like those of an agent. Choose another ID.',
  );
});

test('[T6] an id that wrote before its kind was recorded, here or elsewhere, keeps its kind', async () => {
  const server = await openTestServer();
  onTestFinished(() => server.close());
  const { log } = server.engine;
  for (const token of [server.human, server.agent]) {
    await server.client(token).threads.create({ title: 'Written by one who is gone' });
  }
  await server.client().search({ q: 'gone' });
  for (const kind of ['credential', 'identity']) await log.replaceRecords(kind, []);
  const { credentials } = open(log);
  for (const [participant, other] of [
    ['ada', 'agent'],
    ['alpha', 'human'],
  ] as const) {
    const refusal = await credentials.issue(participant, other);
    expect(isRefusal(refusal) && refusal.refusal).toMatchObject({ code: 'conflict', participant });
  }
  expect((await expectToken(credentials.issue('ada'))).credential.kind).toBe('human');
});

test('[T6] of two kinds issued for a new id at once, one is refused', async () => {
  const { credentials } = open();
  const both = await Promise.all([credentials.issue('twin', 'human'), credentials.issue('twin', 'agent')]);
  expect(both.map(isRefusal)).toEqual([false, true]);
});

test('[T6] when two servers issue for a new id at once, tokens of only one kind are valid', async () => {
  const log = openMemoryLog();
  const [one, two] = [open(log).credentials, open(log).credentials];
  const tokens = await Promise.all([expectToken(one.issue('twin', 'human')), expectToken(two.issue('twin', 'agent'))]);
  const found = await Promise.all(tokens.map(({ token }) => open(log).credentials.find(token)));
  expect(found.filter((credential) => credential !== undefined)).toHaveLength(1);
});

test('[I25] revoking a token ends the sessions from its links, and theirs, and no others', async () => {
  const { log, credentials } = open();
  const [first, other] = [
    await expectToken(credentials.issue('ada', 'human')),
    await expectToken(credentials.issue('ada', 'human', true)),
  ];
  const signIn = async (by: IssuedToken) =>
    (await credentials.redeem(credentials.signInCode(by.credential).code)) as IssuedToken;
  const session = await signIn(first);
  const further = await signIn(session);
  const apart = await signIn(other);
  expect(further.credential.via).toEqual([first.credential.id, session.credential.id]);
  for (const { token } of [session, further, apart]) expect(await credentials.find(token)).toBeDefined();
  const revocations = [session, further, apart].map(({ token, credential }) =>
    credentials.revocation(token, credential),
  );
  await credentials.revoke(first.credential.id);
  expect(revocations.map(({ aborted }) => aborted)).toEqual([true, true, false]);
  for (const { find } of [credentials, open(log).credentials]) {
    expect(await find(session.token)).toBeUndefined();
    expect(await find(further.token)).toBeUndefined();
    expect(await find(apart.token)).toEqual(apart.credential);
  }
  expect((await credentials.list()).map(({ id }) => id)).toEqual([other.credential.id, apart.credential.id]);
});

test('[I25] signing out of a session leaves its token and the other sessions', async () => {
  const { credentials } = open();
  const token = await expectToken(credentials.issue('ada', 'human'));
  const signIn = async () => (await credentials.redeem(credentials.signInCode(token.credential).code)) as IssuedToken;
  const [one, two] = [await signIn(), await signIn()];
  await credentials.revoke(one.credential.id);
  expect((await credentials.list()).map(({ id }) => id)).toEqual([token.credential.id, two.credential.id]);
});

test('[I25] a session of an earlier version with an unknown source ends with any token of its participant', async () => {
  const { log, credentials } = open();
  const [ada, bob] = [
    await expectToken(credentials.issue('ada', 'human')),
    await expectToken(credentials.issue('bob', 'human')),
  ];
  const session = { id: 'c0', participant: 'ada', kind: 'human', created: '2026-01-01T00:00:00.000Z', use: 'session' };
  await log.putRecords([{ kind: 'credential', key: sha256('old'), value: JSON.stringify(session) }]);
  await credentials.revoke(bob.credential.id);
  expect(await credentials.find('old')).toEqual(session);
  await credentials.revoke(ada.credential.id);
  expect(await credentials.find('old')).toBeUndefined();
});

test('[I25] a sign-in during a revocation leaves no session, whichever comes first', async () => {
  for (let pause = 0; pause < 12; pause++) {
    const { credentials } = open();
    const { credential } = await expectToken(credentials.issue('ada', 'human'));
    const { code } = credentials.signInCode(credential);
    const signingIn = credentials.redeem(code);
    for (let i = 0; i < pause; i++) await Promise.resolve();
    await Promise.all([signingIn, credentials.revoke(credential.id)]);
    expect([pause, await credentials.list()]).toEqual([pause, []]);
  }
});

test('[I25] a credential looked up during its revocation is not trusted a moment longer', async () => {
  for (let pause = 0; pause < 8; pause++) {
    const { log, credentials } = open();
    const { token, credential } = await expectToken(open(log).credentials.issue('alpha', 'agent'));
    const finding = credentials.find(token);
    for (let i = 0; i < pause; i++) await Promise.resolve();
    await credentials.revoke(credential.id);
    await finding;
    expect([pause, await credentials.find(token)]).toEqual([pause, undefined]);
  }
});

test('[I25] a revocation on one server applies on the others at once, by announcement', async () => {
  const listeners: LogListener[] = [];
  const shared: EventLog = {
    ...openMemoryLog(),
    async announce(text) {
      for (const listener of listeners) listener.onAnnouncement(text);
    },
    listen(listener) {
      listeners.push(listener);
      return () => {};
    },
  };
  const [one, two] = [open(shared).credentials, open(shared).credentials];
  const { token, credential } = await expectToken(one.issue('alpha', 'agent'));
  expect(await two.find(token)).toEqual(credential);
  const revocation = two.revocation(token, credential);
  await one.revoke(credential.id);
  expect(revocation.aborted).toBe(true);
  expect(await two.find(token)).toBeUndefined();
});

test('[C3] a sign-in code works once, for ten minutes, while its creator has a credential', async () => {
  const { credentials, time } = open();
  const { credential } = await expectToken(credentials.issue('ada', 'human'));
  const { code } = credentials.signInCode(credential);
  const session = await credentials.redeem(code);
  expect(session?.credential).toMatchObject({ participant: 'ada', kind: 'human', use: 'session' });
  expect(await credentials.redeem(code)).toBeUndefined();

  const late = credentials.signInCode(credential);
  expect(Date.parse(late.expires) - time.now).toBe(600_000);
  time.now += 600_000;
  expect(await credentials.redeem(late.code)).toBeUndefined();

  const orphan = credentials.signInCode(credential);
  await credentials.revoke(credential.id);
  expect(await credentials.redeem(orphan.code)).toBeUndefined();
  expect(await credentials.redeem('made up')).toBeUndefined();
});

test('[I17] a session ends after thirty days and leaves no row behind', async () => {
  const { log, credentials, time } = open();
  const { credential } = await expectToken(credentials.issue('ada', 'human'));
  const session = (await credentials.redeem(credentials.signInCode(credential).code)) as IssuedToken;
  time.now += 30 * 24 * 3600_000;
  const reopened = open(log, time).credentials;
  expect(await reopened.find(session.token)).toBeUndefined();
  expect((await reopened.list()).map(({ use }) => use)).toEqual(['token']);
  await reopened.issue('beta', 'agent');
  expect(await log.records('credential')).toHaveLength(2);
});
