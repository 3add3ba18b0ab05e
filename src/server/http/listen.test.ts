import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import { ListenError, listen } from './listen.ts';

let server: TestServer;
const page = mkdtempSync(join(tmpdir(), 'heddle-page-'));
beforeAll(async () => {
  server = await openTestServer({ page });
});
afterAll(async () => {
  await server.close();
  rmSync(page, { recursive: true });
});

describe('[I17] [C2] listening', () => {
  test('listens on loopback by default, and on a free port when asked', async () => {
    const httpServer = await listen({ app: server.app, port: 0 });
    expect(httpServer.url).toBe(`http://127.0.0.1:${httpServer.port}`);
    expect((await fetch(`${httpServer.url}/healthz`)).status).toBe(200);
    await httpServer.close();
    await expect(fetch(`${httpServer.url}/healthz`)).rejects.toThrow();
  });

  test('a port in use is reported with what to do', async () => {
    const { port, close } = await listen({ app: server.app, port: 0 });
    const second = listen({ app: server.app, port });
    await expect(second).rejects.toThrow(ListenError);
    await expect(second).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`);
    await expect(second).rejects.toThrow('--port N');
    await close();
  });

  test('another address needs a certificate or a declared proxy', async () => {
    await expect(listen({ app: server.app, host: '0.0.0.0', port: 0 })).rejects.toThrow('unencrypted');
    const proxied = await listen({ app: server.app, host: '0.0.0.0', port: 0, behindProxy: true });
    await proxied.close();
  });

  test('the server answers at the address that it was given', async () => {
    const other = await listen({ app: server.app, host: '127.0.0.2', port: 0, behindProxy: true });
    expect((await fetch(`${other.url}/healthz`)).status).toBe(200);
    const response = await new Promise((resolve) =>
      get(`${other.url}/healthz`, { headers: { host: `127.0.0.3:${other.port}` } }, (response) =>
        resolve(response.resume().statusCode),
      ),
    );
    expect(response).toBe(403);
    await other.close();
  });

  test('an address that this machine does not have is refused', async () => {
    const attempt = listen({ app: server.app, host: '203.0.113.1', port: 0, behindProxy: true });
    await expect(attempt).rejects.toThrow('no address 203.0.113.1');
  });

  test('HEAD has the length of the GET answer and no body', async () => {
    const { url, close } = await listen({ app: server.app, port: 0 });
    const [head, whole] = [await fetch(`${url}/healthz`, { method: 'HEAD' }), await fetch(`${url}/healthz`)];
    expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'));
    expect(await head.text()).toBe('');
    await close();
  });

  test('closing does not wait for idle connections', async () => {
    const { url, close } = await listen({ app: server.app, port: 0 });
    const agent = new Agent({ keepAlive: true });
    await new Promise((resolve) =>
      get(`${url}/healthz`, { agent }, (response) => response.resume().on('end', resolve)),
    );
    const start = performance.now();
    await close();
    expect(performance.now() - start).toBeLessThan(2_000);
    agent.destroy();
  });
});

describe('[C11] the page', () => {
  const addresses = [
    '/',
    '/all',
    '/threads',
    '/looms',
    '/threads/x',
    '/dialogue/x',
    '/exchange/x',
    '/loom/x?node=y',
    '/settings',
  ];

  test('the server says how to build the page if it is missing', async () => {
    const answer = await server.send('GET', '/', { token: '' });
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('npm run build');
  });

  test('the page is served at each of its addresses, without a credential', async () => {
    mkdirSync(join(page, 'assets'));
    writeFileSync(join(page, 'index.html'), '<!doctype html><title>Heddle</title>');
    writeFileSync(join(page, 'assets', 'main-1a2b.js'), 'console.log(1)');
    writeFileSync(join(page, 'icon.svg'), '<svg/>');
    for (const address of addresses) {
      const answer = await server.send('GET', address, { token: '' });
      expect([answer.status, await answer.text()]).toEqual([200, '<!doctype html><title>Heddle</title>']);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
    }
  });

  test('[I5] an unknown address shows a page in a browser and an error in a program', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml;q=0.9', 'sec-fetch-dest': 'document' };
    for (const path of ['/foo', '/threads/x/extra', '/loom/', '/docs/foo', '/apiary', '/no.html']) {
      for (const headers of [browser, { accept: browser.accept }]) {
        const answer = await server.send('GET', path, { token: '', headers });
        expect([path, answer.status, await answer.text()]).toEqual([path, 404, '<!doctype html><title>Heddle</title>']);
        expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
        expect([answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual(['no-store', null]);
      }
    }
    const programs: [method: string, path: string, headers: Record<string, string>][] = [
      ['GET', '/foo', {}],
      ['GET', '/foo', { accept: '*/*' }],
      ['GET', '/foo.png', { ...browser, 'sec-fetch-dest': 'image' }],
      ['POST', '/foo', browser],
      ['GET', '/api', browser],
      ['GET', '/api/foo', browser],
      ['GET', '/mcp/foo', browser],
      ['GET', '/assets/gone-1a2b.js', browser],
    ];
    for (const [method, path, headers] of programs) {
      const answer = await server.send(method, path, { token: '', headers });
      expect([path, answer.status, await answer.json()]).toMatchObject([
        path,
        404,
        { error: { code: 'unknown_route' } },
      ]);
    }
  });

  test('its files are cached for good by name, and the page itself is checked again', async () => {
    const asset = await server.send('GET', '/assets/main-1a2b.js', { token: '' });
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await asset.text()).toBe('console.log(1)');
    expect((await server.send('GET', '/icon.svg', { token: '' })).headers.get('content-type')).toBe('image/svg+xml');
    const small = await server.send('GET', '/assets/main-1a2b.js', {
      token: '',
      headers: { 'accept-encoding': 'br, gzip' },
    });
    expect([small.headers.get('content-encoding'), small.headers.get('vary')]).toEqual(['gzip', 'accept-encoding']);
    const index = await server.send('GET', '/', { token: '' });
    expect(index.headers.get('cache-control')).toBe('no-cache');
    const etag = index.headers.get('etag') as string;
    const again = await server.send('GET', '/', { token: '', headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('a rebuilt page is served at once', async () => {
    writeFileSync(join(page, 'index.html'), 'new');
    utimesSync(join(page, 'index.html'), 1, 1);
    expect(await (await server.send('GET', '/', { token: '' })).text()).toBe('new');
  });

  test('no file outside its directory is served', async () => {
    writeFileSync(join(page, '..', 'heddle-outside.txt'), 'secret');
    for (const path of [
      '/../heddle-outside.txt',
      '/assets/../../heddle-outside.txt',
      '/%2e%2e/heddle-outside.txt',
      '/..%2fheddle-outside.txt',
    ]) {
      expect((await server.send('GET', path, { token: '' })).status).toBe(404);
    }
    rmSync(join(page, '..', 'heddle-outside.txt'));
  });
});

test('[I11] [L20] a truncated file is not taken as complete', async () => {
  const other = await openTestServer();
  const httpServer = await listen({ app: other.app, port: 0 });
  const { thread } = await other.client().threads.create({ title: 'Large' });
  for (let i = 0; i < 40; i++)
    await other
      .client()
      .thread(thread.id)
      .post({ type: 'message', content: 'x'.repeat(900_000) });
  const ask = () =>
    fetch(`${httpServer.url}/api/threads/${thread.id}/export?format=jsonl`, {
      headers: { authorization: `Bearer ${other.human}` },
    });
  const whole = await (await ask()).text();
  expect(JSON.parse(whole.trimEnd().split('\n').at(-1) as string)).toMatchObject({ end: true, events: 41 });
  const reader = (await ask()).body?.getReader();
  await reader?.read();
  other.app.close();
  const rest = async () => {
    while (!(await reader?.read())?.done);
  };
  await expect(rest()).rejects.toThrow();
  await httpServer.close();
  await other.close();
});
