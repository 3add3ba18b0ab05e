import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../src/core/refusal.ts';
import type { Command } from '../src/core/workspace.ts';
import { readPassages } from '../web/export/passages.ts';
import { human } from './support/domain/given.ts';
import { exchangesOf, roundSteps } from './support/servers/exchange-samples.ts';
import { openTestServer, type TestServer } from './support/servers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

function workContext(onProgress = (_words: string, _share?: number) => {}, signal = new AbortController().signal) {
  return { signal, onProgress };
}

test('[I11] of an exchange every round and every entry is exported, however many there are, and it tells how far it is', async () => {
  const input = { title: 'Long', kind: 'exchange', invite: [], setup: { audit_every: 10_000 } };
  const made = await server.engine.handle(human, { name: 'create', input } as Command);
  const id = isRefusal(made) ? '' : (made.events[0]?.thread as string);
  const { send } = exchangesOf(server.engine);
  for (let i = 1; i <= 1003; i++) await send(id, 'inject', { text: `word ${i}` });
  await send(id, 'run', { rounds: 1000 });
  for (let i = 1; i <= 203; i++) for (const [name, more] of roundSteps(i, `thought ${i}`)) await send(id, name, more);
  await send(id, 'inject', { text: 'the last word' });
  const progress: unknown[] = [];
  const passages = await readPassages(
    server.client(),
    { id, kind: 'exchange' },
    workContext((...words) => progress.push(words)),
  );
  expect(passages.map(({ text }) => text.replace('- #', '').replace(/^\d+ mind_0: /, ''))).toEqual([
    ...Array.from({ length: 1003 }, (_, i) => `word ${i + 1}`),
    ...Array.from({ length: 203 }, (_, i) => `thought ${i + 1}`),
    'the last word',
  ]);
  expect(progress).toEqual([
    ['1,000 of 1,004 entries', 1000 / 1004],
    ['200 of 203 rounds', 200 / 203],
  ]);
});

test('[I11] of a conversation every message is exported, also where large ones make the pages short; it can be stopped', async () => {
  const { thread } = await server.client().threads.create({ title: 'Large' });
  const large = 'x'.repeat(900_000);
  for (let i = 1; i <= 24; i++)
    await server
      .client()
      .thread(thread.id)
      .post({ type: 'message', content: `${i}${large}` });
  const progress: string[] = [];
  const row = { id: thread.id, kind: 'conversation' as const };
  const passages = await readPassages(
    server.client(),
    row,
    workContext((words) => progress.push(words)),
  );
  expect(passages.map(({ text }) => text.replace(/x+/, 'x'))).toEqual(
    Array.from({ length: 24 }, (_, i) => `${i + 1}x`),
  );
  expect(progress).toContainEqual(expect.stringMatching(/^\d+ of 25 events$/));
  const stop = new AbortController();
  const stopped = readPassages(
    server.client(),
    row,
    workContext(() => stop.abort(), stop.signal),
  );
  await expect(stopped).rejects.toThrow('aborted');
});
