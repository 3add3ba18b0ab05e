import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ClientEntry } from '../models/registry/schema.ts';
import { createAgent } from './adapters.ts';
import type { AgentQuestion } from './agent.ts';

const CAPS = { seconds: 60, bytes: 64 * 1024 };
const question: AgentQuestion = { participant: 'alpha', thread: 't1', title: 'Plans', prompt: 'all of it' };
const later: AgentQuestion = { ...question, resume: { session: 's1', news: 'only news' } };

/** An agent of the protocol; `turn` is what it does when it is asked, `more` answers other methods. */
function agent(turn: string, more = '') {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-acp-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const text = `
    import { createInterface } from 'node:readline';
    import { appendFileSync } from 'node:fs';
    let last = 0;
    const waiting = new Map();
    const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
    const ask = (method, params) => new Promise((resolve) => {
      waiting.set('a' + ++last, resolve);
      send({ id: 'a' + last, method, params });
    });
    const say = (text, sessionUpdate = 'agent_message_chunk') =>
      send({ method: 'session/update', params: { sessionId: 's1', update: { sessionUpdate, content: { type: 'text', text } } } });
    const methods = {
      initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }),
      'session/new': () => ({ sessionId: 's1' }),
      'session/load': () => { say('what was said before'); return null; },
      'session/prompt': async ({ prompt }) => { ${turn}; return { stopReason: 'end_turn' }; },
      ${more}
    };
    for await (const line of createInterface({ input: process.stdin })) {
      appendFileSync('heard', line + '\\n');
      const message = JSON.parse(line);
      if (message.method === undefined) waiting.get(message.id)?.(message);
      else void (async () => {
        try { send({ id: message.id, result: await methods[message.method](message.params) }); }
        catch (error) { send({ id: message.id, error: error.rpc ?? { code: -32603, message: String(error) } }); }
      })();
    }
  `;
  writeFileSync(join(directory, 'agent.mjs'), text);
  const settings = { adapter: 'acp', command: [process.execPath, 'agent.mjs'] } as const;
  return {
    directory,
    heard: () =>
      readFileSync(join(directory, 'heard'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ask: (asked: AgentQuestion = question, more: Partial<ClientEntry> = {}, circumstances = {}) =>
      createAgent({ ...settings, ...more }).ask(asked, { directory, caps: CAPS, ...circumstances }),
  };
}

test('[I10] an agent of the client protocol is asked and answers in pieces; it is offered neither files nor terminal', async () => {
  const { ask, heard, directory } = agent(
    `say('I think. ', 'agent_thought_chunk'); say('You said: '); say(prompt[0].text)`,
  );
  expect(await ask()).toEqual({ text: 'You said: all of it', session: 's1', resumed: false });
  const [initialize, fresh] = heard();
  expect(initialize.params.clientCapabilities).toEqual({
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
  });
  expect(fresh).toMatchObject({ method: 'session/new', params: { cwd: directory, mcpServers: [] } });
});

test('[I10] it goes on in its session with what it has not heard, and what it repeats is not its answer', async () => {
  const { ask } = agent('say(prompt[0].text)');
  expect(await ask(later)).toEqual({ text: 'only news', session: 's1', resumed: true });
});

test('[I10] where its session is gone it begins anew and hears all of it', async () => {
  const forgetful = agent('say(prompt[0].text)', `'session/load': () => { throw new Error('gone'); },`);
  expect(await forgetful.ask(later)).toEqual({ text: 'all of it', session: 's1', resumed: false });
  const unable = agent('say(prompt[0].text)', `initialize: () => ({ protocolVersion: 1 }),`);
  expect(await unable.ask(later)).toEqual({ text: 'all of it', session: 's1', resumed: false });
});

test('[I10] what it asks leave for is refused, and nothing of ours is read or run', async () => {
  const { ask, heard } = agent(`
    const options = [{ optionId: 'y', kind: 'allow_once' }, { optionId: 'n', kind: 'reject_once' }];
    await ask('session/request_permission', { sessionId: 's1', toolCall: {}, options });
    await ask('session/request_permission', { sessionId: 's1', toolCall: {}, options: options.slice(0, 1) });
    await ask('fs/read_text_file', { sessionId: 's1', path: '/etc/passwd' });
    await ask('terminal/create', { sessionId: 's1', command: 'id' });
    say('done')
  `);
  expect(await ask()).toMatchObject({ text: 'done' });
  const answers = heard().filter(({ method }) => method === undefined);
  expect(answers).toMatchObject([
    { result: { outcome: { outcome: 'selected', optionId: 'n' } } },
    { result: { outcome: { outcome: 'cancelled' } } },
    { error: { code: -32601 } },
    { error: { code: -32601 } },
  ]);
});

test('[I10] a permission in heddle.yaml is the mode it is set to', async () => {
  const { ask, heard } = agent(`say('ok')`, `'session/set_mode': () => ({}),`);
  await ask(question, { permission: 'plan' });
  expect(heard()).toContainEqual(
    expect.objectContaining({ method: 'session/set_mode', params: { sessionId: 's1', modeId: 'plan' } }),
  );
});

test('[I10] its errors are told; the wish to sign in with what to do', async () => {
  const { ask } = agent(
    `throw Object.assign(new Error(), { rpc: { code: -32603, message: 'Internal error', data: { details: 'no credit' } } })`,
  );
  expect(await ask()).toEqual({ failed: 'Internal error no credit' });
  const locked = agent('', `'session/new': () => { throw Object.assign(new Error(), { rpc: { code: -32000 } }); },`);
  expect(await locked.ask()).toMatchObject({ failed: expect.stringContaining('sign in') });
  const other = agent('', 'initialize: () => ({ protocolVersion: 7 }),');
  expect(await other.ask()).toMatchObject({ failed: expect.stringContaining('version 7') });
  const dying = agent(`console.error('out of memory'); process.exit(3)`);
  expect(await dying.ask()).toEqual({ failed: 'It ended with code 3. out of memory' });
  expect(await dying.ask(question, { command: ['no-such-agent'] })).toMatchObject({
    failed: expect.stringContaining('"no-such-agent" was not found'),
  });
});

test('[I10] it is held to its caps, and can be called off', async () => {
  const flood = agent(`for (let i = 0; i < 1000; i++) say('spam '.repeat(1000))`);
  expect(await flood.ask()).toMatchObject({ cut: true, text: expect.stringContaining('spam') });
  const slow = agent('await new Promise(() => setInterval(() => {}, 1000))');
  expect(await slow.ask(question, {}, { caps: { ...CAPS, seconds: 0.5 } })).toMatchObject({
    failed: expect.stringContaining('longer than 0.5 seconds'),
  });
  const stop = new AbortController();
  const busy = agent(`appendFileSync('asked', 'x'); await new Promise(() => setInterval(() => {}, 1000))`);
  const asking = busy.ask(question, {}, { signal: stop.signal });
  await expect.poll(() => existsSync(join(busy.directory, 'asked')), { timeout: 20_000 }).toBe(true);
  stop.abort();
  expect(await asking).toEqual({ cancelled: true });
});
