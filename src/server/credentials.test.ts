import { expect, test } from 'vitest';
import { isRefusal } from '../core/refusal.ts';
import type { EventLog, Listener } from '../log/event-log.ts';
import { openMemoryLog } from '../log/memory.ts';
import { sha256 } from '../log/seal.ts';
import { createCredentials, type Issued } from './credentials.ts';

let ids = 0;
const clockAt = (time: { now: number }) => ({
  now: () => new Date(time.now).toISOString(),
  newId: () => `c${String(++ids).padStart(4, '0')}`,
});

function open(log: EventLog = openMemoryLog(), time = { now: Date.UTC(2026, 0, 1) }) {
  return { log, time, credentials: createCredentials({ log, clock: clockAt(time) }) };
}

async function issued(promise: Promise<unknown>): Promise<Issued> {
  return (await promise) as Issued;
}

test('[C3] a token acts as its participant until it is revoked', async () => {
  const { credentials } = open();
  const { token, credential } = await issued(credentials.issue('ada', 'human'));
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
  const { token } = await issued(credentials.issue('ada', 'human'));
  const rows = await log.records('credential');
  expect(rows.map(({ key }) => key)).toEqual([sha256(token)]);
  expect(JSON.stringify(rows)).not.toContain(token.slice(4, 20));
});

test('[T6] a participant is of one kind for good', async () => {
  const { credentials } = open();
  await credentials.issue('alpha', 'agent');
  const refusal = await credentials.issue('alpha', 'human');
  expect(isRefusal(refusal) && refusal.refusal).toMatchObject({ code: 'conflict', participant: 'alpha' });
  expect((await issued(credentials.issue('alpha'))).credential.kind).toBe('agent');
  expect((await issued(credentials.issue('beta'))).credential.kind).toBe('agent');
  expect((await issued(credentials.issue('gamma', 'automation'))).credential.kind).toBe('automation');
});

test('[I17] a revocation by one server holds on the others at once, by announcement', async () => {
  const listeners: Listener[] = [];
  const shared: EventLog = {
    ...openMemoryLog(),
    async announce(text) {
      for (const listener of listeners) listener.announced(text);
    },
    listen(listener) {
      listeners.push(listener);
      return () => {};
    },
  };
  const [one, two] = [open(shared).credentials, open(shared).credentials];
  const { token, credential } = await issued(one.issue('alpha', 'agent'));
  expect(await two.find(token)).toEqual(credential);
  let told = 0;
  two.onChange(() => told++);
  await one.revoke(credential.id);
  expect(await two.find(token)).toBeUndefined();
  expect(told).toBe(1);
});

test('[C3] a sign-in code works once, for ten minutes, and only while whoever made it has a credential', async () => {
  const { credentials, time } = open();
  const { credential } = await issued(credentials.issue('ada', 'human'));
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
  const { credential } = await issued(credentials.issue('ada', 'human'));
  const session = (await credentials.redeem(credentials.signInCode(credential).code)) as Issued;
  time.now += 30 * 24 * 3600_000;
  const reopened = open(log, time).credentials;
  expect(await reopened.find(session.token)).toBeUndefined();
  expect((await reopened.list()).map(({ use }) => use)).toEqual(['token']);
  await reopened.issue('beta', 'agent');
  expect(await log.records('credential')).toHaveLength(2);
});
