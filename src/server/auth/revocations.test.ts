import { expect, onTestFinished, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import { freshPostgres } from '../../../test/support/stores/postgres-url.ts';
import type { Credential } from '../../log/credential.ts';
import type { EventLog } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { openPostgresLog } from '../../log/postgres/postgres-log.ts';
import { CREDENTIAL } from '../../log/record-kinds.ts';
import { sha256 } from '../../log/seal.ts';
import { createMcpHttp } from '../../mcp/http.ts';
import type { WireError } from '../../protocol/wire.ts';
import type { IssuedToken } from './credentials.ts';

async function open(log: EventLog = openMemoryLog()): Promise<TestServer> {
  const server = await openTestServer({ log, mcp: (fetch) => createMcpHttp(fetch, '0.0.0') });
  onTestFinished(() => server.close());
  return server;
}

async function openPair(): Promise<readonly [TestServer, TestServer]> {
  const url = await freshPostgres();
  const pair = [
    await openTestServer({ log: await openPostgresLog(url) }),
    await openTestServer({ log: await openPostgresLog(url) }),
  ] as const;
  onTestFinished(async () => void (await Promise.all(pair.map((server) => server.close()))));
  return pair;
}

async function beta({ credentials }: TestServer): Promise<IssuedToken> {
  return (await credentials.issue('beta', 'agent')) as IssuedToken;
}

/** A session as a browser gets it: by a link that this token asked for. */
async function signIn(server: TestServer, token: string): Promise<{ cookie: string; me: Credential }> {
  const { url } = await server.client(token).signInLink();
  const { pathname, search } = new URL(url);
  const answer = await server.send('POST', pathname + search, { token: '' });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] as string;
  const { me } = (await (await server.send('GET', '/api/me', { token: '', headers: { cookie } })).json()) as {
    me: Credential;
  };
  return { cookie, me };
}

async function codeOf(answer: Response): Promise<[number, string]> {
  return [answer.status, ((await answer.json()) as WireError).error.code];
}

const REFUSED = [401, 'unauthenticated'];

/** Begins waits and streams with a credential, on a server that may not be the one that revokes it. */
async function begin(server: TestServer, thread: string, headers: Record<string, string>) {
  const send = (path: string) => server.send('GET', path, { token: '', headers });
  const { head } = await server.client().thread(thread).get();
  const waits = [`/api/threads/${thread}/events?after=${head}&wait=25`, '/api/events?after=head&wait=25'].map(send);
  const streams = await Promise.all([`/api/threads/${thread}/stream?after=head`, '/api/stream?after=head'].map(send));
  const texts = streams.map(follow);
  // A stream that carries presence has read the log to its end and hears only what is announced from now on.
  const states = ['typing', 'listening'] as const;
  let times = 0;
  const follows = async () => {
    await server
      .client()
      .thread(thread)
      .declare(states[times++ % 2] as 'typing');
    return texts.every((text) => text.soFar().includes('presence.updated'));
  };
  await expect.poll(follows).toBe(true);
  return { waits, texts: texts.map(({ whole }) => whole) };
}

/** The text of a stream, while it comes and when it has ended. */
function follow(stream: Response): { soFar(): string; readonly whole: Promise<string> } {
  let text = '';
  const decoder = new TextDecoder();
  async function read() {
    for await (const chunk of stream.body as ReadableStream<Uint8Array>)
      text += decoder.decode(chunk, { stream: true });
    return text;
  }
  const whole = read();
  return { soFar: () => text, whole };
}

