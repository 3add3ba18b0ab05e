import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newDirectory, newWorkspace, start } from '../support/program/heddle.ts';

vi.setConfig({ testTimeout: 120_000 });
const LOCAL = 'models:\n  # The larger one.\n  tinyllama: {provider: local, model: tinyllama}\n';

test('[M1] [M3] a model that was not pulled says so, with what to run, and nothing is fetched', async () => {
  const { path, run } = newWorkspace();
  const env = { HEDDLE_CACHE: newDirectory() };
  writeFileSync(join(path, 'heddle.yaml'), LOCAL);
  const listed = await run(['models'], { env });
  expect(listed.out).toMatch(/tinyllama +local +tinyllama +2,048 +free +– +not pulled/);
  expect(listed.err).toContain('tinyllama: It is not on this machine yet: run "heddle models pull tinyllama".');
  const tested = await run(['models', 'test', 'tinyllama'], { env });
  expect(tested).toMatchObject({ code: 1, err: expect.stringContaining('run "heddle models pull tinyllama"') });
  expect(readdirSync(env.HEDDLE_CACHE)).toEqual([]);
});

test('[M1] [M3] what cannot be pulled is refused in a sentence', async () => {
  const { code, err } = await newWorkspace().run(['models', 'pull', 'tinylama']);
  expect(code).toBe(3);
  expect(err).toMatch(/There is no model "tinylama" to pull\. Did you mean "tinyllama"\?/);
});

test.runIf(process.platform === 'linux')('[M3] a pull tells size and licence first, and Ctrl-C stops it', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  await once(silent, 'listening');
  const registry = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const env = { HEDDLE_CACHE: newDirectory(), npm_config_registry: registry };
  const pulling = start(['models', 'pull', 'tinyllama', '--workspace', newDirectory()], { env });
  await once(silent, 'request');
  pulling.process.kill('SIGINT');
  const { code, out, err } = await pulling.ended;
  expect(code).toBe(1);
  expect(out).toBe('');
  expect(err).toMatch(
    /2 bits a weight: \d+ MB to download[\s\S]*MIT[\s\S]*Apache-2\.0[\s\S]*Stopped\. Complete files are kept/,
  );
  expect(readdirSync(env.HEDDLE_CACHE)).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  '[M3] without a registry a pull ends with a reason, and writes nothing',
  async () => {
    const { path, run } = newWorkspace();
    writeFileSync(join(path, 'heddle.yaml'), '# Mine.\n');
    const env = { HEDDLE_CACHE: newDirectory(), npm_config_registry: 'http://127.0.0.1:9' };
    const { code, err } = await run(['models', 'pull', 'tinyllama'], { env });
    expect(code).toBe(1);
    expect(err).toMatch(
      /npm could not fetch node-llama-cpp@3\.22\.1: [\s\S]*Complete files are kept: run this again to continue\./,
    );
    expect((await run(['models', '--json'])).json.models).toHaveLength(1);
  },
);
