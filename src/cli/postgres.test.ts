import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newDirectory, newWorkspace } from '../../test/support/heddle.ts';
import { freshPostgres } from '../../test/support/postgres-url.ts';

test('[L18] the same commands on PostgreSQL, with and without a server; [L20] and back to a file', {
  timeout: 120_000,
}, async () => {
  const url = await freshPostgres();
  const { path, ok, run, serve, start } = newWorkspace(newDirectory(), ['--database', url]);
  await ok('threads', 'new', 'Garden', '--invite', 'alpha');
  const tail = start('tail', 'Garden', '--json', '-n', '0');
  const server = await serve();
  expect(readFileSync(join(path, 'server.json'), 'utf8')).not.toContain(new URL(url).password);
  await ok('post', 'Garden', 'through the server');
  await tail.said(/through the server/);
  await server.kill();
  await ok('post', 'Garden', 'past the dead server');
  await tail.said(/past the dead server/);
  expect((await ok('read', 'Garden')).out).toMatch(/through the server[\s\S]*past the dead server/);
  const doctor = await ok('doctor');
  expect(doctor.out).toMatch(/ok +store +PostgreSQL \d+/);
  expect(doctor.out).not.toContain(new URL(url).password);

  const file = join(newDirectory(), 'backup.jsonl');
  await ok('backup', file);
  const local = newWorkspace();
  await local.ok('restore', file);
  expect((await local.ok('verify', '--json')).json).toEqual((await ok('verify', '--json')).json);
  const other = newWorkspace(newDirectory(), ['--database', await freshPostgres()]);
  await other.ok('import', file);
  expect((await other.ok('verify', '--json')).json).toEqual((await ok('verify', '--json')).json);
  expect((await other.ok('rebuild', '--json')).json.mended).toBe(0);
  expect(await run(['restore', file])).toMatchObject({ code: 1, err: expect.stringContaining('already holds events') });
  expect(existsSync(join(path, 'heddle.db'))).toBe(false);
});

test('[L17] a database that cannot be reached is said so, without its password', async () => {
  const url = 'postgres://someone:sesame@127.0.0.1:1/nothing';
  const { run } = newWorkspace(newDirectory(), ['--database', url]);
  for (const words of [['threads'], ['serve', '--port', '0', '--no-open'], ['post', 'a', 'b']]) {
    const { code, err } = await run(words);
    expect(code).toBe(1);
    expect(err).toMatch(/PostgreSQL at 127\.0\.0\.1:1\/nothing .* cannot be used now/);
    expect(err).not.toContain('sesame');
  }
});
