import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import { createFrameParser, type SseFrame } from '../../client/sse.ts';
import { type StoredEvent, wireTextOf } from '../../log/event-log.ts';
import type { IssuedToken } from '../auth/credentials.ts';
import { type ListeningServer, listen } from '../http/listen.ts';

let server: TestServer;
let httpServer: ListeningServer;
let thread: string;

beforeEach(async () => {
  server = await openTestServer();
  httpServer = await listen({ app: server.app, port: 0 });
  thread = (await server.client().threads.create({ title: 'T' })).thread.id;
});
afterEach(async () => {
  await httpServer.close();
  await server.close();
});

const post = (content: string) => server.client().thread(thread).post({ type: 'message', content });
const path = (query = '') => `/api/threads/${thread}/stream${query}`;

/** A reader on a real socket, who can be slow. */
async function open(address: string, headers: Record<string, string> = {}, token = server.human) {
  const request: ClientRequest = get(httpServer.url + address, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  const response = await new Promise<IncomingMessage>((resolve) => request.on('response', resolve));
  const parse = createFrameParser();
  const frames: SseFrame[] = [];
  let text = '';
  let ended = false;
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    frames.push(...parse(chunk));
  });
  response.on('end', () => {
    ended = true;
  });
  response.on('error', () => {});
  return {
    response,
    frames,
    text: () => text,
    ended: () => expect.poll(() => ended).toBe(true),
    until: (count: number) => expect.poll(() => frames.length).toBeGreaterThanOrEqual(count),
    leave: () => request.destroy(),
  };
}

test('[I6] the stream says where it starts, then sends every event with its cursor, type and text', async () => {
  await post('one');
  const reader = await open(path());
  await reader.until(3);
  await post('two');
  await reader.until(4);
  expect(reader.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  });
  expect(reader.text()).toMatch(/^retry: \d+\nid: t1\.0\n\n/);
  const rows = await server.engine.log.readThread(thread, 0, 10);
  expect(reader.frames.slice(1)).toEqual(
    rows.map((row: StoredEvent, i) => ({
      id: `t1.${row.seq}`,
      event: i === 0 ? 'thread.created' : 'message',
      data: wireTextOf(row),
    })),
  );
  reader.leave();
});

test('[L10] a reader continues after its cursor, given by header or query, without a gap or a duplicate', async () => {
  for (const text of ['one', 'two', 'three']) await post(text);
  for (const [query, headers] of [
    ['?after=t1.2', {}],
    ['', { 'last-event-id': 't1.2' }],
    ['?after=t1.1', { 'last-event-id': 't1.2' }],
  ] as const) {
    const reader = await open(path(query), headers);
    await reader.until(3);
    expect(reader.frames.map(({ id }) => id)).toEqual(['t1.2', 't1.3', 't1.4']);
    reader.leave();
  }
});

test('[L10] from the head only new events come, and the stream says where it starts', async () => {
  await post('old');
  const reader = await open(path('?after=head'));
  await reader.until(1);
  await post('new');
  await reader.until(2);
  expect(reader.frames.map(({ id }) => id)).toEqual(['t1.2', 't1.3']);
  reader.leave();
});

test('[I6] the whole workspace can be streamed, with its own cursors', async () => {
  const reader = await open('/api/stream');
  await reader.until(2);
  const { thread: other } = await server.client().threads.create({ title: 'Other' });
  await post('x');
  await reader.until(4);
  expect(reader.frames.map(({ id }) => id)).toEqual(['w1.0', 'w1.1', 'w1.2', 'w1.3']);
  expect(JSON.parse(reader.frames[2]?.data ?? '').thread).toBe(other.id);
  reader.leave();
});

test('[L4] live messages travel on the stream without a cursor', async () => {
  const reader = await open(path('?after=head'));
  await reader.until(1);
  await server.client(server.agent).thread(thread).declare('typing');
  await expect.poll(() => reader.frames.find(({ data }) => data.includes('typing'))).toBeDefined();
  const frame = reader.frames.find(({ data }) => data.includes('typing')) as SseFrame;
  expect(frame).toMatchObject({ id: undefined, event: 'presence.updated' });
  expect(JSON.parse(frame.data)).toMatchObject({
    thread,
    type: 'presence.updated',
    content: { participant: 'alpha', state: 'typing' },
  });
  reader.leave();
});

test('[T3] an open stream of a thread makes its participant present', async () => {
  const readPresence = async () => (await server.client().thread(thread).presence()).presence;
  const reader = await open(path(), {}, server.agent);
  await reader.until(1);
  expect(await readPresence()).toMatchObject([{ participant: 'alpha', state: 'listening', reach: 'live' }]);
  const workspace = await open('/api/stream');
  expect(await readPresence()).toHaveLength(1);
  workspace.leave();
  reader.leave();
  await expect.poll(() => server.app.metrics.streams.open).toBe(0);
});

