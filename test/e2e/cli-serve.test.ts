import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newDirectory, newWorkspace, start } from '../support/program/heddle.ts';
import { readQrCode } from '../support/qr-code.ts';

// A test here starts the program many times, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

test('[C2] serve --json prints one line when ready, answers there, and stops cleanly at Ctrl-C', async () => {
  const { path, serve } = newWorkspace();
  const server = await serve();
  expect(JSON.parse(server.line)).toEqual({ url: server.url, workspace: path, pid: server.process.pid });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(JSON.parse(readFileSync(join(path, 'server.json'), 'utf8'))).toMatchObject({
    url: server.url,
    pid: server.pid,
  });
  const { code, out } = await server.stop();
  expect(code).toBe(0);
  expect(out).toBe(server.line);
  expect(existsSync(join(path, 'server.json'))).toBe(false);
});

test('[I2] heddle alone serves: it makes the workspace, prints a link that signs a browser in once, and opens it', async () => {
  const bin = newDirectory();
  const opened = join(bin, 'opened');
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`, {
    mode: 0o755,
  });
  const path = join(newDirectory(), 'new', 'workspace');
  const env = { PATH: `${bin}:${process.env.PATH}`, DISPLAY: ':0', HEDDLE_WORKSPACE: path };
  const server = start(['--port', '0'], { env });
  const [, link = ''] = await server.waitForOutput(/(http:\/\/127\.0\.0\.1:\d+\/signin\?code=\S+)/);
  expect((await fetch(link)).headers.get('set-cookie')).toBe(null);
  expect((await fetch(link, { method: 'POST' })).headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
  expect((await fetch(link)).status).toBe(401);
  await server.waitForOutput(/Ctrl-C stops the server/);
  await expect.poll(() => existsSync(opened)).toBe(true);
  const other = readFileSync(opened, 'utf8').trim();
  expect(other).toMatch(/\/signin\?code=/);
  expect(other).not.toBe(link);
  server.process.kill('SIGINT');
  expect((await server.ended).code).toBe(0);
});

test('[I2] --no-open opens nothing', async () => {
  const bin = newDirectory();
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\ntouch ${bin}/opened\n`, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env.PATH}`, DISPLAY: ':0', HEDDLE_WORKSPACE: newDirectory() };
  const server = start(['serve', '--port', '0', '--no-open'], { env });
  await server.waitForOutput(/Ctrl-C stops the server/);
  server.process.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
  expect(existsSync(join(bin, 'opened'))).toBe(false);
});

test('[C1] a workspace holds heddle.db, heddle.yaml and a token for its owner only', async () => {
  const { path, ok } = newWorkspace(join(newDirectory(), 'made'));
  await ok('threads', 'new', 'Plans');
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(statSync(join(path, 'token')).mode & 0o777).toBe(0o600);
  expect(existsSync(join(path, 'heddle.db'))).toBe(true);
  expect(readFileSync(join(path, 'heddle.yaml'), 'utf8')).toContain('# person:');
});

test('[C1] in a directory that was there before, everything Heddle writes is for its owner alone', async () => {
  const { path, serve, ok } = newWorkspace();
  chmodSync(path, 0o755);
  writeFileSync(join(path, 'mine.txt'), 'not Heddle’s', { mode: 0o644 });
  const server = await serve();
  await ok('threads', 'new', 'Plans');
  await ok('search', 'Plans');
  const modes = () =>
    Object.fromEntries(readdirSync(path).map((name) => [name, statSync(join(path, name)).mode & 0o777]));
  const { 'mine.txt': mine, ...ours } = modes();
  expect(mine).toBe(0o644);
  expect(Object.keys(ours)).toEqual(
    expect.arrayContaining(['heddle.db', 'heddle.db-wal', 'heddle.search.db', 'token']),
  );
  expect(new Set(Object.values(ours))).toEqual(new Set([0o600]));
  await server.stop();

  // As an earlier version left them.
  for (const name of ['heddle.db', 'heddle.search.db', 'heddle.yaml', 'lock']) chmodSync(join(path, name), 0o644);
  const doctor = async () => (await newWorkspace(path).run(['doctor'])).out.replace(/\s+/g, ' ');
  expect(await doctor()).toMatch(/can read heddle\.db, heddle\.search\.db/);
  await ok('post', 'Plans', 'hello');
  const { 'mine.txt': still, ...now } = modes();
  expect(still).toBe(0o644);
  expect(new Set(Object.values(now))).toEqual(new Set([0o600]));
  expect(await doctor()).not.toContain('may read');
});

test('[C1] the first use makes it, also when there is nothing to read yet', async () => {
  const { path, ok } = newWorkspace(join(newDirectory(), 'made'));
  expect(JSON.parse((await ok('threads', '--json')).out)).toEqual({ threads: [] });
  expect(existsSync(join(path, 'heddle.db'))).toBe(true);
});

test('[C1] without --workspace it is HEDDLE_WORKSPACE, and else the data directory of the user', async () => {
  const [named, home, data] = [newDirectory(), newDirectory(), newDirectory()];
  const at = (env: NodeJS.ProcessEnv) => start(['doctor', '--json'], { env }).ended.then(({ out }) => out);
  expect(await at({ HEDDLE_WORKSPACE: named })).toContain(named);
  const usual = process.platform === 'darwin' ? 'Library/Application Support/Heddle' : '.local/share/heddle';
  expect(await at({ HOME: home })).toContain(join(home, usual));
  if (process.platform === 'linux') expect(await at({ XDG_DATA_HOME: data })).toContain(join(data, 'heddle'));
});

test('[L9] a second server on a workspace says where the first one is', async () => {
  const { serve, run } = newWorkspace();
  const server = await serve();
  const second = await run(['serve', '--port', '0', '--no-open', '--json']);
  expect(second.code).toBe(1);
  expect(JSON.parse(second.err).error).toMatchObject({
    code: 'already_running',
    message: expect.stringContaining(server.url),
  });
});

test('[L9] a server that was killed leaves nothing that blocks the next one or a command', async () => {
  const { serve, ok } = newWorkspace();
  const server = await serve();
  await ok('threads', 'new', 'Plans');
  await server.kill();
  await ok('post', 'Plans', 'without a server');
  const next = await serve();
  await ok('post', 'Plans', 'with the next one');
  expect((await ok('read', 'Plans')).out).toMatch(/without a server[\s\S]*with the next one/);
  await next.stop();
});

test('[L26] leases that a killed server left behind with its clock ahead are void for whoever opens the workspace next', async () => {
  const { path, ok } = newWorkspace();
  await ok('threads', 'new', 'Plans');
  const database = join(path, 'heddle.db');
  sql(database, `INSERT OR REPLACE INTO leases VALUES ('runner/threads', 'dead', 7, ${Date.now() + 3_600_000})`);
  await ok('post', 'Plans', 'hello');
  const db = new DatabaseSync(database);
  onTestFinished(() => db.close());
  const lease = db.prepare("SELECT fence, expires FROM leases WHERE name = 'runner/threads'").get();
  expect(lease).toEqual({ fence: 7, expires: 0 });
});

test('[L9] commands started at once, without a server, all get their turn', async () => {
  const { ok, run } = newWorkspace();
  await ok('threads', 'new', 'Plans');
  const ran = await Promise.all(Array.from({ length: 4 }, (_, i) => run(['post', 'Plans', `message ${i}`])));
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const { events } = (await ok('read', 'Plans', '--json')).json;
  expect(events).toHaveLength(5);
  expect((await ok('verify')).out).toContain('Every link holds');
});

test('[L9] a command that meets another one at work for too long says so', async () => {
  const { path, ok, run } = newWorkspace();
  await ok('threads', 'new', 'Plans');
  const db = new DatabaseSync(join(path, 'lock'));
  db.exec('BEGIN EXCLUSIVE');
  onTestFinished(() => db.close());
  const { code, err } = await run(['post', 'Plans', 'hello']);
  expect(code).toBe(1);
  expect(err).toContain('Another command has been using this workspace for 5 seconds');
  expect((await ok('read', 'Plans')).out).toContain('Plans');
});

test('[I17] another address than loopback needs https, and is told how', async () => {
  const { run } = newWorkspace();
  const refused = await run(['serve', '--host', '0.0.0.0', '--port', '0']);
  expect(refused.code).toBe(2);
  expect(refused.err).toMatch(/--tls-cert and --tls-key, or --behind-proxy/);
});

test('[I17] with a certificate it listens on every address, by https and under its own names only', async () => {
  const dir = newDirectory();
  const made = spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    join(dir, 'key.pem'),
    '-out',
    join(dir, 'cert.pem'),
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
  ]);
  if (made.error) return;
  const { serve, ok } = newWorkspace();
  const server = await serve(
    '--host',
    '0.0.0.0',
    '--tls-cert',
    join(dir, 'cert.pem'),
    '--tls-key',
    join(dir, 'key.pem'),
  );
  const port = new URL(server.url).port;
  expect(server.url).toBe(`https://${hostname()}:${port}`);
  const ask = (host: string) =>
    new Promise((resolve, reject) => {
      const where = {
        host: '127.0.0.1',
        port,
        path: '/healthz',
        headers: { host },
        agent: false,
        rejectUnauthorized: false,
      };
      get(where, (response) => resolve(response.resume().statusCode)).on('error', reject);
    });
  expect(await ask(`127.0.0.1:${port}`)).toBe(200);
  expect(await ask('elsewhere.example')).toBe(403);
  // Commands of this machine have a way of their own.
  await ok('threads', 'new', 'Plans');
  expect((await ok('token', '--link')).out).toContain(`${server.url}/signin?code=`);
});

