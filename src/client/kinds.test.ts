import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../test/support/servers/server.ts';
import { HeddleRefusal, type NewThreadBody } from './index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const begin = async (kind: NonNullable<NewThreadBody['kind']>, setup: NewThreadBody['setup'] = {}) => {
  const { thread } = await server.client().threads.create({ title: `A ${kind}`, kind, setup });
  return server.client().thread(thread.id);
};

test('[I1] a dialogue: its commands and every view of it, each with the head it was read at', async () => {
  const { dialogue, ...thread } = await begin('dialogue');
  await dialogue.command('message', { text: 'Hello' });
  const { head } = await thread.get();
  expect(await dialogue.status()).toMatchObject({ state: 'awaiting', turn: { message: 'Hello' }, head });
  expect(await dialogue.drafts({ limit: 5 })).toEqual({ turn: 1, drafts: [], total: 0, head });
  expect(await dialogue.history()).toEqual({ turns: [], head });
  expect(await dialogue.iterations({ limit: undefined })).toEqual({ iterations: [], head });
  expect(await dialogue.away()).toMatchObject({ turn: 1, unseen: 0, head });
  expect(await dialogue.clusters()).toMatchObject({ clusters: [], head });
  expect(await dialogue.map({ latest: 10 })).toEqual({ points: [], head });
  expect(await dialogue.config()).toMatchObject({ config: { model: null }, head });
  expect(await (await dialogue.archive()).text()).toBe('');
  for (const missing of [dialogue.iteration(1), dialogue.provenance({ turn: 7 })])
    await expect(missing).rejects.toThrow(HeddleRefusal);
});

test('[I1] an exchange: its commands and every view of it', async () => {
  const { exchange, ...thread } = await begin('exchange', { question: 'Why?' });
  await exchange.command('inject', { text: 'Because.' });
  const { head } = await thread.get();
  expect(await exchange.status()).toMatchObject({ round: 0, question: 'Why?', head });
  expect(await exchange.rounds({ limit: 1 })).toEqual({ rounds: [], head });
  expect(await exchange.audits()).toEqual({ audits: [], head });
  expect((await exchange.entries({ types: ['injection', 'policy'] })).entries).toMatchObject([{ type: 'injection' }]);
  expect((await exchange.entries({ types: ['policy'] })).entries).toEqual([]);
  expect(await exchange.terms()).toMatchObject({ now: { version: 1 }, head });
  expect((await exchange.powers()).roles.map(({ role }) => role)).toEqual(['observer', 'auditor', 'pool']);
  expect(await exchange.drift({ latest: 5 })).toEqual({ rounds: [], head });
  expect((await exchange.branches()).branches).toMatchObject([{ thread: thread.id, rounds: 0 }]);
  expect(await exchange.compare(thread.id)).toMatchObject({ rounds: [] });
  expect(await exchange.clusters()).toMatchObject({ clusters: [], head });
});

test('[I1] a loom: its commands and its views; a command of another kind does not compile, and is refused', async () => {
  const { loom } = await begin('loom', { text: 'Once' });
  await loom.command('commit', { text: ' upon a time' });
  const { text, tip } = await loom.path();
  expect(text).toBe('Once upon a time');
  expect(await loom.node(tip)).toMatchObject({ content: ' upon a time', on_path: true });
  expect((await loom.search({ words: 'upon' })).found).toMatchObject([{ node: tip }]);
  expect(await (await loom.export({ format: 'text' })).text()).toContain('Once upon a time');
  // @ts-expect-error a loom has no turns
  await expect(loom.command('accept', {})).rejects.toMatchObject({ code: 'wrong_kind' });
});