describe('[T3] [I6] the reader of a workspace stream says which threads it has open', () => {
  const presentIn = async (id: string) =>
    (await server.client().thread(id).presence()).presence.flatMap(({ participant, reach }) =>
      reach === 'live' ? [participant] : [],
    );
  const streamOf = ({ response }: Awaited<ReturnType<typeof open>>) => String(response.headers['heddle-stream']);

  test('and is present in these and no others, until the stream ends', async () => {
    const { thread: other } = await server.client().threads.create({ title: 'Other' });
    const agent = server.client(server.agent);
    const reader = await open('/api/stream', {}, server.agent);
    expect(await agent.watch(streamOf(reader), [thread, thread])).toEqual({ threads: [thread, thread] });
    expect([await presentIn(thread), await presentIn(other.id)]).toEqual([['alpha'], []]);
    await agent.watch(streamOf(reader), [other.id]);
    expect(server.engine.presence.listConnected().map((entry) => entry.thread)).toEqual([other.id]);
    reader.leave();
    await expect.poll(() => server.engine.presence.listConnected()).toEqual([]);
  });

  test('the stream of another credential, a stream that ended and a stream of one thread are refused', async () => {
    const reader = await open('/api/stream');
    const id = streamOf(reader);
    const watch = (token: string, stream = id) => server.client(token).watch(stream, [thread]);
    await expect(watch(server.agent)).rejects.toMatchObject({
      code: 'unknown_stream',
      status: 404,
      message: `This credential has no open stream ${id}. Open /api/stream and use the id in its heddle-stream header.`,
    });
    expect(await presentIn(thread)).toEqual([]);
    reader.leave();
    await expect.poll(() => server.app.metrics.streams.open).toBe(0);
    await expect(watch(server.human)).rejects.toMatchObject({ code: 'unknown_stream' });
    const ofThread = await open(path());
    expect(ofThread.response.headers).not.toHaveProperty('heddle-stream');
    ofThread.leave();
  });

  test('a thread that does not exist changes nothing, and there are at most 64', async () => {
    const reader = await open('/api/stream');
    const watch = (threads: string[]) => server.client().watch(streamOf(reader), threads);
    await watch([thread]);
    await expect(watch(['nowhere'])).rejects.toMatchObject({ code: 'unknown_thread', details: { thread: 'nowhere' } });
    await expect(watch(Array(65).fill(thread))).rejects.toMatchObject({ code: 'malformed', status: 400 });
    expect(await presentIn(thread)).toEqual(['ada']);
    reader.leave();
  });
});

describe('[L11] a reader who does not read', () => {
  const large = 'x'.repeat(900_000);

  test('it is dropped with a reason, continues by cursor and costs others nothing', async () => {
    const slow = await open(path('?after=head'));
    const quick = await open(path('?after=head'));
    await slow.until(1);
    slow.response.pause();
    let posts = 0;
    while (server.app.metrics.streams.dropped === 0 && posts < 100) {
      await post(large);
      posts++;
      await quick.until(posts + 1);
    }
    expect(server.app.metrics.streams.dropped).toBe(1);
    slow.response.resume();
    await slow.ended();
    expect(slow.frames.at(-1)).toMatchObject({ event: 'dropped', data: expect.stringContaining('slow_reader') });
    const last = slow.frames.findLast(({ event }) => event === 'message')?.id as string;
    const again = await open(path(), { 'last-event-id': last });
    await again.until(quick.frames.length - quick.frames.findIndex(({ id }) => id === last));
    const all = [
      ...slow.frames.filter(({ event, data }) => event === 'message' && data !== ''),
      ...again.frames.slice(1),
    ];
    expect(all.map(({ id }) => id)).toEqual(quick.frames.slice(1).map(({ id }) => id));
    for (const reader of [quick, again]) reader.leave();
  });

  test('it is given time to catch up, within limits', async () => {
    for (let i = 0; i < 30; i++) await post(large);
    const slow = await open(path());
    slow.response.pause();
    await post('while it is behind');
    slow.response.resume();
    await slow.until(33);
    expect(slow.frames.map(({ id }) => id)).toEqual(Array.from({ length: 33 }, (_, i) => `t1.${i.toString(36)}`));
    expect(server.app.metrics.streams.dropped).toBe(0);
    slow.leave();
  });
});

test('[I17] a revoked credential ends its streams', async () => {
  const { token, credential } = (await server.credentials.issue('beta', 'agent')) as IssuedToken;
  const reader = await open(path(), {}, token);
  await reader.until(2);
  await server.client().credentials.revoke(credential.id);
  await reader.ended();
  expect(reader.frames.at(-1)).toMatchObject({ event: 'dropped', data: expect.stringContaining('unauthenticated') });
});

test('[I2] when the server stops, streams end with a message and do not block the process', async () => {
  const reader = await open(path());
  await reader.until(2);
  await httpServer.close();
  await reader.ended();
  expect(reader.frames.at(-1)).toMatchObject({ event: 'dropped', data: expect.stringContaining('closing') });
});

test('[I18] a credential has a limited number of streams', async () => {
  const few = await openTestServer({ limits: { streams: 2 } });
  const controllers = [new AbortController(), new AbortController()];
  const headers = { authorization: `Bearer ${few.human}` };
  for (const { signal } of controllers)
    expect((await few.app.request('/api/stream', { headers, signal })).status).toBe(200);
  const refused = await few.app.request('/api/stream', { headers });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  expect((await few.app.request('/api/stream', { headers: { authorization: `Bearer ${few.agent}` } })).status).toBe(
    200,
  );
  controllers[0]?.abort();
  expect((await few.app.request('/api/stream', { headers })).status).toBe(200);
  await few.close();
});

test('[I6] a heartbeat is sent every 15 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  try {
    const quiet = await openTestServer();
    const response = await quiet.send('GET', '/api/stream');
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const next = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await next()).toMatch(/^retry/);
    vi.advanceTimersByTime(15_000);
    expect(await next()).toBe(': still here\n\n');
    await quiet.close();
  } finally {
    vi.useRealTimers();
  }
});