test('[I22] behind a named proxy the server knows its address, and the terminal shows the link as a QR code', async () => {
  const { path, serve, ok, run } = newWorkspace();
  await serve('--behind-proxy', '--allow-host', 'heddle.example.org');
  const { url } = JSON.parse(readFileSync(join(path, 'server.json'), 'utf8')) as { url: string };
  const headers = { authorization: `Bearer ${(await ok('token')).out.trim()}` };
  expect(await (await fetch(`${url}/api/me`, { headers })).json()).toMatchObject({
    address: 'https://heddle.example.org',
  });
  const lines = (await ok('token', '--link', '--qr')).out.trimEnd().split('\n');
  expect(lines.at(-1)).toMatch(/^https:\/\/heddle\.example\.org\/signin\?code=[\w-]{43}$/);
  expect(readHalfBlocks(lines.slice(0, -1))).toBe(lines.at(-1));
  expect((await run(['token', '--qr'])).err).toContain('Use --qr together with --link.');
});

test('[I22] a server that only this machine reaches has no address for others', async () => {
  const { serve, ok } = newWorkspace();
  const server = await serve();
  const headers = { authorization: `Bearer ${(await ok('token')).out.trim()}` };
  expect(await (await fetch(`${server.url}/api/me`, { headers })).json()).not.toHaveProperty('address');
});