test('[I25] a revoked token ends its streams with a reason, and its waits without new messages', async () => {
  const server = await open();
  const { thread } = await server.client().threads.create({ title: 'T' });
  const { token, credential } = await beta(server);
  const { waits, texts } = await begin(server, thread.id, { authorization: `Bearer ${token}` });
  await Promise.all([
    server.client().credentials.revoke(credential.id),
    ...['one', 'two'].map((content) => server.client().thread(thread.id).post({ type: 'message', content })),
  ]);
  await server.client().thread(thread.id).post({ type: 'message', content: 'not for beta' });
  expect(await Promise.all((await Promise.all(waits)).map(codeOf))).toEqual([REFUSED, REFUSED]);
  for (const text of await Promise.all(texts)) {
    expect(text).toMatch(/event: dropped\ndata: \{"code":"unauthenticated","message":"[^"]+revoked\."\}\n\n$/);
    expect(text).not.toContain('not for beta');
  }
  expect(server.app.metrics.streams.open).toBe(0);
  expect(server.reported).toEqual([]);
});

test('[I25] a browser signed in by a link of a revoked token is signed out, with everything it had open', async () => {
  const server = await open();
  const { thread } = await server.client().threads.create({ title: 'T' });
  const { token, credential } = (await server.credentials.issue('ada', 'human', true)) as IssuedToken;
  const { cookie, me } = await signIn(server, token);
  expect(me).toMatchObject({ use: 'session', via: [credential.id] });
  const { waits, texts } = await begin(server, thread.id, { cookie });
  await server.client().credentials.revoke(credential.id);
  expect(await Promise.all((await Promise.all(waits)).map(codeOf))).toEqual([REFUSED, REFUSED]);
  for (const text of await Promise.all(texts)) expect(text).toContain('event: dropped');
  expect((await server.send('GET', '/api/me', { token: '', headers: { cookie } })).status).toBe(401);
});

test('[I25] a link of a revoked token signs nobody in', async () => {
  const server = await open();
  const { token, credential } = (await server.credentials.issue('ada', 'human', true)) as IssuedToken;
  const { pathname, search } = new URL((await server.client(token).signInLink()).url);
  await server.client().credentials.revoke(credential.id);
  const answer = await server.send('POST', pathname + search, { token: '' });
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
});

test('[I25] a wait that times out is refused too once its credential is gone', async () => {
  const server = await open();
  const { token, credential } = await beta(server);
  const waiting = server.send('GET', '/api/events?after=head&wait=0.3', { token });
  // As another server would have it, whose announcement was lost.
  await server.engine.log.putRecords(
    (await server.engine.log.records('credential'))
      .filter(({ value }) => value.includes(credential.id))
      .map(({ key }) => ({ kind: 'credential', key, value: null })),
  );
  expect(await codeOf(await waiting)).toEqual(REFUSED);
});

test('[I25] a download in progress stops when its credential is revoked', async () => {
  const server = await open();
  const { thread } = await server.client().threads.create({ title: 'T' });
  for (let i = 0; i < 3; i++) {
    await server
      .client()
      .thread(thread.id)
      .post({ type: 'message', content: 'x'.repeat(300_000) });
  }
  const { token, credential } = await beta(server);
  const download = await server.send('GET', `/api/threads/${thread.id}/export?format=jsonl`, { token });
  expect(download.status).toBe(200);
  await server.client().credentials.revoke(credential.id);
  await expect(download.text()).rejects.toThrow();
  expect(server.reported).toEqual([]);
});

test('[I25] an agent’s MCP request in progress ends when its credential is revoked', async () => {
  const memory = openMemoryLog();
  let reads = 0;
  // Whoever waits has looked for what is there already.
  const server = await open({
    ...memory,
    lastOf(...asked) {
      reads++;
      return memory.lastOf(...asked);
    },
  });
  const { thread } = await server.client().threads.create({ title: 'T' });
  const accept = 'application/json, text/event-stream';
  for (const era of [{}, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'wait' }]) {
    const { token, credential } = await beta(server);
    const isModern = 'mcp-method' in era;
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { head } = await server.client().thread(thread.id).get();
    const wait = {
      name: 'wait',
      arguments: { thread: thread.id, after: head, seconds: 20 },
      ...(isModern && { _meta: meta }),
    };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: wait };
    const before = reads;
    const response = server.send('POST', '/mcp', { token, body, headers: { accept, ...era } });
    await expect.poll(() => reads).toBeGreaterThan(before);
    await server.client().credentials.revoke(credential.id);
    await server.client().thread(thread.id).post({ type: 'message', content: 'not for beta' });
    const text = await (await response).text();
    expect(text).toContain('unauthenticated');
    expect(text).not.toContain('not for beta');
    const next = await server.send('POST', '/mcp', { token, body, headers: { accept, ...era } });
    expect(next.status).toBe(401);
  }
});

