import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import { fillDisk, mayMount, mountSmallDisk } from '../../../test/support/stores/small-disk.ts';
import { type ListeningServer, listen } from './listen.ts';

let server: TestServer;
let httpServer: ListeningServer;
beforeAll(async () => {
  server = await openTestServer();
  httpServer = await listen({ app: server.app, port: 0 });
});
afterAll(async () => {
  await httpServer.close();
  await server.close();
});

const UPLOADS = ['/api/import', '/api/looms/import', '/api/blobs'];
/** One that is not what is expected, and one that may become it. */
const BEGINNINGS = ['not a line of ours\n', '{"heddle":"export","version":1,'];

interface Sending {
  readonly path: string;
  readonly body: string;
  readonly token?: string;
  /** The body that was announced: longer than what is sent. */
  readonly length?: number;
}

/** Sends the head and the beginning of a body, and stays. */
function begin({ path, body, token = server.human, length = 1_000_000 }: Sending) {
  const socket = connect(httpServer.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${httpServer.port}\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/${path === '/api/blobs' ? 'octet-stream' : 'jsonl'}\r\nContent-Length: ${length}\r\n\r\n${body}`,
  );
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  return { socket, closed, text: () => text };
}

function putTemporaryFilesIn(path: string): string {
  vi.stubEnv('TMPDIR', path);
  onTestFinished(() => void vi.unstubAllEnvs());
  return path;
}

/** A directory for temporary files that nobody else uses. */
function ownTemporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'heddle-uploads-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return putTemporaryFilesIn(path);
}

async function mustServeOthers() {
  expect((await fetch(`${httpServer.url}/healthz`)).status).toBe(200);
}

for (const path of UPLOADS) {
  for (const [i, body] of BEGINNINGS.entries()) {
    test(`[I5] a client that disconnects during an upload only ends its own request (${path}, ${i})`, async () => {
      const directory = ownTemporaryDirectory();
      for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
        const { socket, closed } = begin({ path, body });
        if (path !== '/api/looms/import') await vi.waitFor(() => expect(readdirSync(directory)).toHaveLength(1));
        socket[leave]();
        await closed;
        await vi.waitFor(() => expect(readdirSync(directory)).toEqual([]));
        await mustServeOthers();
      }
      expect(server.reported).toEqual([]);
    });
  }
}

test('[I5] an upload refused before its end gets its answer, and the server continues', async () => {
  const [body = ''] = BEGINNINGS;
  for (const token of [server.human, server.agent]) {
    const { closed, text } = begin({ path: '/api/looms/import', body, token });
    await closed;
    expect(text()).toMatch(/^HTTP\/1\.1 400 /);
    expect(text()).toContain('"code":"malformed"');
  }
  await mustServeOthers();
  expect(server.reported).toEqual([]);
});

test('[I5] after an early refusal the connection takes the next request', async () => {
  const [body = ''] = BEGINNINGS;
  const { socket, text } = begin({
    path: '/api/looms/import',
    body: body + 'x'.repeat(200_000),
    length: body.length + 200_000,
  });
  await vi.waitFor(() => expect(text()).toContain('"code":"malformed"'));
  socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${httpServer.port}\r\n\r\n`);
  await vi.waitFor(() => expect(text()).toContain('"status":"ok"'));
});

test.runIf(mayMount())(
  '[L16] an upload without room for a temporary file is answered 507 and leaves nothing behind',
  async () => {
    const disk = putTemporaryFilesIn(mountSmallDisk());
    const filler = join(disk, 'filler');
    fillDisk(filler);
    const { text } = begin({ path: '/api/import', body: `${'x'.repeat(100_000)}\n` });
    await vi.waitFor(() => expect(text()).toMatch(/^HTTP\/1\.1 507 /));
    expect(text()).toContain(`There is no space for the file in ${disk}`);
    await mustServeOthers();
    expect(readdirSync(disk)).toEqual(['filler']);
    rmSync(filler);
    const whole = begin({ path: '/api/import', body: 'x'.repeat(100), length: 100 });
    await vi.waitFor(() => expect(whole.text()).toContain('"code":"bad_file"'));
    await vi.waitFor(() => expect(readdirSync(disk)).toEqual([]));
  },
);

test('[I5] a missing temporary directory is reported with a message', async () => {
  const directory = ownTemporaryDirectory();
  rmSync(directory, { recursive: true });
  const { text } = begin({ path: '/api/import', body: 'x' });
  await vi.waitFor(() => expect(text()).toMatch(/^HTTP\/1\.1 503 /));
  expect(text()).toContain('Nothing was imported');
  await mustServeOthers();
});