/** What a camera reads in lines of half blocks, of which the drawn ones are light. */
function readHalfBlocks(lines: readonly string[]): string | undefined {
  const scale = 4;
  const halves: Record<string, readonly number[]> = { '█': [1, 1], '▀': [1, 0], '▄': [0, 1], ' ': [0, 0] };
  const rows = lines.flatMap((line) => [0, 1].map((half) => [...line].map((char) => halves[char]?.[half] ?? 0)));
  const [width, height] = [(rows[0]?.length ?? 0) * scale, rows.length * scale];
  const pixels = Array.from({ length: width * height }, (_, index) => {
    const isLight = rows[Math.floor(index / width / scale)]?.[Math.floor((index % width) / scale)] === 1;
    return isLight ? [255, 255, 255, 255] : [0, 0, 0, 255];
  });
  return readQrCode(pixels.flat(), width, height);
}

test('[I2] a port in use is said so, with what to do', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  const { path, run } = newWorkspace();
  const { code, err } = await run(['serve', '--no-open', '--port', String(port)]);
  expect(code).toBe(1);
  expect(err).toMatch(new RegExp(`Port ${port} .* is in use.*--port N`));
  expect(existsSync(join(path, 'server.json'))).toBe(false);
  expect((await run(['serve', '--port', '70000'])).code).toBe(2);
});

test('[L16] a workspace that cannot be used is said so, with what to do', async () => {
  const file = join(newDirectory(), 'file');
  writeFileSync(file, '');
  for (const place of [file, join(file, 'inside')]) {
    const { code, err } = await newWorkspace(place).run(['threads', 'new', 'Plans']);
    expect(code).toBe(1);
    expect(err).toMatch(/cannot be used: .*--workspace/);
  }
});

