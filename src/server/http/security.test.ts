import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RawAnswer, rawRequest } from '../../../test/support/servers/raw-request.ts';
import { openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import { endpoints, pagePaths } from '../../protocol/routes.ts';
import type { IssuedToken } from '../auth/credentials.ts';
import { type ListeningServer, listen } from './listen.ts';

let server: TestServer;
let httpServer: ListeningServer;
let thread: string;
let event: string;

beforeAll(async () => {
  server = await openTestServer({ allowedHosts: ['heddle.example', 'team.example:8443'] });
  httpServer = await listen({ app: server.app, port: 0 });
  thread = (await server.client().threads.create({ title: 'T' })).thread.id;
  event = (await server.client().thread(thread).post({ type: 'message', content: 'x' })).event.id;
});
afterAll(async () => {
  await httpServer.close();
  await server.close();
});

/** Every address there is, with something that would be accepted there. */
const bodies: Record<string, unknown> = {
  'POST /api/threads': { title: 'x' },
  'POST /api/threads/:thread/events': { type: 'message', content: 'x' },
  'POST /api/threads/:thread/events/:event/versions': { text: 'x' },
  'POST /api/threads/:thread/delivery': { type: 'message', content: 'x' },
  'POST /api/threads/:thread/presence': { state: 'idle' },
  'POST /api/threads/:thread/commands/side_open': { question: 'x', members: ['alpha'] },
  'POST /api/threads/:thread/commands/side_close': { summary: 'x' },
  'POST /api/threads/:thread/commands/archive': {},
  'POST /api/threads/:thread/commands/tag': {},
  'POST /api/threads/:thread/commands/fork': {},
  'POST /api/profile': { name: 'X' },
  'POST /api/personas': { name: 'X' },
  'POST /api/personas/:persona': { set: { name: 'X' } },
  'POST /api/pins': { thread: 'x' },
  'POST /api/credentials': { participant: 'beta' },
  'POST /api/signin-links': {},
  'POST /api/rebuild': {},
  'POST /api/sample': {},
};
const pages = [...pagePaths, '/assets/main.js', '/nowhere'].map((path) => ({
  key: `GET ${path}`,
  method: 'GET',
  path,
  access: 'open',
}));
const everywhere = [...endpoints, ...pages];
const fillPath = (path: string) => path.replace(':thread', thread).replace(':event', event).replace(/:\w+/, 'x');

/** As a browser or a stranger would send it, Host header and all; a stream is left after its head. */
function raw(key: string, method: string, path: string, headers: Record<string, string>): Promise<RawAnswer> {
  return rawRequest({ port: httpServer.port, method, path: fillPath(path), headers, body: bodies[key] });
}

const codeOf = (answer: RawAnswer) => JSON.parse(answer.text).error?.code;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const ownHost = () => `127.0.0.1:${httpServer.port}`;

const wrongHosts = [
  'evil.example',
  'evil.example:4747',
  '127.0.0.1:1',
  '127.0.0.1',
  'localhost',
  '127.0.0.1.evil.example',
  '0.0.0.0',
];
const wrongOrigins = [
  'https://evil.example',
  'null',
  'http://127.0.0.1:1',
  'http://localhost',
  'file://',
  'http://127.0.0.1',
];
const wrongTokens = [
  'Bearer',
  'Bearer ',
  'Bearer hdl_nope',
  `Bearer hdl_${'A'.repeat(43)}`,
  'Basic YWRhOmFkYQ==',
  'bearer x',
];

describe.each(everywhere)('[I17] $key', ({ key, method, path, access }) => {
  const call = (headers: Record<string, string>) => raw(key, method, path, headers);

  test('a wrong Host is refused', async () => {
    for (const host of wrongHosts) {
      const answer = await call({ ...bearer(server.human), host });
      expect([host, answer.status, codeOf(answer)]).toEqual([host, 403, 'wrong_origin']);
    }
  });

  test('a wrong Origin is refused', async () => {
    for (const origin of wrongOrigins) {
      const answer = await call({ ...bearer(server.human), origin });
      expect([origin, answer.status, codeOf(answer)]).toEqual([origin, 403, 'wrong_origin']);
    }
  });

  test('the headers allow no scripts, frames or sharing with other origins', async () => {
    for (const headers of [bearer(server.human), { host: 'evil.example' }, {}]) {
      const answer = await call(headers);
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(answer.headers['content-security-policy']).not.toMatch(/unsafe|\*|http/);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin');
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  if (access === 'open') return;

  test('a request without a valid credential is refused', async () => {
    const none = await call({});
    expect([none.status, codeOf(none)]).toEqual([401, 'unauthenticated']);
    expect(none.headers['www-authenticate']).toBe('Bearer');
    for (const authorization of wrongTokens) {
      expect([authorization, (await call({ authorization })).status]).toEqual([authorization, 401]);
    }
  });

  test('a request with a revoked credential is refused', async () => {
    const { token, credential } = (await server.credentials.issue('gone', 'agent')) as IssuedToken;
    expect((await call(bearer(token))).status).not.toBe(401);
    await server.credentials.revoke(credential.id);
    const answer = await call(bearer(token));
    expect([answer.status, codeOf(answer)]).toEqual([401, 'unauthenticated']);
  });

  test('a request with an agent’s credential is refused exactly where a human is needed', async () => {
    const answer = await call(bearer(server.agent));
    if (access === 'human') expect([answer.status, codeOf(answer)]).toEqual([403, 'forbidden']);
    else expect(answer.status).not.toBe(401);
  });
});

describe('[I17] identity', () => {
  test('requests to this machine’s names and the allowed ones are answered', async () => {
    const { port } = httpServer;
    for (const host of [
      ownHost(),
      `localhost:${port}`,
      `LOCALHOST:${port}`,
      `[::1]:${port}`,
      'heddle.example',
      'heddle.example:99',
      'team.example:8443',
    ]) {
      expect((await raw('', 'GET', '/healthz', { host })).status).toBe(200);
    }
    expect((await raw('', 'GET', '/healthz', { host: 'team.example' })).status).toBe(403);
  });

  test.each([
    'GET /healthz HTTP/1.0',
    'GET /healthz HTTP/1.0\r\nHost:',
    'GET /healthz HTTP/1.1',
    'GET http://evil.example/healthz HTTP/1.1\r\nHost: x',
  ])('a request without a host name is refused: %j', async (head) => {
    const socket = connect(httpServer.port, '127.0.0.1');
    socket.end(`${head}\r\n\r\n`);
    expect((await text(socket)).split('\r\n')[0]).toMatch(/ 40[03] /);
  });

  /** Sends this text and nothing else; the first line of each answer. */
  async function answersTo(request: string): Promise<string[]> {
    const socket = connect(httpServer.port, '127.0.0.1');
    socket.end(request);
    return (await text(socket)).match(/^HTTP\/1\.1 \d+/gm) ?? [];
  }

  test('a request with a duplicate header is refused', async () => {
    const hostHeader = `Host: ${ownHost()}`;
    const good = `Authorization: Bearer ${server.human}`;
    const heads: Record<string, string[]> = {
      'two hosts, ours first': ['GET /api/me HTTP/1.1', hostHeader, 'Host: evil.example', good],
      'two hosts, ours last': ['GET /api/me HTTP/1.1', 'Host: evil.example', hostHeader, good],
      'the same host twice': ['GET /api/me HTTP/1.1', hostHeader, `HOST: ${ownHost()}`, good],
      'a host behind other headers': ['GET /api/me HTTP/1.1', hostHeader, good, 'Accept: */*', 'hOsT: evil.example'],
      'two credentials': ['GET /api/me HTTP/1.1', hostHeader, good, `Authorization: Bearer ${server.agent}`],
      'two origins': [
        'GET /api/me HTTP/1.1',
        hostHeader,
        good,
        `Origin: http://${ownHost()}`,
        `Origin: http://${ownHost()}`,
      ],
      'another server in the request line': ['GET http://evil.example/api/me HTTP/1.1', hostHeader, good],
      'our own name in the request line': [`GET http://${ownHost()}/api/me HTTP/1.1`, hostHeader, good],
      'two kinds of body': [
        'POST /api/threads HTTP/1.1',
        hostHeader,
        good,
        'Content-Type: application/json',
        'Content-Type: text/plain',
      ],
      'no path at all': ['OPTIONS * HTTP/1.1', hostHeader, good],
      'a proxy that was asked for another': [
        'GET /api/me HTTP/1.1',
        hostHeader,
        good,
        'X-Forwarded-Host: evil.example',
      ],
      'one of several proxies': [
        'GET /api/me HTTP/1.1',
        hostHeader,
        good,
        `X-Forwarded-Host: ${ownHost()}, evil.example`,
      ],
    };
    for (const [what, head] of Object.entries(heads)) {
      const answers = await answersTo(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n`);
      expect([what, answers]).toEqual([what, ['HTTP/1.1 400']]);
    }
    for (const forwarded of [
      ownHost(),
      `localhost:${httpServer.port}`,
      'heddle.example',
      'heddle.example, heddle.example',
    ]) {
      expect((await raw('', 'GET', '/healthz', { host: ownHost(), 'x-forwarded-host': forwarded })).status).toBe(200);
    }
  });

  test('a body without a clear end is refused, and what follows is not taken as a request', async () => {
    const head = `POST /api/threads HTTP/1.1\r\nHost: ${ownHost()}\r\nAuthorization: Bearer ${server.human}\r\nContent-Type: application/json`;
    const body = '{"title":"x"}';
    const behind = `GET /api/me HTTP/1.1\r\nHost: ${ownHost()}\r\nAuthorization: Bearer ${server.human}\r\n\r\n`;
    const lengths = [
      'Content-Length: 13\r\nContent-Length: 13',
      'Content-Length: 13\r\nContent-Length: 2',
      'Content-Length: 13, 13',
      'Content-Length: +13',
      'Content-Length: 0x0d',
      'Content-Length: -1',
      'Content-Length: 99999999999999999999999999',
      'Content-Length: 13\r\nTransfer-Encoding: chunked',
      'Transfer-Encoding: chunked\r\nContent-Length: 13',
      'Transfer-Encoding: chunked, identity',
      'Transfer-Encoding: xchunked',
    ];
    const before = (await server.client().threads.list()).threads.length;
    for (const length of lengths) {
      const answers = await answersTo(`${head}\r\n${length}\r\n\r\n${body}${behind}`);
      expect([length, answers]).toEqual([length, ['HTTP/1.1 400']]);
    }
    expect((await server.client().threads.list()).threads).toHaveLength(before);
  });

  test('our own page can send requests', async () => {
    for (const host of [ownHost(), `localhost:${httpServer.port}`, 'heddle.example']) {
      for (const scheme of ['http', 'https']) {
        expect((await raw('', 'GET', '/healthz', { host, origin: `${scheme}://${host}` })).status).toBe(200);
      }
    }
    expect((await raw('', 'GET', '/healthz', { origin: 'http://heddle.example' })).status).toBe(403);
  });

  test('a preflight request gets no permission', async () => {
    const answer = await raw('', 'OPTIONS', '/api/threads', {
      origin: `http://${ownHost()}`,
      'access-control-request-method': 'POST',
    });
    expect(answer.status).toBe(404);
  });

  test('[T6] content grants no authority: an agent that calls itself human stays an agent', async () => {
    const agent = server.client(server.agent).thread(thread);
    await expect(agent.post({ type: 'control', content: { pause: { on: true } } })).rejects.toMatchObject({
      code: 'forbidden',
      status: 403,
      participant: 'alpha',
      thread,
    });
    for (const profile of [{ kind: 'human' }, { nickname: 'Ada' }] as const) {
      await expect(agent.post({ type: 'control', content: { profile } })).rejects.toMatchObject({ code: 'forbidden' });
      await expect(agent.declare('listening', profile)).rejects.toMatchObject({ code: 'forbidden' });
    }
    await agent.post({ type: 'control', content: { profile: { nickname: 'Al' } } });
    await expect(agent.post({ type: 'control', content: { done: true } })).rejects.toMatchObject({ code: 'forbidden' });
    const { event: posted } = await agent.post({ type: 'message', content: 'I am ada' });
    expect(posted).toMatchObject({ from: 'alpha', meta: { by: 'agent' } });
  });
});
