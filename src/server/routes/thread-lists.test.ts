import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import type { Client } from '../../client/index.ts';

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await openTestServer();
  client = server.client();
});
afterAll(() => server.close());

async function beginThread(title: string) {
  return client.thread((await client.threads.create({ title })).thread.id);
}

async function listTitles(query: Parameters<Client['threads']['list']>[0] = {}) {
  return (await client.threads.list(query)).threads.map(({ title }) => title).sort();
}

async function searchTitles(query: Parameters<Client['search']>[0]) {
  return (await client.search(query)).hits.map(({ title }) => title);
}

test('[T32] an archived thread and its side channels are left out of lists and search until asked for', async () => {
  const garden = await beginThread('Garden');
  const attic = await beginThread('Attic');
  for (const thread of [garden, attic]) await thread.post({ type: 'message', content: 'A pelican!' });
  await attic.command('side_open', { question: 'Which pelican?', members: ['alpha'] });
  expect((await attic.command('archive', {})).thread).toMatchObject({ title: 'Attic', archived: true });

  expect(await listTitles()).toEqual(['Garden']);
  expect(await listTitles({ archived: 'only' })).toEqual(['Attic', 'Which pelican?']);
  expect(await listTitles({ archived: 'true' })).toEqual(['Attic', 'Garden', 'Which pelican?']);
  expect(await searchTitles({ q: 'pelican' })).toEqual(['Garden']);
  expect(new Set(await searchTitles({ q: 'pelican', archived: 'true' }))).toContain('Attic');
  expect(await searchTitles({ q: 'pelican', thread: attic.id })).toContain('Attic');

  expect((await attic.get()).thread.archived).toBe(true);
  await attic.post({ type: 'message', content: 'Back again.' });
  expect(await listTitles()).toEqual(['Attic', 'Garden', 'Which pelican?']);
});

test('[T32] a search goes on past the hits in archived threads', async () => {
  const [shown, hidden] = [await beginThread('Shown'), await beginThread('Hidden')];
  await shown.post({ type: 'message', content: 'One heron.' });
  for (let i = 0; i < 120; i++) await hidden.post({ type: 'message', content: `Heron ${i}` });
  await hidden.command('archive', {});
  expect(await searchTitles({ q: 'heron', limit: 5 })).toEqual(['Shown']);
});

test('[T32] only a person, or the agent that created it, can archive a thread', async () => {
  const garden = await beginThread('Ours');
  const agent = server.client(server.agent);
  await expect(agent.thread(garden.id).command('archive', {})).rejects.toMatchObject({
    code: 'forbidden',
    status: 403,
  });
  const own = (await agent.threads.create({ title: 'Its own' })).thread.id;
  expect((await agent.thread(own).command('archive', {})).events).toMatchObject([{ type: 'thread.archived' }]);
});

test.each([{ on: 'yes' }, { on: null }, { on: true, reason: 'x' }, []])('[T32] archive refuses %j', async (body) => {
  const { id } = await beginThread('Bad input');
  const response = await server.send('POST', `/api/threads/${id}/commands/archive`, { body });
  expect(response.status).toBe(400);
});

test('[T32] a list refuses a word for "archived" that it does not know', async () => {
  expect((await server.send('GET', '/api/threads?archived=maybe')).status).toBe(400);
});

test('[T33] tags stand in rows and select threads in lists and searches', async () => {
  const [soil, sand] = [await beginThread('Soil plans'), await beginThread('Sand plans')];
  await soil.command('tag', { add: ['Winter Garden', 'soil'] });
  await sand.command('tag', { add: ['sand'] });
  expect((await soil.get()).thread.tags).toEqual(['winter garden', 'soil']);
  expect(await listTitles({ tag: '#WINTER garden' })).toEqual(['Soil plans']);
  expect(await listTitles({ tag: 'nothing' })).toEqual([]);
  expect(await searchTitles({ q: 'plans', tag: 'sand' })).toEqual(['Sand plans']);
  expect(await searchTitles({ tag: 'sand' })).toEqual(['Sand plans']);
  await soil.command('archive', {});
  expect(await listTitles({ tag: 'soil' })).toEqual([]);
  expect(await listTitles({ tag: 'soil', archived: 'only' })).toEqual(['Soil plans']);
});

test.each([{ add: ['a,b'] }, { add: 'soil' }, { add: Array(17).fill('x') }, { tags: ['x'] }])(
  '[T33] tag refuses %j',
  async (body) => {
    const { id } = await beginThread('Bad tags');
    const response = await server.send('POST', `/api/threads/${id}/commands/tag`, { body });
    expect(response.status).toBe(400);
  },
);
