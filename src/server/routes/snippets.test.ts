import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/support/servers/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer();
});
afterEach(() => server.close());

test('[I31] the newest text of each thread in brief, whatever came after it', async () => {
  const client = server.client();
  const { thread: said } = await client.threads.create({ title: 'Said' });
  await client.thread(said.id).post({ type: 'message', content: `Beans\n\nand peas ${'x'.repeat(500)}` });
  await client.thread(said.id).post({ type: 'control', content: { pause: { on: true } } });
  const { thread: asked } = await client.threads.create({ title: 'Asked', kind: 'dialogue' });
  await client.thread(asked.id).command('message', { text: 'Why salt?' });
  const { thread: empty } = await client.threads.create({ title: 'Empty' });
  const { snippets } = await client.snippets([said.id, asked.id, empty.id, 'nowhere', 'not an id', said.id]);
  expect(Object.keys(snippets).sort()).toEqual([said.id, asked.id].sort());
  expect(snippets[said.id]).toMatchObject({ text: expect.stringMatching(/^Beans and peas x+…$/) });
  expect(snippets[said.id]?.text.length).toBeLessThanOrEqual(160);
  expect(snippets[asked.id]?.text).toBe('Why salt?');
});

test('[I31] rows of threads tell who is there and what waits, in brief', async () => {
  const client = server.client();
  const { thread } = await client.threads.create({ title: 'Garden' });
  const profile = { kind: 'agent', posting: 'draft' } as const;
  const remote = client.thread(thread.id);
  await remote.post({ type: 'control', content: { invite: { participant_id: 'alpha', profile } } });
  const { token } = await client.credentials.issue({ participant: 'alpha' });
  await server.client(token).thread(thread.id).post({ type: 'message', content: 'I would\nsay no.' });
  const row = (await remote.get()).thread;
  expect(row.people).toContain('alpha');
  expect(row.wants?.drafts).toMatchObject({ count: 1, index: 1, by: 'alpha', text: 'I would say no.' });
});
