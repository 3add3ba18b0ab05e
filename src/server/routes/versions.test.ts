import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import { readExport } from '../../../test/support/stores/exports.ts';
import type { Client } from '../../client/index.ts';

let server: TestServer;
let client: Client;
beforeEach(async () => {
  server = await openTestServer();
  client = server.client();
});
afterEach(() => server.close());

async function beginThread(title = 'Garden') {
  return client.thread((await client.threads.create({ title, invite: [{ participant_id: 'alpha' }] })).thread.id);
}

test('[T35] I edit my message: readers get the newest text, and every version stays', async () => {
  const thread = await beginThread();
  const { event } = await thread.post({ type: 'message', content: 'Plant beens.' });
  await thread.edit(event.id, 'Plant beans.');
  const { events } = await thread.edit(event.id, 'Plant beans in May, @alpha.');
  expect(events).toMatchObject([{ type: 'message.versioned', content: { of: event.id }, meta: { by: 'human' } }]);
  const edited = { text: 'Plant beans in May, @alpha.', count: 2, event: events[0]?.id };
  expect((await thread.event(event.id)).event).toMatchObject({ content: 'Plant beens.', edited });
  const page = await thread.events({ limit: 100 });
  expect(page.events.find(({ id }) => id === event.id)).toMatchObject({ edited });
  expect((await thread.conversation()).events.find(({ id }) => id === event.id)).toMatchObject({ edited });
  const { versions } = await thread.versions(event.id);
  expect(versions.map(({ text }) => text)).toEqual(['Plant beens.', 'Plant beans.', 'Plant beans in May, @alpha.']);
});

test('[T35] an edit wakes nobody, also where it adds a mention, and does not reopen a thread', async () => {
  const thread = await beginThread();
  const { event } = await thread.post({ type: 'message', content: 'Noted.', to: 'ada' });
  await thread.post({ type: 'control', content: { done: true } });
  const before = (await thread.state()).state;
  const { events } = await thread.edit(event.id, 'Noted, @alpha and @ada.');
  const after = (await thread.state()).state;
  expect([after.wakes, after.wants, after.done]).toEqual([before.wakes, before.wants, true]);
  const { delivery } = await thread.delivery(events[0]?.id as string);
  expect(delivery.filter(({ decision }) => decision !== 'no')).toEqual([]);
});

test('[T35] [T22] nobody edits the message of another', async () => {
  const thread = await beginThread();
  const { event } = await thread.post({ type: 'message', content: 'Mine.' });
  const agent = server.client(server.agent).thread(thread.id);
  await expect(agent.edit(event.id, 'Theirs.')).rejects.toMatchObject({ code: 'forbidden', status: 403 });
  const other = server.client(await server.tokenFor('ben', 'human')).thread(thread.id);
  await expect(other.edit(event.id, 'Theirs.')).rejects.toMatchObject({ code: 'forbidden', status: 403 });
  const { event: said } = await agent.post({ type: 'message', content: 'Its own.' });
  await expect(thread.edit(said.id, 'Mine.')).rejects.toMatchObject({ code: 'forbidden' });
  expect((await agent.edit(said.id, 'Its own, again.')).events).toHaveLength(1);
});

test('[T35] [T19] an agent that drafts cannot edit what was posted for it', async () => {
  const thread = await beginThread();
  const agent = server.client(server.agent).thread(thread.id);
  const { event } = await agent.post({ type: 'message', content: 'Posted.' });
  const invite = { participant_id: 'alpha', profile: { posting: 'draft' as const } };
  await thread.post({ type: 'control', content: { invite } });
  await expect(agent.edit(event.id, 'Unseen.')).rejects.toMatchObject({ code: 'forbidden' });
});

test('[T35] only messages are edited, with a text, and up to fifty times', async () => {
  const thread = await beginThread();
  const { event: task } = await thread.post({ type: 'task', content: 'Weed.', to: 'alpha' });
  await expect(thread.edit(task.id, 'x')).rejects.toMatchObject({ code: 'malformed' });
  await expect(thread.edit('nowhere', 'x')).rejects.toMatchObject({ code: 'unknown_event' });
  const { event } = await thread.post({ type: 'message', content: 'One.' });
  await expect(thread.edit(event.id, '')).rejects.toMatchObject({ code: 'malformed' });
  await expect(thread.edit(event.id, 'a\u0000b')).rejects.toMatchObject({ code: 'unacceptable_text' });
  for (let i = 0; i < 50; i++) await thread.edit(event.id, `Text ${i}`);
  await expect(thread.edit(event.id, 'Too many.')).rejects.toMatchObject({ code: 'limit_reached' });
});

test('[T35] a search finds the newest text and none of the earlier ones', async () => {
  const thread = await beginThread();
  const { event } = await thread.post({ type: 'message', content: 'A pelican.' });
  await thread.edit(event.id, 'A heron.');
  await thread.edit(event.id, 'A crane.');
  const linksOf = async (q: string) => (await client.search({ q })).hits.map(({ link }) => link);
  expect(await linksOf('pelican')).toEqual([]);
  expect(await linksOf('heron')).toEqual([]);
  expect(await linksOf('crane')).toEqual([`/threads/${thread.id}#${event.id}`]);
});

test('[T35] explanations and texts that are brought elsewhere are the newest', async () => {
  const [thread, other] = [await beginThread(), await beginThread('Attic')];
  const { event } = await thread.post({ type: 'message', content: 'First.' });
  await thread.edit(event.id, 'Second.');
  const link = `/threads/${thread.id}#${event.id}`;
  const account = await client.explain(link);
  expect(account).toMatchObject({ text: 'Second.' });
  expect(JSON.stringify(account)).toContain('ada edited it; this is version 2.');
  await client.bring({ from: link, to: `/threads/${other.id}` });
  const brought = (await other.events({ limit: 100 })).events.at(-1);
  expect(JSON.stringify(brought?.content)).toContain('Second.');
});

test('[T35] a fork has the versions of its past and none of what came after', async () => {
  const thread = await beginThread();
  const { event } = await thread.post({ type: 'message', content: 'One.' });
  await thread.edit(event.id, 'Two.');
  const fork = client.thread((await thread.command('fork', {})).thread.id);
  await thread.edit(event.id, 'Three.');
  expect((await fork.event(event.id)).event.edited).toMatchObject({ text: 'Two.' });
  expect((await thread.event(event.id)).event.edited).toMatchObject({ text: 'Three.' });
});

test('[T35] [L25] an imported message is edited by nobody here, and its versions come along', async () => {
  const thread = await beginThread();
  const { event } = await thread.post({ type: 'message', content: 'One.' });
  await thread.edit(event.id, 'Two.');
  const there = await openTestServer();
  try {
    await there.client().import(await readExport(server.engine.log));
    const imported = there.client().thread(thread.id);
    expect((await imported.event(event.id)).event).toMatchObject({ imported: true, edited: { text: 'Two.' } });
    await expect(imported.edit(event.id, 'Three.')).rejects.toMatchObject({ code: 'forbidden' });
  } finally {
    await there.close();
  }
});
