import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { entryOf, newWorkspace } from '../support/program/heddle.ts';

vi.setConfig({ testTimeout: 120_000 });

/** `heddle mcp`, spoken to as a client does. */
async function connect(path: string, token: string) {
  const child = spawn(process.execPath, [entryOf('heddle'), 'mcp', '--workspace', path], {
    env: { PATH: process.env.PATH, HEDDLE_TOKEN: token },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.stdin.end();
    if (child.exitCode === null) await new Promise((resolve) => child.on('close', resolve));
  });
  const waiting = new Map<number, (message: { result: { content?: { text: string }[]; isError?: boolean } }) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let last = 0;
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = (method: string, params: object) =>
    new Promise<{ result: { content?: { text: string }[]; isError?: boolean } }>((resolve) => {
      waiting.set(++last, resolve);
      send({ id: last, method, params });
    });
  const clientInfo = { name: 'test', version: '1' };
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  return async (name: string, input: object) => {
    const { result } = await request('tools/call', { name, arguments: input });
    return JSON.parse(result.content?.[0]?.text ?? 'null');
  };
}

test('[I8] an agent that waits hears what was said after the server was started again; a stale cursor is told', async () => {
  const { path, ok, serve } = newWorkspace();
  const { thread } = (await ok('threads', 'new', 'Garden', '--json')).json;
  await ok('invite', 'Garden', 'alpha');
  const token = (await ok('token', '--participant', 'alpha')).out.trim();
  const first = await serve();
  const call = await connect(path, token);
  const { cursor } = await call('join', { thread: thread.id });
  const waiting = call('wait', { thread: thread.id, after: cursor, seconds: 25 });
  await first.kill();
  const second = await serve('--port', new URL(first.url).port);
  const human = createClient({ url: second.url, token: readFileSync(`${path}/token`, 'utf8').trim() });
  const { event } = await human.thread(thread.id).post({ type: 'message', content: 'Are you still there?' });
  const heard = await waiting;
  expect(heard).toMatchObject({ events: [{ id: event.id, content: 'Are you still there?' }] });
  expect(heard.answer).toContain(event.id);
  expect(await call('wait', { thread: thread.id, after: 'w1', seconds: 0 })).toMatchObject({
    error: { code: 'wrong_cursor', message: expect.stringMatching(/\.$/) },
  });
  expect(await call('wait', { thread: thread.id, after: 't999999', seconds: 0 })).toHaveProperty('error.code');
  await second.stop();
  expect(await call('read', { thread: thread.id })).toMatchObject({ error: { code: 'unreachable' } });
});
