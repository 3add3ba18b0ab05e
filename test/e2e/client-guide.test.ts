// What the guide to the client shows compiles against the package's own types, and runs.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newWorkspace } from '../support/program/heddle.ts';

const root = join(import.meta.dirname, '../..');
const ANSWER = JSON.stringify({ thoughts: ['beans climb'], draft: 'Plant them in May.' });

/** The examples as one program: the first names the client, each of the others stands for itself. */
function programOf(guide: string, url: string): string {
  const [first = '', ...others] = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code as string);
  expect(others).toHaveLength(6);
  return `${first.replace('http://127.0.0.1:4747', url)}${others.map((code) => `{\n${code}}\n`).join('')}`;
}

test('[I1] [I16] the guide to the client does what it says', { timeout: 120_000 }, async () => {
  const { path, ok, serve } = newWorkspace();
  const settings = 'models:\n  script: {provider: scripted, path: script.yaml}\n';
  writeFileSync(join(path, 'heddle.yaml'), `${settings}defaults: {mind: script, auditor: script, loom: script}\n`);
  writeFileSync(join(path, 'script.yaml'), JSON.stringify({ answers: [{ text: ANSWER, repeat: 'always' }] }));
  const { url } = await serve();
  const token = (await ok('token', '--json')).json.token;

  // Inside the package "heddle/client" is found as anyone who installed it finds it.
  mkdirSync(join(root, 'dist'), { recursive: true });
  const directory = mkdtempSync(join(root, 'dist/guide-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'guide.ts');
  writeFileSync(file, programOf(readFileSync(join(root, 'docs/guide/client.md'), 'utf8'), url));
  const run = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, words, {
      encoding: 'utf8',
      env: { ...process.env, HEDDLE_TOKEN: token },
    });
    return { status, out: stdout + stderr };
  };
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--target',
    'es2024',
    '--module',
    'nodenext',
    '--types',
    'node',
  ];
  const types = run(join(root, 'node_modules/typescript/bin/tsc'), ...options, file);
  expect(types, types.out).toMatchObject({ status: 0 });
  const ran = run(file);
  expect(ran, ran.out).toMatchObject({ status: 0 });
  expect(ran.out).toContain('Plant them in May.');
  expect(ran.out).toContain('beans climb');
  expect(ran.out).toContain('Once upon a time');
});
