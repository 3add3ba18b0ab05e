import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import type { Client, WireEvent } from '../../client/index.ts';

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await openTestServer();
  client = server.client();
});
afterAll(() => server.close());

async function threadWith(messages: number) {
  const { thread } = await client.threads.create({ title: `With ${messages}` });
  const threadClient = client.thread(thread.id);
  for (let i = 1; i <= messages; i++) await threadClient.post({ type: 'message', content: `${i}` });
  return threadClient;
}

const seqs = (events: readonly WireEvent[]) => events.map((event) => event.seq);

describe('[C4] reading a thread', () => {
  test('a thread is read from its beginning page by page until the cursor is the head', async () => {
    const thread = await threadWith(40);
    const seen: number[] = [];
    let page = await thread.events({ limit: 7 });
    for (;;) {
      seen.push(...seqs(page.events));
      if (page.cursor === page.head) break;
      page = await thread.events({ limit: 7, after: page.cursor });
    }
    expect(seen).toEqual(Array.from({ length: 41 }, (_, i) => i + 1));
  });

  test('a thread is read backwards, newest first, without repeats', async () => {
    const thread = await threadWith(40);
    const seen: number[] = [];
    let page = await thread.events({ limit: 9, before: 'head' });
    expect(seqs(page.events)).toEqual([33, 34, 35, 36, 37, 38, 39, 40, 41]);
    for (;;) {
      seen.unshift(...seqs(page.events));
      if (page.events.length === 0) break;
      page = await thread.events({ limit: 9, before: page.cursor });
    }
    expect(seen).toEqual(Array.from({ length: 41 }, (_, i) => i + 1));
    expect(seqs((await thread.events({ after: page.cursor, limit: 2 })).events)).toEqual([1, 2]);
  });

  test('[L12] the head tells "nothing new" from "nothing read"', async () => {
    const thread = await threadWith(2);
    const all = await thread.events();
    expect(all.cursor).toBe(all.head);
    expect(await thread.events({ after: all.cursor })).toEqual({ events: [], cursor: all.head, head: all.head });
    expect((await thread.events({ after: 'head' })).events).toEqual([]);
    const first = await thread.events({ limit: 1 });
    expect(first.cursor).not.toBe(first.head);
    for (const answer of [await thread.get(), await thread.state(), await thread.presence()])
      expect(answer.head).toBe(all.head);
    expect((await client.threads.list()).head).toBe((await client.events({ after: 'head' })).head);
  });

  test('[L5] an event is sent as the text that was hashed', async () => {
    const thread = await threadWith(1);
    const [stored] = await server.engine.log.readThread(thread.id, 1, 1);
    const text = await (await server.send('GET', `/api/threads/${thread.id}/events?after=t1.1`)).text();
    expect(text).toContain(`${stored?.body.slice(0, -1)},"hash":"${stored?.hash}"}`);
  });

  test('[L13] a fork is read with what it inherited', async () => {
    const thread = await threadWith(3);
    const { thread: fork } = await thread.command('fork', { seq: 2 });
    expect(fork.forked_from).toEqual({ thread: thread.id, seq: 2 });
    const { events } = await client.thread(fork.id).events();
    expect(events.map(({ type }) => type)).toEqual(['thread.created', 'message', 'thread.created']);
    expect(seqs(events)).toEqual([1, 2, 3]);
    const inherited = events[1] as WireEvent;
    expect((await client.thread(fork.id).event(inherited.id)).event).toEqual(inherited);
    const later = (await thread.events({ after: 't1.2' })).events[0] as WireEvent;
    await expect(client.thread(fork.id).event(later.id)).rejects.toMatchObject({ code: 'unknown_event' });
  });

  test('[L15] a page of large events ends early and can be continued', async () => {
    const thread = await threadWith(0);
    for (let i = 0; i < 20; i++) await thread.post({ type: 'message', content: 'x'.repeat(900_000) });
    const page = await thread.events({ limit: 1000 });
    expect(page.events.length).toBeLessThan(20);
    const read = [...page.events];
    for (let { cursor } = page; read.length < 21; ) {
      const next = await thread.events({ limit: 1000, after: cursor });
      expect(next.events.length).toBeGreaterThan(0);
      read.push(...next.events);
      cursor = next.cursor;
    }
    expect(seqs(read)).toEqual(Array.from({ length: 21 }, (_, i) => i + 1));
    const back = await thread.events({ limit: 1000, before: 'head' });
    expect(back.events.at(-1)?.seq).toBe(21);
    expect(back.events.length).toBeLessThan(20);
  });
});