test('[I25] on several servers with one PostgreSQL database, a revocation on one ends connections on the others', async () => {
  const [one, two] = await openPair();
  const { thread } = await one.client().threads.create({ title: 'T' });
  await expect.poll(async () => (await two.client().threads.list()).threads.length).toBe(1);
  const { token, credential } = (await one.credentials.issue('ada', 'human', true)) as IssuedToken;
  const { cookie } = await signIn(two, token);
  const byToken = await begin(two, thread.id, { authorization: `Bearer ${token}` });
  const { head } = await two.client().thread(thread.id).get();
  const bySession = two.send('GET', `/api/threads/${thread.id}/events?after=${head}&wait=25`, {
    token: '',
    headers: { cookie },
  });
  await one.client().credentials.revoke(credential.id);
  const { event } = await one.client().thread(thread.id).post({ type: 'message', content: 'not for them' });
  for (const answer of await Promise.all([...byToken.waits, bySession])) expect(await codeOf(answer)).toEqual(REFUSED);
  for (const text of await Promise.all(byToken.texts)) {
    expect(text).toContain('event: dropped');
    expect(text).not.toContain(event.id);
  }
  for (const headers of [{ cookie }, { authorization: `Bearer ${token}` }]) {
    expect((await two.send('GET', '/api/me', { token: '', headers })).status).toBe(401);
  }
});

test('[I25] a wait returns nothing once its credential is gone, even before this server is notified', async () => {
  const server = await open();
  const { thread } = await server.client().threads.create({ title: 'T' });
  const { token } = await beta(server);
  const before = (await server.client(token).thread(thread.id).get()).head;
  await server.client().thread(thread.id).post({ type: 'message', content: 'not for beta' });
  // As another server on the same database would revoke it, before its announcement arrives here.
  await server.engine.log.putRecords([{ kind: CREDENTIAL, key: sha256(token), value: null }]);
  const answer = await server.send('GET', `/api/threads/${thread.id}/events?after=${before}&wait=25`, { token });
  expect(await codeOf(answer)).toEqual(REFUSED);
});

test('[I25] a half-sent request is not carried out when its credential is revoked', async () => {
  const server = await open();
  const issued = (await server.credentials.issue('hugo', 'human')) as IssuedToken;
  const bodies = {
    '/api/credentials': { participant: 'hugo', kind: 'human' },
    '/api/threads': { title: 'Too late' },
  };
  const sent = Object.entries(bodies).map(([path, body]) => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const text = new TextEncoder().encode(JSON.stringify(body));
    void writer.write(text.slice(0, 1));
    const headers = { authorization: `Bearer ${issued.token}`, 'content-type': 'application/json' };
    const request = new Request(`http://127.0.0.1${path}`, {
      ...{ method: 'POST', headers, body: readable, duplex: 'half' },
    } as RequestInit);
    const answer = server.app.fetch(request);
    return async () => {
      await writer.write(text.slice(1));
      await writer.close();
      return answer;
    };
  });
  const before = await server.engine.log.head();
  await server.client().credentials.revoke(issued.credential.id);
  const answers = await Promise.all(sent.map((finish) => finish()));
  expect(await Promise.all(answers.map(codeOf))).toEqual([REFUSED, REFUSED]);
  expect(await server.engine.log.head()).toBe(before);
  expect((await server.credentials.list()).some(({ participant }) => participant === 'hugo')).toBe(false);
});
