import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askStep, dialoguesOf, draftStep } from '../../../test/support/servers/dialogue-samples.ts';
import { auditStep, exchangesOf, roundSteps, twoRounds } from '../../../test/support/servers/exchange-samples.ts';
import { openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import type { Client } from '../../client/index.ts';
import { parseLink } from '../../core/link.ts';
import { searchRoutes } from '../../protocol/search.ts';

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await openTestServer();
  client = server.client();
});
afterAll(() => server.close());

/** What was found, as "kind from link", the link without its thread. */
async function searchLinks(q: string, more: Parameters<Client['search']>[0] = {}): Promise<string[]> {
  const answer = await client.search({ q, ...more });
  expect(searchRoutes['GET /api/search'].response.parse(answer)).toEqual(answer);
  for (const { link } of answer.hits) expect(parseLink(link)).toBeDefined();
  return answer.hits.map(({ kind, from, link, thread }) => `${kind} ${from} ${link.replace(`/${thread}`, '')}`);
}

describe('a hit links to its exact place', () => {
  test('[I30] in a conversation I find titles, messages, tasks, drafts, questions and summaries', async () => {
    const { thread } = await client.threads.create({
      title: 'Zebra crossing',
      invite: [{ participant_id: 'alpha' }],
    });
    const here = client.thread(thread.id);
    const postHere = async (type: 'message' | 'task', content: string) =>
      (await here.post({ type, content, to: 'alpha' })).event.id;
    const message = await postHere('message', 'A zebra, at last.');
    const task = await postHere('task', 'Count every zebra');
    const alpha = server.client(server.agent).thread(thread.id);
    const { events: drafts } = await alpha.command('draft', { text: 'Zebra, zebra.' });
    const { events } = await here.command('side_open', { question: 'Is a zebra white?', members: ['alpha'] });
    const side = events.find(({ type }) => type === 'thread.created')?.thread as string;
    await client.thread(side).command('side_close', { summary: 'A zebra is black.' });
    const all = (await here.events({ limit: 100 })).events;
    const idOf = (type: string) => all.find((event) => event.type === type)?.id;
    const hits = await searchLinks('zebra', { limit: 100 });
    expect(hits[0]).toBe(`title ada /threads`);
    expect(hits).toEqual(
      expect.arrayContaining([
        `message ada /threads#${message}`,
        `task ada /threads#${task}`,
        `draft alpha /threads#${drafts[0]?.id}`,
        `question ada /threads#${idOf('side.opened')}`,
        `summary ada /threads#${idOf('side.returned')}`,
      ]),
    );
    await here.post({ type: 'control', content: { rename: { title: 'Okapi' } } });
    const [renamed] = (await client.search({ q: 'okapi' })).hits;
    expect(renamed).toMatchObject({ kind: 'title', title: 'Okapi', link: `/threads/${thread.id}` });
    const [before] = (await client.search({ q: '"zebra crossing"' })).hits;
    expect(before).toMatchObject({ title: 'Okapi', parts: [{ text: 'Zebra crossing', hit: true }] });
  });

  test('[I30] in a dialogue I find messages, drafts, thoughts by number and edits made on accepting', async () => {
    const dialogues = dialoguesOf(server.engine);
    const thread = await dialogues.make(
      askStep,
      draftStep(1, 'a walrus of static', 'one', 'perhaps a walrus'),
      draftStep(2, null, 'walrus again'),
      draftStep(3, 'another walrus', 'none'),
      ['steer', { text: 'more walrus' }],
      ['accept', { draft: 2, text: 'the walrus, edited' }],
    );
    const hits = await searchLinks('walrus');
    expect(hits.toSorted()).toEqual(
      [
        'draft mind /dialogue#1.1',
        'draft mind /dialogue#1.2',
        'message ana /dialogue#1',
        'note ana /dialogue#1',
        'thought mind /dialogue#thought.2',
        'thought mind /dialogue#thought.3',
      ].map((hit) => expect.stringMatching(new RegExp(`^${hit.replace('mind', String.raw`\S+`)}$`))),
    );
    expect(await searchLinks('noisy', { thread })).toEqual(['message ana /dialogue#1']);
    const { event } = await client.thread(thread).post({ type: 'message', content: 'A walrus was here.' });
    expect(await searchLinks('"walrus was here"')).toEqual([`message ada /threads#${event.id}`]);
  });

  test('[I30] in an exchange I find thoughts, audits, the observer’s words and the terms', async () => {
    const thread = await exchangesOf(server.engine).make(
      ['amend', { set: { mind_prompt: 'Think of a narwhal.' }, reason: 'More narwhal.' }],
      ['inject', { text: 'A narwhal before any round' }],
      ...twoRounds,
      auditStep(1, 'No narwhal [#1].'),
      ['observe', { text: 'Where is the narwhal?' }],
      ...roundSteps(3, 'a narwhal after all'),
      ['veto', { thought: 3, reason: 'narwhal spam' }],
      ['halt', { reason: 'Enough narwhal.' }],
    );
    expect((await searchLinks('narwhal', { thread })).toSorted()).toEqual([
      'audit auditor /exchange#audit.1',
      'note ana /exchange',
      'note ana /exchange#terms.2',
      'note ana /exchange#thought.3',
      'observer ana /exchange',
      expect.stringMatching(/^observer ana \/exchange#(audit\.1|round\.2)$/),
      'terms ana /exchange#terms.2',
      'thought mind_0 /exchange#thought.3',
    ]);
  });

  test('[I30] in a loom I find every node, edited or not, and its notes', async () => {
    const { thread } = await client.threads.create({ title: 'Tale', kind: 'loom', setup: { text: 'A quagga ran.' } });
    const loom = client.thread(thread.id);
    const { tip } = await loom.loom.path();
    await loom.command('commit', { edits: [{ node: tip, text: 'The quagga ran.' }] });
    const { tip: edited } = await loom.loom.path();
    await loom.command('mark', { node: edited, bookmark: 'first quagga', tags: ['animal'] });
    await loom.command('import_tree', {
      nodes: [{ id: 'far', content: 'quagga', kind: 'model', author: 'some-model' }],
    });
    expect((await searchLinks('quagga')).toSorted()).toEqual(
      [
        `node ada /loom#${tip}`,
        `node ada /loom#${edited}`,
        `note ada /loom#${edited}`,
        'node some-model /loom#far',
      ].toSorted(),
    );
    expect(await searchLinks('animal')).toEqual([`note ada /loom#${edited}`]);
  });
});

describe('filters', () => {
  test('[I30] I can filter by kind, author, time and thread, alone or together', async () => {
    const { thread } = await client.threads.create({ title: 'Ibis', invite: [{ participant_id: 'alpha' }] });
    const here = client.thread(thread.id);
    await here.post({ type: 'message', content: 'ibis one' });
    await server.client(server.agent).thread(thread.id).post({ type: 'message', content: 'ibis two' });
    await here.post({ type: 'task', content: 'ibis three', to: 'alpha' });
    const texts = async (more: Parameters<Client['search']>[0]) => {
      const { hits } = await client.search({ q: 'ibis', ...more });
      return hits.map(({ parts }) => parts.map(({ text }) => text).join('')).toSorted();
    };
    expect(await texts({})).toEqual(['Ibis', 'ibis one', 'ibis three', 'ibis two']);
    expect(await texts({ kind: 'message' })).toEqual(['ibis one', 'ibis two']);
    expect(await texts({ kind: 'task,title' })).toEqual(['Ibis', 'ibis three']);
    expect(await texts({ from: 'alpha' })).toEqual(['ibis two']);
    expect(await texts({ from: 'ada', kind: 'message', thread: thread.id })).toEqual(['ibis one']);
    expect(await texts({ from: 'Alpha' })).toEqual([]);
    expect(await texts({ after: '2000-01-01' })).toHaveLength(4);
    expect(await texts({ before: '2000-01-01' })).toEqual([]);
    expect(await texts({ q: '', from: 'alpha', thread: thread.id })).toEqual(['ibis two']);
    expect(await texts({ q: '-one', thread: thread.id, kind: 'message' })).toEqual(['ibis two']);
    const at = (await here.events({})).events.find(({ content }) => content === 'ibis one')?.ts as string;
    expect(
      await texts({ q: '', after: at, before: new Date(Date.parse(at) + 1).toISOString(), kind: 'message' }),
    ).toContain('ibis one');
  });

  test('[L13] a fork is searched with what it inherited, and nothing that its parent got later', async () => {
    const { thread } = await client.threads.create({ title: 'Forked' });
    const here = client.thread(thread.id);
    const { event } = await here.post({ type: 'message', content: 'heron before' });
    await here.post({ type: 'message', content: 'heron between' });
    const { events } = await here.command('fork', { seq: 3 });
    const fork = events.find(({ type }) => type === 'thread.created')?.thread as string;
    await here.post({ type: 'message', content: 'heron after' });
    await client.thread(fork).post({ type: 'message', content: 'heron in the fork' });
    const { hits } = await client.search({ q: 'heron', thread: fork });
    expect(hits.map(({ parts }) => parts.map(({ text }) => text).join(''))).not.toContain('heron after');
    expect(hits.map(({ link }) => link)).toContain(`/threads/${fork}#${event.id}`);
    expect(hits.every((hit) => hit.thread === fork)).toBe(true);
  });

  test.each([
    ['no word', { q: '…' }, 'malformed', /no word/],
    ['only what only excludes words', { q: '-a' }, 'malformed', /only excludes words/],
    ['a kind there is not', { q: 'a', kind: 'message,poem' }, 'malformed', /no kind "poem"\. The kinds are title/],
    ['a time that is none', { q: 'a', after: 'yesterday' }, 'malformed', /"yesterday", which is not a date/],
    ['a thread there is not', { q: 'a', thread: 'nobody' }, 'unknown_thread', /no thread nobody/],
    ['a cursor that is none', { q: 'a', cursor: 'w1.3' }, 'wrong_cursor', /not a search cursor/],
    ['too many', { q: 'a', limit: 1000 }, 'malformed', /limit/],
    ['a query without end', { q: 'x'.repeat(501) }, 'malformed', /q/],
  ])('[I30] %s is refused with a message', async (_, query, code, message) => {
    await expect(client.search(query)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('[I17] nobody without a credential can search', async () => {
    expect((await server.send('GET', '/api/search?q=a', { token: '' })).status).toBe(401);
  });
});

describe('order and pages', () => {
  test('[I30] pages continue without a gap or a repeat while more is written, and older hits come later', async () => {
    const { thread } = await client.threads.create({ title: 'Flamingos' });
    const here = client.thread(thread.id);
    for (let i = 0; i < 450; i += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, k) => here.post({ type: 'message', content: `flamingo number ${i + k}` })),
      );
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await client.search({ q: 'flamingo', limit: 70, ...(cursor && { cursor }) });
      seen.push(...answer.hits.map(({ link }) => link));
      expect(answer.more).toBe(answer.cursor !== undefined);
      await here.post({ type: 'message', content: 'a flamingo that came meanwhile' });
      cursor = answer.cursor;
    } while (cursor);
    expect(seen).toHaveLength(450);
    expect(new Set(seen).size).toBe(450);
  });

  test('[I30] a title ranks above messages of the thread', async () => {
    const { thread } = await client.threads.create({ title: 'Pelican' });
    const here = client.thread(thread.id);
    for (let i = 0; i < 300; i += 50) {
      await Promise.all(
        Array.from({ length: 50 }, () => here.post({ type: 'message', content: 'pelican pelican pelican' })),
      );
    }
    const { hits } = await client.search({ q: 'pelican' });
    expect(hits[0]).toMatchObject({ kind: 'title', thread: thread.id });
    expect(hits.filter(({ kind }) => kind === 'title')).toHaveLength(1);
  });
});