describe('[I6] long poll', () => {
  test('it waits for the next event and answers with it', async () => {
    const thread = await threadWith(1);
    const waiting = thread.events({ after: 'head', wait: 20 });
    const { event } = await thread.post({ type: 'message', content: 'now' });
    expect((await waiting).events).toEqual([event]);
  });

  test('it answers at once when there is something', async () => {
    const thread = await threadWith(1);
    expect(seqs((await thread.events({ after: 't1.1', wait: 20 })).events)).toEqual([2]);
  });

  test('it answers with nothing when the time is up', async () => {
    const thread = await threadWith(1);
    const page = await thread.events({ after: 'head', wait: 0.02 });
    expect(page).toEqual({ events: [], cursor: page.head, head: page.head });
  });

  test('in the workspace any thread wakes it, in a thread only its own events do', async () => {
    const [one, two] = [await threadWith(0), await threadWith(0)];
    const workspace = client.events({ after: 'head', wait: 20 });
    const ofOne = one.events({ after: 'head', wait: 20 });
    const { event } = await two.post({ type: 'message', content: 'two' });
    expect((await workspace).events).toEqual([event]);
    const own = await one.post({ type: 'message', content: 'one' });
    expect((await ofOne).events).toEqual([own.event]);
  });

  test('it ends when the server stops', async () => {
    const stopping = await openTestServer();
    const { thread } = await stopping.client().threads.create({ title: 'x' });
    const waiting = stopping.client().thread(thread.id).events({ after: 'head', wait: 25 });
    // The wait has begun once its request has been answered by the scheduler; closing before that is the same to it.
    await stopping.client().me();
    await stopping.close();
    expect((await waiting).events).toEqual([]);
  });

  test('it ends when the client disconnects', async () => {
    const thread = await threadWith(0);
    const leaving = new AbortController();
    const waiting = thread.events({ after: 'head', wait: 25, signal: leaving.signal });
    leaving.abort();
    await waiting.then(
      (page) => expect(page.events).toEqual([]),
      (error) => expect(error.name).toBe('AbortError'),
    );
  });
});

describe('[T10] the list of threads', () => {
  test('the most recently active threads come first, in log order', async () => {
    const [one, two] = [await threadWith(0), await threadWith(0)];
    const firstTwo = async () => (await client.threads.list()).threads.slice(0, 2).map((row) => row.id);
    expect(await firstTwo()).toEqual([two.id, one.id]);
    const { event } = await one.post({ type: 'message', content: 'x' });
    expect(await firstTwo()).toEqual([one.id, two.id]);
    const [row] = (await client.threads.list()).threads;
    expect(row?.last).toEqual({ ts: event.ts, from: 'ada', cursor: 't1.2' });
    expect((await one.get()).thread).toEqual(row);
  });

  test('a rename and the end of a thread are shown', async () => {
    const thread = await threadWith(0);
    await thread.post({ type: 'control', content: { rename: { title: 'Renamed' } } });
    await thread.post({ type: 'control', content: { done: true } });
    const [row] = (await client.threads.list()).threads;
    expect(row).toMatchObject({ id: thread.id, title: 'Renamed', done: true });
  });
});

describe('[C4] the whole workspace', () => {
  test('events come in commit order, with their own cursors', async () => {
    const [one, two] = [await threadWith(0), await threadWith(0)];
    const { head } = await client.events({ after: 'head' });
    const posted = [];
    for (const thread of [one, two, one]) posted.push((await thread.post({ type: 'message', content: 'x' })).event);
    const page = await client.events({ after: head });
    expect(page.events).toEqual(posted);
    expect(page.cursor).toMatch(/^w1\./);
    expect((await client.events({ before: page.head, limit: 2 })).events).toEqual(posted.slice(1));
  });
});

test('[C4] [I12] the conversation of a thread of any kind is read without the work of its kind, the newest hundred messages first', async () => {
  const { thread } = await client.threads.create({ title: 'A text', kind: 'loom', setup: { text: 'Once.' } });
  const loom = client.thread(thread.id);
  const rowOf = async (id: string) => (await client.threads.list()).threads.find((row) => row.id === id);
  expect((await loom.conversation()).events.map(({ type }) => type)).toEqual(['thread.created']);
  expect((await rowOf(thread.id))?.said).toBeUndefined();
  for (let i = 0; i < 60; i++) {
    await loom.post({ type: 'message', content: `said ${i}` });
    await loom.command('commit', { text: `Once. ${i}` });
  }
  const { events, head } = await loom.conversation();
  expect(events.slice(1).map(({ content }) => content)).toEqual(Array.from({ length: 60 }, (_, i) => `said ${i}`));
  expect(head).toBe((await loom.events({ before: 'head', limit: 1 })).head);
  const summary = (await rowOf(thread.id))?.said;
  expect(summary).toMatchObject({ event: events.at(-1)?.id, by: 'ada', count: 60 });
  for (let i = 60; i < 150; i++) await loom.post({ type: 'message', content: `said ${i}` });
  const newest = (await loom.conversation()).events.map(({ content }) => content);
  expect(newest).toEqual(Array.from({ length: 100 }, (_, i) => `said ${50 + i}`));

  const plain = await threadWith(120);
  expect(seqs((await plain.conversation()).events)).toEqual(Array.from({ length: 100 }, (_, i) => 22 + i));
});
