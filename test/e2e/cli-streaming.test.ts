// What a model writes, seen on a real terminal while it writes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGate, startFakeModels } from '../support/models/fake-models.ts';
import { entryOf, newWorkspace, start } from '../support/program/heddle.ts';
import { hasTmux, terminal } from '../support/program/terminal.ts';

vi.setConfig({ testTimeout: 120_000 });

async function openWorkspace(program: 'mind' | 'logos', columns?: number) {
  const fake = await startFakeModels();
  onTestFinished(() => fake.close());
  const { path, ok, serve } = newWorkspace();
  writeFileSync(
    join(path, 'heddle.yaml'),
    `models:\n  chat: {provider: openai-chat, base_url: "${fake.openAiUrl}", model: m}\ndefaults: {mind: chat, auditor: chat}\n`,
  );
  const env = { HEDDLE_WORKSPACE: path, PATH: process.env.PATH ?? '', TERM: 'screen-256color' };
  const run = async (...words: string[]) => {
    const ran = await start(words, { program, env }).ended;
    if (ran.code !== 0) throw new Error(`${program} ${words.join(' ')}:\n${ran.out}\n${ran.err}`);
  };
  const shown = (name: 'heddle' | 'mind' | 'logos', ...words: string[]) =>
    terminal(['sh', '-c', `"$@"; sleep 60`, 'sh', process.execPath, entryOf(name), ...words], env, columns);
  const onTerminal = (...words: string[]) => shown(program, ...words);
  /** A server, and a way to know that so many streams of it are read. */
  async function serveStreams() {
    const { url } = await serve();
    const { token } = (await ok('token', '--json')).json;
    const openStreams = async () => {
      const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
      return Number(/^heddle_streams_open (\d+)$/m.exec(await answer.text())?.[1]);
    };
    return { isRead: (streams: number) => expect.poll(openStreams).toBe(streams) };
  }
  const begin = (name: 'heddle' | 'mind', ...words: string[]) => start(words, { program: name, env });
  return { fake, run, begin, shown, onTerminal, serveStreams };
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

test.skipIf(!hasTmux)('[M12] a draft is seen growing under mind watch, where keys still work', async () => {
  const { fake, run, begin, onTerminal, serveStreams } = await openWorkspace('mind', 60);
  const { isRead } = await serveStreams();
  await run('init', 'Garden plans');
  await run('message', 'Shall we plant beans?');
  const { screen, shows, press } = onTerminal('watch');
  await shows(/No drafts yet/);
  await isRead(1);
  const gate = createGate(14);
  const thought = 'Beans like sun and a warm bed, and they climb whatever stands near';
  fake.script({ text: `thoughts: [${thought}]\ndraft: Yes, in May.`, gate });
  const thinking = begin('mind', 'run', '1');
  await gate.reached;
  // Broken at spaces, within the 60 columns of this terminal.
  await shows(/\nmind_0 is writing …\n {4}thoughts: \[Beans like [^\n]{20,40}\n {4}\w+[^\n]*\n/);
  press('s');
  press('-l', 'Shorter, please.');
  await shows(/is writing …[\s\S]*Steer .*: Shorter, please\./);
  press('Enter');
  await shows(/steered: Shorter, please\.[\s\S]*mind_0 is writing …\n {4}thoughts: \[Beans like /);
  gate.open();
  await shows(/▌ #1[\s\S]*Yes, in May\./);
  await vi.waitFor(() => expect(screen()).not.toMatch(/is writing|thoughts: \[/), { timeout: 30_000, interval: 200 });
  await thinking.ended;
});

test.skipIf(!hasTmux)('[M12] a thought is seen growing in logos chat', async () => {
  const { fake, run, onTerminal, serveStreams } = await openWorkspace('logos', 60);
  const { isRead } = await serveStreams();
  await run('init', 'What is a good garden?');
  const { screen, shows, press } = onTerminal('chat');
  await shows(/r run/);
  await isRead(1);
  const gate = createGate(3);
  fake.script({ text: 'thoughts: [A garden needs shade]', gate });
  press('r');
  press('-l', '1');
  press('Enter');
  await gate.reached;
  await shows(/\nmind_0 is writing …\n {4}thoughts: \[A garden\n/);
  press('o');
  await shows(/is writing …[\s\S]*\(Enter, Esc\):/);
  press('Escape');
  gate.open();
  await shows(/mind_0 {2}#1 {2}A garden needs shade/);
  await vi.waitFor(() => expect(screen()).not.toMatch(/is writing/), { timeout: 30_000, interval: 200 });
});

test.skipIf(!hasTmux)(
  '[M12] heddle tail shows what a model writes on a terminal, and a pipe only what is kept',
  async () => {
    const { fake, run, begin, shown, serveStreams } = await openWorkspace('mind', 60);
    const { isRead } = await serveStreams();
    await run('init', 'Garden plans');
    await run('message', 'Shall we plant beans?');
    const { screen, shows } = shown('heddle', 'tail');
    // Broken at spaces although the thread is named in front.
    await shows(/^\[Garden plans\] · human created the dialogue “Garden plans”[\s\S]*#1\n[\s\S]*plant beans\?/);
    await isRead(1);
    const piped = begin('heddle', 'tail');
    const json = begin('heddle', 'tail', '--json');
    const gate = createGate(3);
    fake.script({ text: 'thoughts: [Beans like sun]\ndraft: Yes, in May.', gate });
    const thinking = begin('mind', 'run', '1');
    await gate.reached;
    await shows(/\n\[Garden plans\] mind_0 is writing: thoughts: \[Beans like\n/);
    gate.open();
    await shows(/mind_0 draft #1[\s\S]*Yes, in May\./);
    await vi.waitFor(() => expect(screen()).not.toMatch(/is writing/), { timeout: 30_000, interval: 200 });
    await thinking.ended;
    for (const tail of [piped, json]) {
      await tail.waitForOutput(/Yes, in May\./);
      tail.process.kill('SIGINT');
      expect((await tail.ended).out).not.toMatch(/is writing|text\.streamed/);
    }
  },
);

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
  await run.waitForOutput(/Yes\./);
  await gate.reached;
  await server.kill();
  run.process.kill('SIGINT');
  await run.ended;
  expect((await mind('status', '--json').ended).json).toMatchObject({ run: { state: 'ended', reason: 'stopped' } });
});
