import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RawAnswer, rawRequest } from '../../../test/support/servers/raw-request.ts';
import { openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import type { Credential } from '../../log/credential.ts';
import { type ListeningServer, listen } from '../http/listen.ts';

let server: TestServer;
let httpServer: ListeningServer;

beforeAll(async () => {
  server = await openTestServer({ allowedHosts: ['heddle.example', 'team.example:8443'] });
  httpServer = await listen({ app: server.app, port: 0 });
});
afterAll(async () => {
  await httpServer.close();
  await server.close();
});

const raw = (method: string, path: string, headers: Record<string, string>) =>
  rawRequest({ port: httpServer.port, method, path, headers });
const _codeOf = (answer: RawAnswer) => JSON.parse(answer.text).error?.code;
const _bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const ownHost = () => `127.0.0.1:${httpServer.port}`;

describe('[C3] signing in with a link', () => {
  const link = async () => new URL((await server.client().signInLink()).url);
  const ask = (method: string, url: URL, headers: Record<string, string> = {}) =>
    raw(method, url.pathname + url.search, headers);
  const open = (url: URL, headers: Record<string, string> = {}) => ask('POST', url, headers);
  const cookieOf = (answer: RawAnswer) => String(answer.headers['set-cookie']?.[0]);

  test('sets a cookie for this port that scripts and other sites cannot use, and opens the page', async () => {
    const answer = await open(await link());
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('http-equiv="refresh" content="0; url=/"');
    expect(cookieOf(answer)).toMatch(
      new RegExp(`^heddle_session_${httpServer.port}=hdl_[\\w-]{43}; Path=/; Max-Age=\\d+; HttpOnly; SameSite=Strict$`),
    );
    const cookie = cookieOf(answer).split(';')[0] as string;
    const me = await raw('GET', '/api/me', { cookie: `other=1; ${cookie}` });
    expect(JSON.parse(me.text).me).toMatchObject({ participant: 'ada', kind: 'human', use: 'session' });
  });

  test('a session can be revoked', async () => {
    const cookie = cookieOf(await open(await link())).split(';')[0] as string;
    const { me } = JSON.parse((await raw('GET', '/api/me', { cookie })).text) as { me: Credential };
    await server.client().credentials.revoke(me.id);
    expect((await raw('GET', '/api/me', { cookie })).status).toBe(401);
  });

  test('viewing or preloading the link does not use it up', async () => {
    const url = await link();
    const attempts: [string, Record<string, string>][] = [
      ['HEAD', {}],
      ['GET', {}],
      ['GET', { 'user-agent': 'LinkPreview/1.0' }],
      ['GET', { 'sec-purpose': 'prefetch;prerender' }],
      ['HEAD', {}],
    ];
    for (const [method, headers] of attempts) {
      const answer = await ask(method, url, headers);
      expect([method, answer.status, answer.headers['set-cookie']]).toEqual([method, 200, undefined]);
    }
    expect((await open(url)).status).toBe(200);
    for (const method of ['HEAD', 'GET', 'POST']) expect((await ask(method, url)).status).toBe(401);
  });

  test('shows a form that only our own page can send, by script or button, and runs nothing else', async () => {
    const url = await link();
    url.searchParams.set('to', 'tour');
    const { text: page, headers } = await ask('GET', url);
    const [, action] = /<form method="post" action="([^"]+)">/.exec(page) ?? [];
    expect(action?.replaceAll('&amp;', '&')).toBe(url.pathname + url.search);
    expect(page).toContain('<button>Sign in</button>');
    expect(headers['content-security-policy']).toMatch(/script-src 'sha256-[\w+/=]+';.* form-action 'self';/);
    expect(headers['referrer-policy']).toBe('same-origin');
    const sent = await open(url, {
      origin: `http://${ownHost()}`,
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(sent.text).toContain('url=/#tour');
  });

  test('works once', async () => {
    const url = await link();
    expect((await open(url)).status).toBe(200);
    const again = await open(url);
    expect(again.status).toBe(401);
    expect(JSON.parse(again.text).error.message).toContain('already used');
    expect(again.headers['set-cookie']).toBeUndefined();
  });

  test('[I17] a browser with a used link gets a page that says what to do, and a program gets the error', async () => {
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
      expect(text).toContain('was already used, or is older than ten minutes');
      expect(text).toContain('<code>heddle token --link</code>');
      expect(text).toContain('<a href="/">');
      expect(text).not.toContain('guess');
    }
    expect(JSON.parse((await ask('GET', url, { accept: '*/*' })).text).error.code).toBe('unauthenticated');
  });

  test('an invented code, a missing code and another site’s request are refused', async () => {
    for (const method of ['GET', 'POST']) {
      expect((await raw(method, '/signin?code=guess', {})).status).toBe(401);
      expect((await raw(method, '/signin', {})).status).toBe(400);
      expect((await ask(method, await link(), { origin: 'https://evil.example' })).status).toBe(403);
    }
  });

  test('the cookie of another port, or a token without its name, is ignored', async () => {
    const cookie = cookieOf(await open(await link())).split(';')[0] as string;
    for (const wrong of [
      cookie.replace(/_\d+=/, '_1='),
      cookie.replace(/_\d+=/, '='),
      cookie.split('=')[1] as string,
    ]) {
      expect((await raw('GET', '/api/me', { cookie: wrong })).status).toBe(401);
    }
  });

  test('a cookie does not make up for a wrong header', async () => {
    const cookie = cookieOf(await open(await link())).split(';')[0] as string;
    expect((await raw('GET', '/api/me', { cookie, authorization: 'Bearer nope' })).status).toBe(401);
  });
});
