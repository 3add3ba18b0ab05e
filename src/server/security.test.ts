import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../test/support/server.ts';
import type { Credential } from '../log/credential.ts';
import { endpoints, pagePaths } from '../protocol/routes.ts';
import type { Issued } from './credentials.ts';
import { type Listening, listen } from './serve.ts';

let server: TestServer;
let listening: Listening;
let thread: string;
let event: string;

beforeAll(async () => {
  server = await openTestServer({ allowedHosts: ['heddle.example', 'team.example:8443'] });
  listening = await listen({ app: server.app, port: 0 });
  thread = (await server.client().threads.create({ title: 'T' })).thread.id;
  event = (await server.client().thread(thread).post({ type: 'message', content: 'x' })).event.id;
});
afterAll(async () => {
  await listening.close();
  await server.close();
});

/** Every address there is, with something that would be accepted there. */
const bodies: Record<string, unknown> = {
  'POST /api/threads': { title: 'x' },
  'POST /api/threads/:thread/events': { type: 'message', content: 'x' },
  'POST /api/threads/:thread/delivery': { type: 'message', content: 'x' },
  'POST /api/threads/:thread/presence': { state: 'idle' },
  'POST /api/threads/:thread/commands/side_open': { question: 'x', members: ['alpha'] },
  'POST /api/threads/:thread/commands/side_close': { summary: 'x' },
  'POST /api/threads/:thread/commands/fork': {},
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
const fill = (path: string) => path.replace(':thread', thread).replace(':event', event).replace(/:\w+/, 'x');

interface Raw {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** As a browser or a stranger would send it, Host header and all; a stream is left after its head. */
function raw(key: string, method: string, path: string, headers: Record<string, string>): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const body = key in bodies ? JSON.stringify(bodies[key]) : undefined;
    const type =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = httpRequest({
      host: '127.0.0.1',
      port: listening.port,
      method,
      path: fill(path),
      headers: { ...type, ...headers },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const answer = { status: response.statusCode as number, headers: response.headers };
      if (response.headers['content-type']?.startsWith('text/event-stream')) {
        sent.destroy();
        return resolve({ ...answer, text: '' });
      }
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ ...answer, text }));
    });
    sent.end(body);
  });
}

const codeOf = (answer: Raw) => JSON.parse(answer.text).error?.code;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const own = () => `127.0.0.1:${listening.port}`;

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

  test('headers: nothing runs, nothing is framed, nothing is shared with other origins', async () => {
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

  test('without a credential, or with a wrong one, it is refused', async () => {
    const none = await call({});
    expect([none.status, codeOf(none)]).toEqual([401, 'unauthenticated']);
    expect(none.headers['www-authenticate']).toBe('Bearer');
    for (const authorization of wrongTokens) {
      expect([authorization, (await call({ authorization })).status]).toEqual([authorization, 401]);
    }
  });

  test('with a revoked credential it is refused', async () => {
    const { token, credential } = (await server.credentials.issue('gone', 'agent')) as Issued;
    expect((await call(bearer(token))).status).not.toBe(401);
    await server.credentials.revoke(credential.id);
    const answer = await call(bearer(token));
    expect([answer.status, codeOf(answer)]).toEqual([401, 'unauthenticated']);
  });

  test('with an agent’s credential it is refused exactly where it takes a human', async () => {
    const answer = await call(bearer(server.agent));
    if (access === 'human') expect([answer.status, codeOf(answer)]).toEqual([403, 'forbidden']);
    else expect(answer.status).not.toBe(401);
  });
});

