import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { bodyOf, openTestServer } from '../../../test/support/servers/server.ts';
import type { WireError } from '../../protocol/wire.ts';
import { listen } from './listen.ts';

test('[I18] requests over the limit of a credential are refused with a retry time, those of others are not', async () => {
  const server = await openTestServer({ limits: { burst: 5, perSecond: 0.5 }, elapsed: () => 0 });
  for (let i = 0; i < 5; i++) expect((await server.send('GET', '/api/me')).status).toBe(200);
  const refused = await server.send('GET', '/api/me');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('2');
  const { error } = await bodyOf<WireError>(refused);
  expect(error).toMatchObject({ code: 'rate_limited', retry_after: 2 });
  expect(error.message).toContain('try again in 2 s');
  expect((await server.send('GET', '/api/me', { token: server.agent })).status).toBe(200);
  expect((await server.send('GET', '/healthz', { token: '' })).status).toBe(200);
  await server.close();
});

test('[I18] the rate limit refills over time', async () => {
  let now = 0;
  const server = await openTestServer({ limits: { burst: 1, perSecond: 0.5 }, elapsed: () => now });
  const statusAt = async (ms: number) => {
    now = ms;
    return (await server.send('GET', '/api/me')).status;
  };
  expect([await statusAt(0), await statusAt(1999), await statusAt(2000)]).toEqual([200, 429, 200]);
  await server.close();
});

test('[T23] an agent that creates too many threads is told when it can continue, with any token, and humans are not limited', async () => {
  const server = await openTestServer({ now: () => Date.parse('2026-01-01T10:00:00Z') });
  const create = (token: string) => server.send('POST', '/api/threads', { token, body: { title: 'x' } });
  for (let i = 0; i < 20; i++) expect((await create(server.agent)).status).toBe(201);
  for (const token of [server.agent, await server.tokenFor('alpha', 'agent')]) {
    const refused = await create(token);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('3600');
    const { error } = await bodyOf<WireError>(refused);
    expect(error).toMatchObject({ code: 'limit_reached', participant: 'alpha', retry_after: 3600 });
    expect(error.message).toContain('20 threads an hour');
    expect(error.message).toContain('limits.agents.threads_per_hour');
  }
  for (let i = 0; i < 30; i++) expect((await create(server.human)).status).toBe(201);
  await server.close();
});

test('[T23] a limit that waiting does not lift is a 429 without a time', async () => {
  const server = await openTestServer({ agentLimits: { openDrafts: 2 } });
  const { thread } = await server.client().threads.create({ title: 'x' });
  const draft = (token: string) =>
    server.send('POST', `/api/threads/${thread.id}/commands/draft`, { token, body: { text: 'perhaps' } });
  for (let i = 0; i < 2; i++) expect((await draft(server.agent)).status).toBe(201);
  const refused = await draft(server.agent);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBeNull();
  expect((await bodyOf<WireError>(refused)).error.message).toContain('has 2 drafts waiting in "x"');
  expect((await draft(server.human)).status).toBe(201);
  await server.close();
});

const MEGABYTE = 1024 * 1024;

test.each([
  ['announced', 'Content-Length: 524288000'],
  ['in chunks', 'Transfer-Encoding: chunked'],
])('[L15] a body that is far too long, %s, is refused while it arrives and not kept', async (_, framing) => {
  const server = await openTestServer();
  const httpServer = await listen({ app: server.app, port: 0 });
  const { thread } = await server.client().threads.create({ title: 'x' });
  const part = Buffer.alloc(256 * 1024, 'x');
  const chunk = framing.startsWith('Transfer')
    ? Buffer.concat([Buffer.from('40000\r\n'), part, Buffer.from('\r\n')])
    : part;
  const before = process.memoryUsage().rss;
  let highest = before;

  const answer = await new Promise<string>((resolve) => {
    const socket = connect(httpServer.port, '127.0.0.1');
    let text = '';
    let sent = 0;
    function writeMore() {
      highest = Math.max(highest, process.memoryUsage().rss);
      while (!socket.destroyed && sent < 400 * MEGABYTE) {
        sent += chunk.length;
        if (!socket.write(chunk)) return socket.once('drain', writeMore);
      }
    }
    socket.on('connect', () => {
      const head = `POST /api/threads/${thread.id}/events HTTP/1.1\r\nHost: 127.0.0.1:${httpServer.port}\r\nAuthorization: Bearer ${server.human}`;
      socket.write(`${head}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`);
      writeMore();
    });
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });

  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain('"code":"too_large"');
  expect(answer).toContain('2 MiB');
  expect(highest - before).toBeLessThan(64 * MEGABYTE);
  expect(await server.engine.log.head()).toBe(1);
  await httpServer.close();
  await server.close();
});

test('[L15] an incomplete body stores nothing', async () => {
  const server = await openTestServer();
  const httpServer = await listen({ app: server.app, port: 0 });
  const socket = connect(httpServer.port, '127.0.0.1');
  const head = `POST /api/threads HTTP/1.1\r\nHost: 127.0.0.1:${httpServer.port}\r\nAuthorization: Bearer ${server.human}`;
  socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"title":"x"}`);
  await new Promise((resolve) => socket.once('connect', resolve));
  await server.client().me();
  socket.destroy();
  await expect.poll(() => server.app.metrics.refusals.get('malformed')).toBe(1);
  expect(await server.engine.log.head()).toBe(0);
  expect(server.reported).toEqual([]);
  await httpServer.close();
  await server.close();
});
