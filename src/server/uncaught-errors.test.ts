import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

/** A server with mistakes of every kind, in a process of its own. */
const PROGRAM = `
import { createServer } from 'node:http';
import { surviveUncaughtErrors } from ${JSON.stringify(join(import.meta.dirname, 'uncaught-errors.ts'))};
let count = 0;
const clean = (text) => text.replaceAll('sesame', '[removed]');
const stop = surviveUncaughtErrors(clean, () => count++);
createServer((request, response) => {
  response.end(String(count));
  if (request.url === '/throw') setImmediate(() => { throw new Error('open sesame\\nplease'); });
  if (request.url === '/reject') Promise.reject(new Error('rejected'));
  if (request.url === '/event') response.on('close', () => response.emit('error', new Error('an event')));
  if (request.url === '/stop') stop();
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

async function startServer() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM]);
  onTestFinished(() => void child.kill());
  let err = '';
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const [port] = await once(createInterface(child.stdout), 'line');
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  return { child, get, err: () => err };
}

test('[I5] an uncaught error does not end the process: it is one line without secrets, and counted', async () => {
  const { get, err } = await startServer();
  for (const path of ['/throw', '/reject', '/event']) await get(path);
  await expect.poll(() => get('/')).toBe('3');
  await expect.poll(() => err().trimEnd().split('\n')).toHaveLength(3);
  const [first = '', second, third] = err().split('\n');
  expect(first).toContain('Unhandled error (please report it): Error: open [removed] please at ');
  expect([second, third]).toEqual([expect.stringContaining('rejected'), expect.stringContaining('an event')]);
});

test('[I5] a client that closed its output does not end the process either', async () => {
  const { child, get } = await startServer();
  child.stderr.destroy();
  for (let i = 0; i < 3; i++) await get('/throw');
  await expect.poll(() => get('/')).toBe('3');
});

test('[I5] once nobody is served any more, an error ends the process as usual', async () => {
  const { child, get } = await startServer();
  await get('/stop');
  await get('/throw').catch(() => {});
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).not.toBe(0);
});
