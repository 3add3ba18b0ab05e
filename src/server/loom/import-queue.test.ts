import { expect, test } from 'vitest';
import { bodyOf, openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import { isRefusal } from '../../core/refusal.ts';
import type { WireError } from '../../protocol/wire.ts';
import { parseLooms } from './import.ts';
import { createReader, type LoomReader, openLoomReader } from './reader.ts';

function line(name: string, text: string | Buffer): string {
  return `${JSON.stringify({ name, base64: Buffer.from(text).toString('base64') })}\n`;
}

function upload(server: TestServer, token: string, body: string | ReadableStream): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/jsonl' };
  return server.app.request('/api/looms/import', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
}

async function threadsIn(server: TestServer): Promise<number> {
  return (await server.client().threads.list()).threads.length;
}

test('[T23] an agent can import up to its limit, then nothing is stored, and a human has no limit', async () => {
  const server = await openTestServer({ agentLimits: { importBytes: 100_000 } });
  const file = line('long.txt', 'a word '.repeat(20_000));
  const refused = await upload(server, server.agent, file);
  expect(refused.status).toBe(429);
  const { error } = await bodyOf<WireError>(refused);
  expect(error).toMatchObject({ code: 'limit_reached', message: expect.stringContaining('limits.agents.import_mb') });
  expect(await threadsIn(server)).toBe(0);
  expect((await upload(server, server.agent, line('short.txt', 'a word'))).status).toBe(200);
  expect(await (await upload(server, server.human, file)).text()).toContain('"looms"');
  await server.close();
});

test('[T23] importing more looms than an agent may create this hour is refused as a whole', async () => {
  const server = await openTestServer({ agentLimits: { threadsPerHour: 3 } });
  await server.client(server.agent).threads.create({ title: 'one of them' });
  const files = (count: number) => Array.from({ length: count }, (_, i) => line(`${i}.txt`, 'a word')).join('');
  const refused = await upload(server, server.agent, files(3));
  expect([refused.status, Number(refused.headers.get('retry-after')) > 3500]).toEqual([429, true]);
  expect(await threadsIn(server)).toBe(1);
  expect(await (await upload(server, server.agent, files(2))).text()).toContain('"looms"');
  expect((await upload(server, server.agent, files(1))).status).toBe(429);
  await server.close();
});

const tree = JSON.stringify({
  root: {
    id: 'r',
    text: '',
    children: Array.from({ length: 5000 }, (_, i) => ({ id: `n${i}`, text: 'word '.repeat(40) })),
  },
});

test('[T23] a large file is read while others are served, with the same result', async () => {
  let turns = 0;
  let over = false;
  const turn = () => {
    turns++;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  const pieces = [Buffer.from(tree.slice(0, 1000)), Buffer.from(tree.slice(1000))];
  const reader = await openLoomReader([{ name: 'tree.json', pieces }], 'auto', new AbortController().signal);
  over = true;
  expect(turns).toBeGreaterThan(3);

  const read = parseLooms([{ name: 'tree.json', content: tree }], 'auto');
  if (isRefusal(reader) || isRefusal(read)) throw new Error('It should have been read.');
  const localReader = createReader(read);
  expect(reader.looms).toEqual(localReader.looms);
  expect(await everyPart(reader)).toEqual(await everyPart(localReader));
  expect(await reader.report(0)).toEqual(await localReader.report(0));
  reader.close();
});

test('[T23] a large unreadable file is refused, and one whose reader left is dropped', async () => {
  const bad = { name: 'bad.json', pieces: [Buffer.from(`{"a": ${'1'.repeat(300_000)}`)] };
  const leaving = new AbortController();
  expect(await openLoomReader([bad], 'auto', leaving.signal)).toMatchObject({ refusal: { code: 'bad_file' } });
  const reading = openLoomReader([{ name: 'tree.json', pieces: [Buffer.from(tree)] }], 'auto', leaving.signal);
  leaving.abort();
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
});

test('[T23] imports of one participant run one by one, those of others in parallel', async () => {
  const server = await openTestServer();
  let finish = () => {};
  const slow = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from(line('first.txt', 'a word')));
      finish = () => controller.close();
    },
  });
  const first = upload(server, server.agent, slow).then((answer) => answer.text());
  const second = upload(server, server.agent, line('second.txt', 'a word')).then((answer) => answer.text());
  await (await upload(server, server.human, line('theirs.txt', 'a word'))).text();
  expect(await threadsIn(server)).toBe(1);
  finish();
  await Promise.all([first, second]);
  const { threads } = await server.client().threads.list();
  expect(threads.map(({ title }) => title)).toEqual(['second', 'first', 'theirs']);
  await server.close();
});

async function everyPart(reader: LoomReader) {
  const parts = [];
  for (let part = await reader.next(0); part; part = await reader.next(0)) parts.push(part);
  return parts;
}
