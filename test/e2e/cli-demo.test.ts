import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { cacheDirectory } from '../../src/models/builtin/weights/cache.ts';
import { FETCH_MS, storiesFile } from '../support/models/weights.ts';
import { newDirectory, start } from '../support/program/heddle.ts';

beforeAll(async () => {
  await storiesFile();
}, FETCH_MS);

test('[I16] heddle demo serves a sample in a directory of its own and takes it away at Ctrl-C', async () => {
  const own = join(newDirectory(), 'mine');
  const demo = start(['demo', '--no-open', '--json'], {
    env: { HEDDLE_CACHE: cacheDirectory(), HEDDLE_WORKSPACE: own },
  });
  const { url, workspace, threads } = JSON.parse((await demo.waitForOutput(/^\{.*\}\n/))[0]);
  expect(threads.map(({ kind }: { kind: string }) => kind)).toEqual(['conversation', 'dialogue', 'exchange', 'loom']);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(existsSync(join(workspace, 'heddle.db'))).toBe(true);
  const listed = await start(['threads', '--json', '--workspace', workspace]).ended;
  expect(listed.json.threads).toHaveLength(4);
  demo.process.kill('SIGINT');
  expect((await demo.ended).code).toBe(0);
  expect(existsSync(workspace)).toBe(false);
  expect(existsSync(own)).toBe(false);
});

test('[I16] with --workspace the sample stays there; what is where, and how to end it, is said in words', async () => {
  const kept = join(newDirectory(), 'kept');
  const demo = start(['demo', '--no-open', '--workspace', kept], { env: { HEDDLE_CACHE: cacheDirectory() } });
  await demo.waitForOutput(/Ctrl-C ends it/);
  demo.process.kill('SIGINT');
  const { code, out } = await demo.ended;
  expect(code).toBe(0);
  expect(out).toMatch(/http:\/\/127\.0\.0\.1:\d+\/signin\?code=\S+&to=tour\n/);
  expect(out).toMatch(/^ {2}thread +The frog by the pond +\/threads\/\w{26}$/m);
  expect(out).toMatch(/^ {2}loom +The little red boat +\/loom\/\w{26}$/m);
  expect(out).toContain(`The workspace is ${kept}.`);
  expect(readdirSync(kept)).toContain('heddle.db');
});

test('[I16] [M3] without the weights heddle demo says what to do and leaves nothing behind', async () => {
  const { code, err } = await start(['demo', '--no-open'], { env: { HEDDLE_CACHE: newDirectory() } }).ended;
  expect(code).toBe(1);
  expect(err).toContain('The sample is written by the small model inside Heddle, which is not available.');
  expect(err).toContain('npm run weights');
});
