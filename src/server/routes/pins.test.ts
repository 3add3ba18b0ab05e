import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import type { Client, StreamItem } from '../../client/index.ts';

let server: TestServer;
let client: Client;
beforeEach(async () => {
  server = await openTestServer();
  client = server.client();
});
afterEach(() => server.close());

async function beginThreads(...titles: string[]): Promise<string[]> {
  return Promise.all(titles.map(async (title) => (await client.threads.create({ title })).thread.id));
}

test('[T34] I pin threads in my own order, and nobody else sees it', async () => {
  const [a, b, c] = (await beginThreads('A', 'B', 'C')) as [string, string, string];
  const { head } = await client.events({ after: 'head' });
  for (const thread of [a, b, a]) await client.pins.set({ thread });
  expect((await client.pins.list()).pins).toEqual([a, b]);
  expect((await client.pins.set({ thread: c, before: a })).pins).toEqual([c, a, b]);
  expect((await client.pins.set({ thread: b, before: c })).pins).toEqual([b, c, a]);
  expect((await client.pins.set({ thread: c, on: false })).pins).toEqual([b, a]);
  const other = server.client(await server.tokenFor('ben', 'human'));
  expect((await other.pins.list()).pins).toEqual([]);
  expect((await client.events({ after: head })).events).toEqual([]);
});

test('[T34] a pin reaches my other browsers at once, and only mine', async () => {
  const [thread] = (await beginThreads('A')) as [string];
  const stop = new AbortController();
  const tokens = { ada: server.human, ben: await server.tokenFor('ben', 'human') };
  const seen: Record<keyof typeof tokens, StreamItem[]> = { ada: [], ben: [] };
  const reads = (['ada', 'ben'] as const).map(async (name) => {
    const stream = server.client(tokens[name]).stream({ after: 'head', signal: stop.signal });
    for await (const item of stream) seen[name].push(item);
  });
  const bothSaw = (type: string) =>
    Object.values(seen).every((items) => items.some(({ event, live }) => (event ?? live)?.type === type));
  // A stream that brings live items has caught up.
  await expect
    .poll(async () => {
      await client.thread(thread).declare('typing');
      return bothSaw('presence.updated');
    })
    .toBe(true);
  await client.pins.set({ thread });
  await client.thread(thread).post({ type: 'message', content: 'What comes after the pin.' });
  await expect.poll(() => bothSaw('message')).toBe(true);
  stop.abort();
  await Promise.all(reads);
  const pinsOf = (items: readonly StreamItem[]) => items.filter(({ live }) => live?.type === 'pins.updated');
  expect(pinsOf(seen.ada)).toMatchObject([{ live: { thread, content: { threads: [thread] } } }]);
  expect(pinsOf(seen.ben)).toEqual([]);
});

test('[T34] pins sent at the same time are all kept, up to a hundred', async () => {
  const ids = await beginThreads(...Array.from({ length: 101 }, (_, i) => `T${i}`));
  await Promise.all(ids.slice(0, 100).map((thread) => client.pins.set({ thread })));
  expect((await client.pins.list()).pins).toHaveLength(100);
  await expect(client.pins.set({ thread: ids[100] as string })).rejects.toMatchObject({ code: 'limit_reached' });
});

test('[T34] an unknown thread is not pinned, and an agent has no pins', async () => {
  for (const thread of ['nowhere', '../x', '__proto__'])
    await expect(client.pins.set({ thread })).rejects.toMatchObject({ code: 'unknown_thread' });
  await expect(server.client(server.agent).pins.list()).rejects.toMatchObject({ code: 'forbidden' });
});
