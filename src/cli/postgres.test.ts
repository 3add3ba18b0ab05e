import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newDirectory, newWorkspace, start } from '../../test/support/program/heddle.ts';
import { freshPostgres } from '../../test/support/stores/postgres-url.ts';

test('[L18] the same commands on PostgreSQL, with and without a server; [L20] and back to a file', {
  timeout: 120_000,
}, async () => {
  const url = await freshPostgres();
  const { path, ok, run, serve, start } = newWorkspace(newDirectory(), ['--database', url]);
  await ok('threads', 'new', 'Garden', '--invite', 'alpha');
  const tail = start('tail', 'Garden', '--json', '-n', '1');
  await tail.waitForOutput(/alpha/); // It follows from here on.
  const server = await serve();
  expect(readFileSync(join(path, 'server.json'), 'utf8')).not.toContain(new URL(url).password);
  await ok('post', 'Garden', 'through the server');
  await tail.waitForOutput(/through the server/);
  await server.kill();
  await ok('post', 'Garden', 'past the dead server');
  await tail.waitForOutput(/past the dead server/);
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
  expect(await run(['restore', file])).toMatchObject({
    code: 1,
    err: expect.stringContaining('already contains events'),
  });
  expect(existsSync(join(path, 'heddle.db'))).toBe(false);
});

/** One of the other programs on an empty database, its models saying what they are told to. */
async function programOn(program: 'mind' | 'logos', ...answers: readonly string[]) {
  const path = newDirectory();
  const env = { HEDDLE_WORKSPACE: path, HEDDLE_DATABASE: await freshPostgres() };
  const script = { provider: 'scripted', path: 'script.json' };
  const settings = { models: { script }, defaults: { mind: 'script', auditor: 'script' } };
  writeFileSync(join(path, 'heddle.yaml'), JSON.stringify(settings));
  writeFileSync(join(path, 'script.json'), JSON.stringify({ answers: answers.map((text) => ({ text })), loop: true }));
  return async (...words: string[]) => {
    const ran = await start([...words, '--json'], { program, env }).ended;
    expect([words, ran.code, ran.err]).toEqual([words, 0, '']);
    expect(existsSync(join(path, 'heddle.db'))).toBe(false);
    return ran;
  };
}

test('[C7] [L18] mind on PostgreSQL: a message, a run, drafts, an accepted one', { timeout: 120_000 }, async () => {
  const mind = await programOn('mind', 'thoughts: [beans climb]\ndraft: Plant beans in May.');
  await mind('init', 'Beans');
  await mind('message', 'When?');
  await mind('run', '1');
  expect((await mind('drafts')).json).toMatchObject({ turn: 1, drafts: [{ index: 1, text: 'Plant beans in May.' }] });
  expect((await mind('accept', '1')).json.events).toMatchObject([{ type: 'turn.accepted', content: { draft: 1 } }]);
});

test('[C8] [L18] logos on PostgreSQL: rounds and their audit', { timeout: 120_000 }, async () => {
  // The same words are read as a thought by minds, and as an audit that cites it by the auditor.
  const logos = await programOn('logos', 'thoughts: ["beans climb, as in [#1]"]');
  await logos('init', 'Pool', '--audit-every', '2');
  const lines = (await logos('run', '2')).out.trim().split('\n');
  expect(lines.map((line) => Object.keys(JSON.parse(line))[0])).toEqual(['round', 'round', 'audit', 'thread']);
  expect((await logos('audits')).json.audits).toMatchObject([{ audit: 1, round: 2, cites: [{ id: 1 }] }]);
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
