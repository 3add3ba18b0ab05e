// A server that was killed, or hangs: commands work without it, or say what is wrong and what to do.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGate, startFakeModels } from '../support/models/fake-models.ts';
import { newWorkspace, start } from '../support/program/heddle.ts';

// A test here starts the program many times, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

type Name = 'heddle' | 'mind' | 'logos';

async function openWorkspace() {
  const fake = await startFakeModels();
  onTestFinished(() => fake.close());
  const { path, serve } = newWorkspace();
  writeFileSync(
    join(path, 'heddle.yaml'),
    `models:\n  chat: {provider: openai-chat, base_url: "${fake.openAiUrl}", model: m}\ndefaults: {mind: chat, auditor: chat}\n`,
  );
  const begin = (program: Name, ...words: string[]) => start(words, { program, env: { HEDDLE_WORKSPACE: path } });
  const run = (program: Name, ...words: string[]) => begin(program, ...words).ended;
  return { fake, serve, begin, run };
}

test('[L9] [C8] a killed server: commands go on without it, and no run is said to go on', async () => {
  const { fake, serve, begin, run } = await openWorkspace();
  const gate = createGate(1);
  fake.answer(() => ({ text: 'thoughts: [slow]', gate }));
  const server = await serve();
  await run('heddle', 'threads', 'new', 'Talk');
  await run('logos', 'init', 'Garden');
  const rounds = begin('logos', 'run', '3');
  await gate.reached;
  await server.kill();

  await run('heddle', 'invite', 'Talk', 'muse', '--model', 'chat');
  const posted = await run('heddle', 'post', 'Talk', '@muse hello');
  expect(posted.out).toMatch(/Posted as #\d+[\s\S]*wakes muse/);
  expect(posted.err).toContain('No server is running, so nobody will answer yet. Start one: heddle serve');
  const status = await run('logos', 'status');
  expect(status.out).toMatch(/idle: Run 1 was interrupted \("logos run" continues it\)[\s\S]*after 0 of 3 rounds/);
  expect(status.err).toContain('Continue: logos run. End it: logos stop');
  expect((await run('logos', 'status', '--json')).json.run).toMatchObject({ state: 'running', interrupted: true });

  // Whoever followed the work is not left to wait for nobody.
  const { code, err } = await rounds.ended;
  expect(code).toBe(1);
  expect(err).toMatch(/The server that did this work \(process \d+\) is gone\..* Continue: logos run/);
});

test('[L9] [I19] a server that hangs: a sentence within seconds that names its process, and reading goes on', async () => {
  const { serve, run } = await openWorkspace();
  await run('heddle', 'threads', 'new', 'Talk');
  const server = await serve();
  server.process.kill('SIGSTOP');
  const posted = await run('heddle', 'post', 'Talk', 'hello');
  expect(posted.code).toBe(1);
  expect(posted.err).toMatch(new RegExp(`does not answer\\. Nothing was changed\\. .*kill -9 ${server.pid} `));
  expect((await run('heddle', 'read', 'Talk')).out).not.toContain('hello');
  expect((await run('heddle', 'threads')).out).toContain('Talk');
  const doctor = await run('heddle', 'doctor');
  expect(doctor.code).toBe(1);
  expect(doctor.out.replace(/\s+/g, ' ')).toMatch(
    /fail server is using this workspace but does not answer .* → .*kill -9/,
  );
  await server.kill();
  expect((await run('heddle', 'post', 'Talk', 'hello')).code).toBe(0);
  expect((await run('heddle', 'doctor')).out).toMatch(/ok +server +not running/);
});