test('[L16] whatever keeps a server from starting is said in one sentence, without a stack', async () => {
  const scrap = join(newDirectory(), 'scrap.pem');
  writeFileSync(scrap, 'scrap');
  const cases: [string, readonly string[], RegExp][] = [
    ['token', [], /token cannot be used: a directory of that name exists/],
    ['server.json', [], /server\.json cannot be used: a directory of that name exists/],
    ['heddle.yaml', [], /heddle\.yaml cannot be used: a directory of that name exists/],
    ['heddle.db', [], /heddle\.db cannot be opened/],
    ['lock', [], /lock cannot be used/],
    ['agents', ['--tls-cert', scrap, '--tls-key', scrap], /certificate or its key cannot be used/],
  ];
  for (const [name, words, said] of cases) {
    const { path, run } = newWorkspace();
    mkdirSync(join(path, name));
    const { code, err } = await run(['serve', '--port', '0', '--no-open', ...words]);
    expect([name, code]).toEqual([name, 1]);
    expect(err).toMatch(said);
    expect(err).not.toMatch(/^\s+at /m);
  }
});

test.runIf(process.getuid?.() !== 0)('[L16] a workspace one may not write is said so', async () => {
  const dir = newDirectory();
  mkdirSync(join(dir, 'closed'), { mode: 0o500 });
  onTestFinished(() => chmodSync(join(dir, 'closed'), 0o700));
  const { code, err } = await newWorkspace(join(dir, 'closed')).run(['threads', 'new', 'Plans']);
  expect(code).toBe(1);
  expect(err).toMatch(/cannot be (used|opened)/);
});

test('[L16] a damaged database, a newer one and another program’s are refused, and nothing is changed', async () => {
  const { path, ok, run } = newWorkspace();
  await ok('threads', 'new', 'Plans');
  const database = join(path, 'heddle.db');
  const whole = readFileSync(database);
  const cases: [(path: string) => void, RegExp][] = [
    [
      (at) => writeFileSync(at, Buffer.concat([Buffer.from('scrap'.repeat(40)), whole.subarray(200)])),
      /is damaged.*heddle restore/,
    ],
    [(at) => sql(at, 'PRAGMA user_version = 99'), /newer Heddle \(database version 99; this one supports up to \d+\)/],
    [(at) => sql(at, 'PRAGMA application_id = 7'), /database of another program/],
  ];
  for (const [damage, said] of cases) {
    writeFileSync(database, whole);
    damage(database);
    const before = readFileSync(database);
    for (const words of [
      ['serve', '--port', '0', '--no-open'],
      ['post', 'Plans', 'hello'],
      ['read', 'Plans'],
    ]) {
      const { code, err } = await run(words);
      expect(code).toBe(1);
      expect(err).toMatch(said);
    }
    const doctor = await run(['doctor']);
    expect(doctor.code).toBe(1);
    expect(doctor.out.replace(/\s+/g, ' ')).toMatch(said);
    expect(readFileSync(database).equals(before)).toBe(true);
  }
});

test('[C5] a mistake in heddle.yaml is named with its line', async () => {
  const { path, run, ok } = newWorkspace();
  await ok('threads', 'new', 'Plans');
  const wrong: [string, RegExp][] = [
    ['person:\n  id: "Not An Id"\n', /heddle\.yaml, line 2: "person\.id" is not valid/],
    ['limits:\n  burst: 5\n  brust: 6\n', /line 3: "limits\.brust" is not a setting/],
    ['# fine\nsynchronous: OFF\n', /line 2: "synchronous" is not valid/],
    ['a: [1,\nb: 2\n', /heddle\.yaml, line [23]: /],
    ['a: &x 1\nb: *x\n', /aliases/],
    [`a: ${'['.repeat(20_000)}\n`, /heddle\.yaml/],
  ];
  for (const [text, said] of wrong) {
    writeFileSync(join(path, 'heddle.yaml'), text);
    const { code, err } = await run(['post', 'Plans', 'hello']);
    expect([code, err]).toEqual([1, expect.stringMatching(said)]);
  }
  writeFileSync(join(path, 'heddle.yaml'), 'models:\n  small: {provider: embedded}\nperson: {id: ana}\n');
  await ok('threads', 'rename', 'Plans', 'Other plans');
});

function sql(path: string, text: string): void {
  const db = new DatabaseSync(path);
  db.exec(text);
  db.close();
}
