import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { waitUntilGone, waitUntilRunning } from '../../test/support/program/processes.ts';
import { ways } from '../../test/support/program/sandboxes.ts';
import type { ClientEntry } from '../models/registry/schema.ts';
import { createAgent } from './adapters.ts';
import type { AgentCaps, AgentQuestion } from './agent.ts';

const question: AgentQuestion = { participant: 'alpha', thread: 't1', title: 'Plans', prompt: 'What now?' };
const CAPS: AgentCaps = { seconds: 60, bytes: 64 * 1024 };

describe.each(ways)('$way', ({ sandbox }) => {
  /** A small program, in a directory of its own. */
  function program(text: string) {
    const directory = mkdtempSync(join(tmpdir(), 'heddle-agents-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const word = randomUUID();
    writeFileSync(join(directory, 'agent.mjs'), text.replaceAll('A_WORD_OF_ITS_OWN', word));
    const ask = (settings: Partial<ClientEntry> = {}, caps: Partial<AgentCaps> = {}, signal?: AbortSignal) =>
      createAgent({ adapter: 'command', command: [process.execPath, 'agent.mjs'], ...settings }).ask(question, {
        directory,
        caps: { ...CAPS, ...caps },
        sandbox,
        ...(signal && { signal }),
      });
    return { word, ask };
  }

  test('[I10] any program is asked in JSON on standard input and answers in text', async () => {
    const { ask } = program(`
    let text = '';
    for await (const chunk of process.stdin) text += chunk;
    const { participant, title, prompt } = JSON.parse(text);
    console.log(participant, 'in', title, 'heard', prompt, process.argv.slice(2).join('|'));
  `);
    expect(await ask()).toEqual({ text: 'alpha in Plans heard What now?', resumed: false });
  });

  test('[I10] no shell reads the command: what looks like one is a word', async () => {
    const { ask } = program('console.log(process.argv.slice(2).join("|"));');
    const words = ['$(touch x)', '; touch y', '`id`', '*'];
    expect(await ask({ command: [process.execPath, 'agent.mjs', ...words] })).toMatchObject({ text: words.join('|') });
  });

  test('[I10] it sees only variables that are allowed, and no secret of ours', async () => {
    process.env.HEDDLE_TOKEN = 'hdl_secret';
    process.env.SOME_KEY = 'sk-secret';
    process.env.NAMED_KEY = 'named';
    onTestFinished(() => {
      for (const name of ['HEDDLE_TOKEN', 'SOME_KEY', 'NAMED_KEY']) delete process.env[name];
    });
    const { ask } = program('console.log(JSON.stringify(process.env));');
    const reply = await ask({ environment: ['NAMED_KEY'] });
    const seen = JSON.parse('text' in reply ? reply.text : '{}');
    expect(seen).toMatchObject({ NAMED_KEY: 'named', NO_COLOR: '1' });
    expect(seen).not.toHaveProperty('HEDDLE_TOKEN');
    expect(seen).not.toHaveProperty('SOME_KEY');
  });

  test('[I10] over its time it is ended', async () => {
    const { ask } = program('setInterval(() => {}, 1000);');
    expect(await ask({}, { seconds: 0.1 })).toEqual({ failed: 'It took longer than 0.1 seconds, so Heddle ended it.' });
  });

  test('[I10] it is ended with all it forked, though it ignores SIGTERM', async () => {
    const { ask, word } = program(`
    import { spawn } from 'node:child_process';
    process.on('SIGTERM', () => {});
    const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);' +
      'require("node:child_process").spawn("sleep", ["1000"], { argv0: "A_WORD_OF_ITS_OWN" })';
    spawn(process.execPath, ['-e', stubborn], { stdio: 'inherit' });
    setInterval(() => {}, 1000);
  `);
    const stop = new AbortController();
    const asking = ask({}, {}, stop.signal);
    await waitUntilRunning(word, 2);
    stop.abort();
    expect(await asking).toEqual({ cancelled: true });
    await waitUntilGone(word);
  });

  test('[I10] what it leaves running in its group ends with it, and does not hold the answer back', async () => {
    const { ask, word } = program(`
    import { spawn } from 'node:child_process';
    spawn('sleep', ['1000'], { argv0: 'A_WORD_OF_ITS_OWN', stdio: 'inherit' });
    console.log('done');
    process.exit(0);
  `);
    expect(await ask()).toMatchObject({ text: 'done' });
    await waitUntilGone(word);
  });

  test('[I10] a flood of 100 MB is cut at the cap, and the program ended', async () => {
    const { ask } = program(`
    const piece = 'spam '.repeat(200_000);
    process.stdout.on('error', () => process.exit(0));
    for (let i = 0; i < 100; i++) await new Promise((done) => process.stdout.write(piece, done));
  `);
    const reply = await ask();
    expect(reply).toMatchObject({ cut: true, resumed: false });
    expect('text' in reply && reply.text.length).toBeLessThanOrEqual(CAPS.bytes);
  });

  test('[I10] complaints without end are a flood, too', async () => {
    const { ask } = program(`
    process.stderr.on('error', () => process.exit(0));
    for (;;) await new Promise((done) => process.stderr.write('no '.repeat(100_000), done));
  `);
    expect(await ask()).toEqual({ failed: `It wrote more than ${CAPS.bytes} bytes, so Heddle ended it.` });
  });

  test('[I10] colours, orders to a terminal and bytes that are no text are taken out', async () => {
    const { ask } = program(`
    process.stdout.write('\\x1b[31mred\\x1b[0m \\x1b]0;title\\x07\\x1b[2Jplain\\r\\nnext');
    process.stdout.write(Buffer.from([0, 1, 2, 0xff, 0xfe, 0x80]));
  `);
    expect(await ask()).toEqual({ text: 'red plain\nnext\ufffd\ufffd\ufffd', resumed: false });
  });

  test('[I10] another exit code than 0 is a failure, with its last words', async () => {
    const { ask } = program(`console.log('half'); console.error('the disk is gone'); process.exitCode = 7;`);
    expect(await ask()).toEqual({ failed: 'It ended with code 7. the disk is gone' });
  });

  test('[I10] a program that is not there is named, with what to do', async () => {
    const { ask } = program('');
    const missing = 'The program "no-such-agent" was not found. Install it, or correct its command in heddle.yaml.';
    expect(await ask({ command: ['no-such-agent'] })).toEqual({ failed: missing });
  });

  test('[I10] called off, it is ended and says nothing', async () => {
    const { ask, word } = program(`
    import { spawn } from 'node:child_process';
    console.log('never heard');
    process.stdin.once('data', () => spawn('sleep', ['1000'], { argv0: 'A_WORD_OF_ITS_OWN', stdio: 'inherit' }));
    setInterval(() => {}, 1000);
  `);
    const stop = new AbortController();
    const asking = ask({}, {}, stop.signal);
    await waitUntilRunning(word);
    stop.abort();
    expect(await asking).toEqual({ cancelled: true });
    await waitUntilGone(word);
    expect(await ask({}, {}, AbortSignal.abort())).toEqual({ cancelled: true });
  });
});
