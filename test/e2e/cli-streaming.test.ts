// What a model writes, seen on a real terminal while it writes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGate, startFakeModels } from '../support/fake-models.ts';
import { entryOf, newWorkspace, start } from '../support/heddle.ts';
import { hasTmux, terminal } from '../support/terminal.ts';

vi.setConfig({ testTimeout: 120_000 });

async function openWorkspace(program: 'mind' | 'logos') {
  const fake = await startFakeModels();
  onTestFinished(() => fake.close());
  const { path } = newWorkspace();
  writeFileSync(
    join(path, 'heddle.yaml'),
    `models:\n  chat: {provider: openai-chat, base_url: "${fake.openAiUrl}", model: m}\ndefaults: {mind: chat, auditor: chat}\n`,
  );
  const env = { HEDDLE_WORKSPACE: path, PATH: process.env.PATH ?? '', TERM: 'screen-256color' };
  const run = async (...words: string[]) => {
    const ran = await start(words, { program, env }).ended;
    if (ran.code !== 0) throw new Error(`${program} ${words.join(' ')}:\n${ran.out}\n${ran.err}`);
  };
  const onTerminal = (...words: string[]) =>
    terminal(['sh', '-c', `"$@"; sleep 60`, 'sh', process.execPath, entryOf(program), ...words], env);
  return { fake, run, onTerminal };
}

test.skipIf(!hasTmux)('[M12] a draft is seen growing under mind run, and then stands there whole', async () => {
  const { fake, run, onTerminal } = await openWorkspace('mind');
  await run('init', 'Garden plans');
  await run('message', 'Shall we plant beans?');
  const gate = createGate(3);
  fake.script({ text: 'thoughts: [Beans like sun]\ndraft: Yes, in May.', gate });
  const { screen, shows } = onTerminal('run', '1');
  await gate.reached;
  await shows(/thoughts: \[Beans like[\s\S]*\n.*Iteration 1 .*\(Ctrl-C stops\)/);
  gate.open();
  await shows(/Yes, in May\./);
  await vi.waitFor(() => expect(screen()).not.toMatch(/Ctrl-C stops|thoughts: \[/), { timeout: 30_000, interval: 200 });
});

test.skipIf(!hasTmux)('[M12] a thought is seen growing under logos run', async () => {
  const { fake, run, onTerminal } = await openWorkspace('logos');
  await run('init', 'What is a good garden?');
  const gate = createGate(3);
  fake.script({ text: 'thoughts: [A garden needs shade]', gate });
  const { shows } = onTerminal('run', '1');
  await gate.reached;
  await shows(/thoughts: \[A garden[\s\S]*\(Ctrl-C stops\)/);
  gate.open();
  await shows(/A garden needs shade/);
});

test('[C7] Ctrl-C ends the run although the server is gone', async () => {
  const fake = await startFakeModels();
  onTestFinished(() => fake.close());
  const { path, serve } = newWorkspace();
  writeFileSync(
    join(path, 'heddle.yaml'),
    `models:\n  chat: {provider: openai-chat, base_url: "${fake.openAiUrl}", model: m}\ndefaults: {mind: chat}\n`,
  );
  const env = { HEDDLE_WORKSPACE: path };
  const mind = (...words: string[]) => start(words, { program: 'mind', env });
  const server = await serve();
  await mind('init', 'Garden plans').ended;
  await mind('message', 'Shall we plant beans?').ended;
  const gate = createGate(1);
  fake.script({ text: 'thoughts: []\ndraft: Yes.' });
  fake.answer(() => ({ text: 'thoughts: []\ndraft: No.', gate }));
  const run = mind('run', '5');
  await run.said(/Yes\./);
  await gate.reached;
  await server.kill();
  run.process.kill('SIGINT');
  await run.ended;
  expect((await mind('status', '--json').ended).json).toMatchObject({ run: { state: 'ended', reason: 'stopped' } });
});