describe('[I17] who is who', () => {
  test('the names of this machine and the allowed ones are answered', async () => {
    const { port } = listening;
    for (const host of [
      own(),
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
  ])('without a name it is refused: %j', async (head) => {
    const socket = connect(listening.port, '127.0.0.1');
    socket.end(`${head}\r\n\r\n`);
    expect((await text(socket)).split('\r\n')[0]).toMatch(/ 40[03] /);
  });

  /** Sends this text and nothing else; the first line of each answer. */
  async function answersTo(request: string): Promise<string[]> {
    const socket = connect(listening.port, '127.0.0.1');
    socket.end(request);
    return (await text(socket)).match(/^HTTP\/1\.1 \d+/gm) ?? [];
  }

  test('a request that says something twice is refused: whoever checks may look at the other one', async () => {
    const ours = `Host: ${own()}`;
    const good = `Authorization: Bearer ${server.human}`;
    const heads: Record<string, string[]> = {
      'two hosts, ours first': ['GET /api/me HTTP/1.1', ours, 'Host: evil.example', good],
      'two hosts, ours last': ['GET /api/me HTTP/1.1', 'Host: evil.example', ours, good],
      'the same host twice': ['GET /api/me HTTP/1.1', ours, `HOST: ${own()}`, good],
      'a host behind other headers': ['GET /api/me HTTP/1.1', ours, good, 'Accept: */*', 'hOsT: evil.example'],
      'two credentials': ['GET /api/me HTTP/1.1', ours, good, `Authorization: Bearer ${server.agent}`],
      'two origins': ['GET /api/me HTTP/1.1', ours, good, `Origin: http://${own()}`, `Origin: http://${own()}`],
      'another server in the request line': ['GET http://evil.example/api/me HTTP/1.1', ours, good],
      'our own name in the request line': [`GET http://${own()}/api/me HTTP/1.1`, ours, good],
      'two kinds of body': [
        'POST /api/threads HTTP/1.1',
        ours,
        good,
        'Content-Type: application/json',
        'Content-Type: text/plain',
      ],
      'no path at all': ['OPTIONS * HTTP/1.1', ours, good],
      'a proxy that was asked for another': ['GET /api/me HTTP/1.1', ours, good, 'X-Forwarded-Host: evil.example'],
      'one of several proxies': ['GET /api/me HTTP/1.1', ours, good, `X-Forwarded-Host: ${own()}, evil.example`],
    };
    for (const [what, head] of Object.entries(heads)) {
      const answers = await answersTo(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n`);
      expect([what, answers]).toEqual([what, ['HTTP/1.1 400']]);
    }
    for (const forwarded of [
      own(),
      `localhost:${listening.port}`,
      'heddle.example',
      'heddle.example, heddle.example',
    ]) {
      expect((await raw('', 'GET', '/healthz', { host: own(), 'x-forwarded-host': forwarded })).status).toBe(200);
    }
  });

  test('a body of which it is not clear where it ends is refused, and what follows is no request', async () => {
    const head = `POST /api/threads HTTP/1.1\r\nHost: ${own()}\r\nAuthorization: Bearer ${server.human}\r\nContent-Type: application/json`;
    const body = '{"title":"x"}';
    const behind = `GET /api/me HTTP/1.1\r\nHost: ${own()}\r\nAuthorization: Bearer ${server.human}\r\n\r\n`;
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

  test('our own page may ask', async () => {
    for (const host of [own(), `localhost:${listening.port}`, 'heddle.example']) {
      for (const scheme of ['http', 'https']) {
        expect((await raw('', 'GET', '/healthz', { host, origin: `${scheme}://${host}` })).status).toBe(200);
      }
    }
    expect((await raw('', 'GET', '/healthz', { origin: 'http://heddle.example' })).status).toBe(403);
  });

  test('a preflight is answered without permission', async () => {
    const answer = await raw('', 'OPTIONS', '/api/threads', {
      origin: `http://${own()}`,
      'access-control-request-method': 'POST',
    });
    expect(answer.status).toBe(404);
  });

  test('[T6] content confers no authority: an agent that calls itself human stays an agent', async () => {
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

describe('[C3] signing in with a link', () => {
  const link = async () => new URL((await server.client().signInLink()).url);
  const ask = (method: string, url: URL, headers: Record<string, string> = {}) =>
    raw('', method, url.pathname + url.search, headers);
  const open = (url: URL, headers: Record<string, string> = {}) => ask('POST', url, headers);
  const cookieOf = (answer: Raw) => String(answer.headers['set-cookie']?.[0]);

  test('sets a cookie for this port that scripts and other sites cannot use, and goes on to the page', async () => {
    const answer = await open(await link());
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('http-equiv="refresh" content="0; url=/"');
    expect(cookieOf(answer)).toMatch(
      new RegExp(`^heddle_session_${listening.port}=hdl_[\\w-]{43}; Path=/; Max-Age=\\d+; HttpOnly; SameSite=Strict$`),
    );
    const cookie = cookieOf(answer).split(';')[0] as string;
    const me = await raw('', 'GET', '/api/me', { cookie: `other=1; ${cookie}` });
    expect(JSON.parse(me.text).me).toMatchObject({ participant: 'ada', kind: 'human', use: 'session' });
  });

  test('a session can be revoked', async () => {
    const cookie = cookieOf(await open(await link())).split(';')[0] as string;
    const { me } = JSON.parse((await raw('', 'GET', '/api/me', { cookie })).text) as { me: Credential };
    await server.client().credentials.revoke(me.id);
    expect((await raw('', 'GET', '/api/me', { cookie })).status).toBe(401);
  });

  test('whoever only looks at the link, or loads it ahead, does not use it up', async () => {
    const url = await link();
    const looks: [string, Record<string, string>][] = [
      ['HEAD', {}],
      ['GET', {}],
      ['GET', { 'user-agent': 'LinkPreview/1.0' }],
      ['GET', { 'sec-purpose': 'prefetch;prerender' }],
      ['HEAD', {}],
    ];
    for (const [method, headers] of looks) {
      const answer = await ask(method, url, headers);
      expect([method, answer.status, answer.headers['set-cookie']]).toEqual([method, 200, undefined]);
    }
    expect((await open(url)).status).toBe(200);
    for (const method of ['HEAD', 'GET', 'POST']) expect((await ask(method, url)).status).toBe(401);
  });

  test('shows a form that our own page sends, by a script or by its button, and nothing else runs', async () => {
    const url = await link();
    url.searchParams.set('to', 'tour');
    const { text: page, headers } = await ask('GET', url);
    const [, action] = /<form method="post" action="([^"]+)">/.exec(page) ?? [];
    expect(action?.replaceAll('&amp;', '&')).toBe(url.pathname + url.search);
    expect(page).toContain('<button>Sign in</button>');
    expect(headers['content-security-policy']).toMatch(/script-src 'sha256-[\w+/=]+';.* form-action 'self';/);
    expect(headers['referrer-policy']).toBe('same-origin');
    const sent = await open(url, { origin: `http://${own()}`, 'content-type': 'application/x-www-form-urlencoded' });
    expect(sent.text).toContain('url=/#tour');
  });

  test('works once', async () => {
    const url = await link();
    expect((await open(url)).status).toBe(200);
    const again = await open(url);
    expect(again.status).toBe(401);
    expect(JSON.parse(again.text).error.message).toContain('used already');
    expect(again.headers['set-cookie']).toBeUndefined();
  });

  test('[I17] a browser with a used link is shown a page that says what to do; a program gets the error', async () => {
    const url = await link();
    await open(url);
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const [method, address] of [
      ['GET', url],
      ['POST', url],
      ['GET', new URL('/signin?code=guess%3Cscript%3E', url)],
    ] as const) {
      const { status, headers, text } = await ask(method, address, browser);
      expect([method, status, headers['content-type']]).toEqual([method, 401, 'text/html; charset=utf-8']);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['set-cookie']).toBeUndefined();
      expect(text).toContain('was used already, or is older than ten minutes');
      expect(text).toContain('<code>heddle token --link</code>');
      expect(text).toContain('<a href="/">');
      expect(text).not.toContain('guess');
    }
    expect(JSON.parse((await ask('GET', url, { accept: '*/*' })).text).error.code).toBe('unauthenticated');
  });

  test('a made-up code, no code, and another site’s request are refused', async () => {
    for (const method of ['GET', 'POST']) {
      expect((await raw('', method, '/signin?code=guess', {})).status).toBe(401);
      expect((await raw('', method, '/signin', {})).status).toBe(400);
      expect((await ask(method, await link(), { origin: 'https://evil.example' })).status).toBe(403);
    }
  });

  test('the cookie of another port, or the token without its name, is none', async () => {
    const cookie = cookieOf(await open(await link())).split(';')[0] as string;
    for (const wrong of [
      cookie.replace(/_\d+=/, '_1='),
      cookie.replace(/_\d+=/, '='),
      cookie.split('=')[1] as string,
    ]) {
      expect((await raw('', 'GET', '/api/me', { cookie: wrong })).status).toBe(401);
    }
  });

  test('a header that is wrong is not made good by a cookie', async () => {
    const cookie = cookieOf(await open(await link())).split(';')[0] as string;
    expect((await raw('', 'GET', '/api/me', { cookie, authorization: 'Bearer nope' })).status).toBe(401);
  });
});
