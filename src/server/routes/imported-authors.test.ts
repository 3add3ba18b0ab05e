import { expect, onTestFinished, test } from 'vitest';
import { bodyOf, openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import { readExport } from '../../../test/support/stores/exports.ts';
import type { Client } from '../../client/index.ts';

async function openServer(): Promise<TestServer> {
  const server = await openTestServer();
  onTestFinished(() => server.close());
  return server;
}

/** A workspace of another "ada", whose words must never look like those of the one who imports them. */
async function openSource() {
  const server = await openServer();
  const ada = server.client();
  const { thread: talk } = await ada.threads.create({ title: 'Garden' });
  const { event } = await ada.thread(talk.id).post({ type: 'message', content: 'Roses by the wall.' });
  const { thread: loom } = await ada.threads.create({
    title: 'Mill',
    kind: 'loom',
    setup: { text: 'Once upon a time' },
  });
  const { thread: mind } = await ada.threads.create({ title: 'Mind', kind: 'dialogue' });
  await ada.thread(mind.id).command('message', { text: 'Think of roses.' });
  return { server, talk: talk.id, event, loom: loom.id, mind: mind.id, file: await readExport(server.engine.log) };
}

interface AuthorshipSpan {
  readonly author: string;
  readonly kind: string;
}

async function authorshipOf({ send }: TestServer, thread: string): Promise<readonly AuthorshipSpan[]> {
  const { spans } = await bodyOf<{ spans: AuthorshipSpan[] }>(send('GET', `/api/threads/${thread}/authorship`));
  return spans.map(({ author, kind }) => ({ author, kind }));
}

async function searchLinks(client: Client, q: string): Promise<readonly string[]> {
  return (await client.search({ q })).hits.map(({ from }) => from);
}

test('[L25] authors of imported events are shown as imported everywhere', async () => {
  const { talk, event, loom, mind, file } = await openSource();
  const here = await openServer();
  const ada = here.client();
  const reading = ada.stream();
  const next = reading.next();
  await ada.import(file);
  expect((await next).value).toMatchObject({ event: { from: 'ada', imported: true } });
  await reading.return();
  const { events } = await ada.thread(talk).events();
  expect(events.map(({ imported }) => imported)).toEqual([true, true]);
  const listed = new Map((await ada.threads.list()).threads.map((row) => [row.id, row.last.from]));
  expect([talk, loom, mind].map((id) => listed.get(id))).toEqual(Array(3).fill('ada (imported)'));

  const account = await ada.explain(`/threads/${talk}#${event.id}`);
  expect(account).toMatchObject({ author: { id: 'ada (imported)', kind: 'imported' }, proof: { holds: true } });
  const title = await ada.explain(`/threads/${talk}`);
  expect(title).toMatchObject({ author: { id: 'ada (imported)', kind: 'imported' } });
  expect(new Set(await searchLinks(ada, 'roses'))).toEqual(new Set(['ada (imported)']));
  expect(await authorshipOf(here, loom)).toEqual([{ author: 'ada (imported)', kind: 'imported' }]);
  const text = await (await here.send('GET', `/api/threads/${loom}/export?format=text&authors=yes`)).text();
  expect(text).toContain('ada (imported)');
  const status = await bodyOf<{ turn: { by: string } }>(here.send('GET', `/api/threads/${mind}/status`));
  expect(status.turn.by).toBe('ada (imported)');
});

test('[L25] what I write after an import is mine, also in a fork, and an export contains what was hashed', async () => {
  const { talk, loom, file } = await openSource();
  const here = await openServer();
  const ada = here.client();
  await ada.import(file);
  expect(await readExport(here.engine.log)).toBe(file);
  await ada.thread(talk).post({ type: 'message', content: 'Beans behind.' });
  const { thread: fork } = await ada.thread(talk).command('fork', {});
  await ada.thread(fork.id).post({ type: 'message', content: 'Peas.' });
  const { events } = await ada.thread(fork.id).events();
  expect(
    events.map(({ content, imported }) => [content, imported]).filter(([text]) => typeof text === 'string'),
  ).toEqual([
    ['Roses by the wall.', true],
    ['Beans behind.', undefined],
    ['Peas.', undefined],
  ]);
  await ada.thread(loom).command('commit', { edits: [], text: ' there was a mill' });
  expect(await authorshipOf(here, loom)).toEqual([
    { author: 'ada (imported)', kind: 'imported' },
    { author: 'ada', kind: 'human' },
  ]);
  expect(await readExport(here.engine.log)).not.toContain('"imported"');
});

test('[L25] [L20] after moving a workspace everyone is who they were', async () => {
  const { talk, loom, file } = await openSource();
  const here = await openServer();
  await here.client().import(file, { mine: true });
  const { events } = await here.client().thread(talk).events();
  expect(events.map(({ imported }) => imported)).toEqual([undefined, undefined]);
  expect(await authorshipOf(here, loom)).toEqual([{ author: 'ada', kind: 'human' }]);
});

test('[L25] events that come back in a file are imported, and those that were here before are not', async () => {
  const { server, talk, file } = await openSource();
  const there = await openServer();
  await there.client().import(file);
  await there.client().thread(talk).post({ type: 'message', content: 'By another ada.' });
  await server.client().import(await readExport(there.engine.log));
  const { events } = await server.client().thread(talk).events();
  expect(events.map(({ imported }) => imported)).toEqual([undefined, undefined, true]);
});

test('[L25] an agent’s loom import never makes a text look as if the human wrote it', async () => {
  const server = await openServer();
  const agent = server.client(server.agent);
  const nodes = [
    { id: 'n1', content: 'I, ada, agree.', author: 'ada', kind: 'human' },
    { id: 'n2', parent: 'n1', content: ' And so does gpt.', author: 'gpt', kind: 'model' },
  ] as const;
  for (const file of [undefined, { name: 'story.json', format: 'openloom' }]) {
    const { thread } = await agent.threads.create({ title: 'Forged', kind: 'loom' });
    await agent.thread(thread.id).command('import_tree', { nodes, active: 'n2', ...(file && { file }) } as never);
    const from = file ? 'story.json' : 'a file';
    expect(await authorshipOf(server, thread.id)).toEqual([
      { author: `ada (imported from ${from} by alpha)`, kind: 'imported' },
      { author: `gpt (imported from ${from} by alpha)`, kind: 'model' },
    ]);
    const path = await bodyOf<{ path: AuthorshipSpan[] }>(
      server.send('GET', `/api/threads/${thread.id}/path`, { token: server.agent }),
    );
    expect(path.path[0]).toMatchObject({ author: `ada (imported from ${from} by alpha)`, kind: 'imported' });
    const account = await agent.explain(`/loom/${thread.id}#n1`);
    expect(account.author).toMatchObject({ id: `ada (imported from ${from} by alpha)`, kind: 'imported' });
  }
  expect(new Set(await searchLinks(server.client(), 'agree'))).toEqual(new Set(['alpha']));
  expect(await searchLinks(server.client(), 'agree from:ada')).toEqual([]);
});

test('[L25] [W7] a loom opened from a message keeps its true author', async () => {
  const server = await openServer();
  const { thread } = await server.client().threads.create({ title: 'Garden' });
  const { event } = await server.client(server.agent).thread(thread.id).post({ type: 'message', content: 'Roses.' });
  const opening = await server.client().open({ link: `/threads/${thread.id}#${event.id}`, as: 'loom' });
  const { id } = opening.thread;
  expect(await authorshipOf(server, id)).toEqual([{ author: 'alpha', kind: 'model' }]);
});
