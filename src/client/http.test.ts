import { createServer, type Server, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test } from 'vitest';
import { createClient, HeddleUnreachable } from './index.ts';

const BODY = '{"event":{"id":"e1"},"delivery":[]}';
const HEAD = `HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\nConnection: close\r\n\r\n`;
let server: Server;
afterEach(() => server.close());

/** A server whose connections end after these answers, one each; what came in is noted. */
async function answering(...answers: string[]) {
  const asked: string[] = [];
  server = createServer((socket) =>
    socket.once('data', (data) => {
      socket.end(answers[asked.length] ?? '');
      asked.push(String(data));
    }),
  );
  return { url: await listening(), keys: () => asked.map((text) => /idempotency-key: (\S+)/i.exec(text)?.[1]) };
}

async function listening(): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

test('[L7] [I1] a command whose answer breaks off is sent again under the same id', async () => {
  const { url, keys } = await answering(HEAD + BODY.slice(0, 10), '', HEAD + BODY);
  const posted = await createClient({ url }).thread('t').post({ type: 'message', content: 'Hello' }, { id: 'k1' });
  expect(posted.event.id).toBe('e1');
  expect(keys()).toEqual(['k1', 'k1', 'k1']);
});

test('[I1] an answer that breaks off is no answer, and the error says so', async () => {
  const { url } = await answering(HEAD + BODY.slice(0, 10));
  const asking = createClient({ url }).threads.list();
  await expect(asking).rejects.toThrow(HeddleUnreachable);
});

test('[I6] a stream can still be given up after the memory was tidied', async () => {
  setFlagsFromString('--expose-gc');
  const tidy = runInNewContext('gc') as () => void;
  const sockets = new Set<Socket>();
  server = createServer((socket) => {
    sockets.add(socket);
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\nid: w1.1\ndata: {}\n\n'));
  });
  const url = await listening();
  const over = new AbortController();
  const stream = createClient({ url }).stream({ signal: over.signal });
  expect((await stream.next()).value).toMatchObject({ cursor: 'w1.1' });
  const next = stream.next();
  for (let i = 0; i < 5; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    tidy();
  }
  over.abort();
  expect((await next).done).toBe(true);
  for (const socket of sockets) socket.destroy();
});
