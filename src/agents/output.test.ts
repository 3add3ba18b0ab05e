import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ways } from '../../test/support/program/sandboxes.ts';
import type { ClientEntry } from '../models/registry/schema.ts';
import { createAgent } from './adapters.ts';
import type { AgentQuestion } from './agent.ts';
import { createByteBuffer, createLineSplitter } from './program/byte-buffer.ts';

const CAPS = { seconds: 60, bytes: 256 * 1024 };
const question: AgentQuestion = { participant: 'alpha', thread: 't1', title: 'Plans', prompt: 'What now?' };

/** Asks a small program in a directory of its own, as a client of some kind. */
function program(text: string, settings: Partial<ClientEntry>) {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-output-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, 'agent.mjs'), text);
  const agent = createAgent({ adapter: 'command', command: [process.execPath, 'agent.mjs'], ...settings });
  return {
    directory,
    ask: (sandbox: 'off' | 'auto' | 'required', more: Partial<AgentQuestion> = {}, bytes = CAPS.bytes) =>
      agent.ask({ ...question, ...more }, { directory, caps: { ...CAPS, bytes }, sandbox }),
  };
}

describe.each(ways)('$way', ({ sandbox }) => {
  test('[I10] one that would write a gigabyte without a line end is ended after a few pipes full', async () => {
    const { ask, directory } = program(
      `import { appendFileSync, writeSync } from 'node:fs';
       const piece = Buffer.alloc(64 * 1024, 'x');
       for (let i = 0; i < 16 * 1024; i++) { writeSync(1, piece); appendFileSync('written', 'x'); }`,
      {},
    );
    expect(await ask(sandbox)).toMatchObject({ cut: true, text: 'x'.repeat(CAPS.bytes) });
    // Of 16,384 pieces: what is allowed, what one pipe holds, and what was read on the way.
    expect(readFileSync(join(directory, 'written'), 'utf8').length).toBeLessThan(64);
  });

  test('[I10] one that ends at once, or never reads, is told as much as there is without harm', async () => {
    const prompt = 'long '.repeat(1_000_000);
    const hasty = program('process.exit(0)', {});
    expect(await hasty.ask(sandbox, { prompt })).toMatchObject({ text: '' });
    const deaf = program('console.log("said"); process.stdin.pause(); setTimeout(() => process.exit(0), 100)', {});
    expect(await deaf.ask(sandbox, { prompt })).toMatchObject({ text: 'said' });
    const closed = program(`import { closeSync } from 'node:fs'; closeSync(0); console.log('said')`, {});
    expect(await closed.ask(sandbox, { prompt })).toMatchObject({ text: 'said' });
  });
});

test('[I10] an agent of the client protocol cannot make the server write what cannot be written', async () => {
  const { ask } = program(
    `const deep = '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000);
     console.log('{"jsonrpc":"2.0","method":"fs/read_text_file","id":' + deep + '}');
     console.log('{"jsonrpc":"2.0","method":"session/request_permission","id":1,"params":{"options":[{"kind":"reject_once","optionId":' + deep + '}]}}');
     console.log('{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":' + '['.repeat(20_000) + ']'.repeat(20_000) + '}}');
     process.stdin.resume();`,
    { adapter: 'acp' },
  );
  expect(await ask('off', {}, 1024 * 1024)).toHaveProperty('failed');
});

test('[I10] what an agent calls its session is never an option of its command', async () => {
  const { ask } = program(
    `console.log(JSON.stringify({ result: 'Hello.', session_id: '--dangerously-skip-permissions' }))`,
    { adapter: 'claude' },
  );
  expect(await ask('off')).toEqual({ text: 'Hello.', resumed: false });
});

test('[I10] output that repeats a word is looked through once', async () => {
  // Eight times as much of it takes about eight times as many steps of the machine, not sixty-four times as many.
  const steps = async (words: number) => {
    const { ask } = program(`console.log('session '.repeat(${words}))`, { adapter: 'codex' });
    const before = process.cpuUsage();
    const reply = await ask('off', { resume: { session: 's', news: 'n' } }, 4 * 1024 * 1024);
    const { user } = process.cpuUsage(before);
    expect(reply).toHaveProperty('failed');
    return user;
  };
  await steps(1000);
  const [some, more] = [await steps(10_000), await steps(80_000)];
  expect(more / some).toBeLessThan(24);
});

test('[I10] output in pieces of any size is put together, line by line where it is read so', () => {
  const whole = createByteBuffer();
  const byte = Buffer.from('x');
  for (let i = 0; i < 5000; i++) whole.push(byte);
  expect(whole.take()).toBe('x'.repeat(5000));
  expect(whole.take()).toBe('');
  const lines: string[] = [];
  const hear = createLineSplitter((line) => lines.push(line));
  for (const chunk of ['on', 'e\ntw', 'o\n\nth', 'ree']) hear(Buffer.from(chunk));
  expect(lines).toEqual(['one', 'two', '']);
});
