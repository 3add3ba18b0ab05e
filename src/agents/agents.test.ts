import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Caps, ClientSettings, Question } from './agent.ts';
import { agentFor } from './clients.ts';

const question: Question = { participant: 'alpha', thread: 't1', title: 'Plans', prompt: 'What now?' };
const CAPS: Caps = { seconds: 60, bytes: 64 * 1024 };

/** A small program, in a directory of its own. */
function program(text: string) {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-agents-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, 'agent.mjs'), text);
  const ask = (settings: Partial<ClientSettings> = {}, caps: Partial<Caps> = {}, signal?: AbortSignal) =>
    agentFor({ adapter: 'command', command: [process.execPath, 'agent.mjs'], ...settings }).ask(question, {
      directory,
      caps: { ...CAPS, ...caps },
      ...(signal && { signal }),
    });
  return { directory, ask };
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
  expect(await ask({}, { seconds: 0.1 })).toEqual({ failed: 'It took longer than 0.1 seconds and was ended.' });
});

test('[I10] it is ended with all it forked, though it ignores SIGTERM', async () => {
  const { ask, directory } = program(`
    import { spawn } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); process.send?.("ready")';
    const child = spawn(process.execPath, ['-e', stubborn], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    process.on('SIGTERM', () => {});
    child.on('message', () => writeFileSync('pids', process.pid + ' ' + child.pid));
    setInterval(() => {}, 1000);
  `);
  const stop = new AbortController();
  const asking = ask({}, {}, stop.signal);
  await appears(join(directory, 'pids'));
  stop.abort();
  expect(await asking).toEqual({ cancelled: true });
  const pids = readFileSync(join(directory, 'pids'), 'utf8').split(' ').map(Number);
  expect(pids).toHaveLength(2);
  for (const pid of pids) await gone(pid);
});

test('[I10] what it leaves running in its group ends with it, and does not hold the answer back', async () => {
  const { ask } = program(`
    import { spawn } from 'node:child_process';
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    console.log(child.pid);
    process.exit(0);
  `);
  const reply = await ask();
  await gone(Number('text' in reply ? reply.text : 0));
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
  expect(await ask()).toEqual({ failed: `It wrote more than ${CAPS.bytes} bytes and was ended.` });
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
  const { ask, directory } = program(`
    import { writeFileSync } from 'node:fs';
    console.log('never heard');
    process.stdin.once('data', () => writeFileSync('pid', String(process.pid)));
    setInterval(() => {}, 1000);
  `);
  const stop = new AbortController();
  const asking = ask({}, {}, stop.signal);
  await appears(join(directory, 'pid'));
  stop.abort();
  expect(await asking).toEqual({ cancelled: true });
  await gone(Number(readFileSync(join(directory, 'pid'), 'utf8')));
  expect(await ask({}, {}, AbortSignal.abort())).toEqual({ cancelled: true });
});

/** Killed processes are there until whoever inherits them has noticed. */
async function gone(pid: number) {
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function appears(path: string) {
  await expect.poll(() => readable(path), { timeout: 20_000 }).toBe(true);
}

function readable(path: string): boolean {
  try {
    return readFileSync(path, 'utf8') !== '';
  } catch {
    return false;
  }
}
