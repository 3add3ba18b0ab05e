import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import {
  openTestServer,
  readRefusal,
  type TestServer,
  type TestServerOptions,
} from '../../../test/support/servers/server.ts';
import { HTML_WITH_SCRIPT, pngOf, SVG_WITH_SCRIPT } from '../../../test/support/texts/files.ts';
import type { HeddleRefusal } from '../../client/index.ts';
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from '../../core/attachments/attachment.ts';
import { sha256 } from '../../log/seal.ts';

async function open(options?: TestServerOptions): Promise<TestServer> {
  const server = await openTestServer(options);
  onTestFinished(() => server.close());
  return server;
}

const bytesOf = (data: Buffer | string) => new Uint8Array(Buffer.from(data as string));
const refusalOf = (promise: Promise<unknown>): Promise<HeddleRefusal> =>
  promise.then(
    () => {
      throw new Error('accepted');
    },
    (error) => error,
  );

async function get(server: TestServer, blob: string, query = '', headers: Record<string, string> = {}) {
  return server.send('GET', `/api/blobs/${blob}${query}`, { headers });
}

test('[I27] a file comes back byte for byte, under the hash of its bytes, and is stored once', async () => {
  const server = await open();
  const client = server.client();
  const file = bytesOf(randomBytes(300_000));
  const uploaded = await client.blobs.upload(file);
  expect(uploaded).toEqual({ blob: sha256(file), size: 300_000, type: 'application/octet-stream' });
  expect(await client.blobs.upload(file)).toEqual(uploaded);
  expect(Buffer.compare(await client.blobs.bytes(uploaded.blob), file)).toBe(0);
});

test('[I27] an image is shown in place, everything else is saved, and nothing runs', async () => {
  const server = await open();
  const client = server.client();
  const image = await client.blobs.upload(bytesOf(pngOf(40, 30)));
  expect(image).toMatchObject({ type: 'image/png', width: 40, height: 30 });
  const shown = await get(server, image.blob, '?name=a%20%22photo%22.png');
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': "inline; filename*=UTF-8''a%20%22photo%22.png",
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
    'cache-control': 'private, no-cache',
    'cross-origin-resource-policy': 'same-origin',
  });
  for (const text of [SVG_WITH_SCRIPT, HTML_WITH_SCRIPT]) {
    const { blob } = await client.blobs.upload(bytesOf(text));
    const { headers } = await get(server, blob, '?name=page.html');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment;/);
  }
});

test('[I27] a browser asks before it shows its copy again, and gets no bytes', async () => {
  const server = await open();
  const { blob } = await server.client().blobs.upload(bytesOf('text'));
  const etag = (await get(server, blob)).headers.get('etag') as string;
  const again = await get(server, blob, '', { 'if-none-match': etag });
  expect(again.status).toBe(304);
  expect(
    (await server.send('GET', `/api/blobs/${blob}`, { token: '', headers: { 'if-none-match': etag } })).status,
  ).toBe(401);
});

test('[I27] without a credential nothing is stored and nothing is shown', async () => {
  const server = await open();
  const { blob } = await server.client().blobs.upload(bytesOf('text'));
  expect((await server.send('GET', `/api/blobs/${blob}`, { token: '' })).status).toBe(401);
  const sent = await server.app.request('/api/blobs', {
    method: 'POST',
    body: 'x',
    headers: { 'content-type': 'application/octet-stream' },
  });
  expect(sent.status).toBe(401);
});

test('[I27] a file that is not there says so', async () => {
  const server = await open();
  for (const blob of ['0'.repeat(64), 'nothing', '..%2f..%2fetc']) {
    expect(await readRefusal(await get(server, blob))).toMatchObject({ status: 404, code: 'unknown_blob' });
  }
});

test('[I27] 25 MB are taken, one byte more is refused with the limit', async () => {
  const server = await open();
  const client = server.client();
  const most = new Uint8Array(MAX_ATTACHMENT_BYTES);
  expect(await client.blobs.upload(most)).toMatchObject({ size: MAX_ATTACHMENT_BYTES });
  const error = await refusalOf(client.blobs.upload(new Uint8Array(MAX_ATTACHMENT_BYTES + 1)));
  expect(error).toMatchObject({
    status: 413,
    code: 'too_large',
    message: expect.stringContaining('larger than 25 MB'),
  });
});

test('[I27] the body has to be sent as bytes', async () => {
  const server = await open();
  const refusal = await readRefusal(await server.send('POST', '/api/blobs', { body: { a: 1 } }));
  expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining('application/octet-stream') });
});

test('[I27] a message carries what the server found in the bytes, whatever the client says', async () => {
  const server = await open();
  const client = server.client();
  const { thread } = await client.threads.create({ title: 'Garden' });
  const image = await client.blobs.upload(bytesOf(pngOf(8, 6)));
  const lie = { blob: image.blob, name: '../\u202eevil/photo\u202egnp.exe', type: 'text/html', size: 1, width: 9999 };
  const { event } = await client
    .thread(thread.id)
    .post({ type: 'message', content: 'Look', meta: { attachments: [lie] } });
  expect(event.meta).toMatchObject({
    blobs: [image.blob],
    attachments: [
      { blob: image.blob, name: 'photo\ufffdgnp.exe', type: 'image/png', size: image.size, width: 8, height: 6 },
    ],
  });
});

test('[I27] a blob that is not there cannot be attached, and nothing is posted', async () => {
  const server = await open();
  const client = server.client();
  const { thread } = await client.threads.create({ title: 'Garden' });
  const before = (await client.thread(thread.id).events()).events.length;
  const attachments = [{ blob: 'a'.repeat(64), name: 'x' }];
  const error = await refusalOf(
    client.thread(thread.id).post({ type: 'message', content: 'Look', meta: { attachments } }),
  );
  expect(error).toMatchObject({ status: 404, code: 'unknown_blob' });
  expect((await client.thread(thread.id).events()).events).toHaveLength(before);
});

test('[I27] at most 20 files stand at a message, and none at a control', async () => {
  const server = await open();
  const client = server.client();
  const { thread } = await client.threads.create({ title: 'Garden' });
  const { blob } = await client.blobs.upload(bytesOf('text'));
  const files = (count: number) => Array.from({ length: count }, (_, i) => ({ blob, name: `${i}.txt` }));
  const post = (count: number) =>
    client.thread(thread.id).post({ type: 'message', content: 'Look', meta: { attachments: files(count) } });
  expect((await post(MAX_ATTACHMENTS)).event.meta.attachments).toHaveLength(MAX_ATTACHMENTS);
  expect(await refusalOf(post(MAX_ATTACHMENTS + 1))).toMatchObject({ status: 400 });
  const control = await server.send('POST', `/api/threads/${thread.id}/events`, {
    body: { type: 'control', content: { pause: { on: true } }, meta: { attachments: files(1) } },
  });
  expect(control.status).toBe(400);
});

test('[I27] sent twice with one id, a message with a file is posted once', async () => {
  const server = await open();
  const client = server.client();
  const { thread } = await client.threads.create({ title: 'Garden' });
  const { blob } = await client.blobs.upload(bytesOf('text'));
  const body = { type: 'message', content: 'Look', meta: { attachments: [{ blob, name: 'a.txt' }] } } as const;
  const first = await client.thread(thread.id).post(body, { id: 'once' });
  const second = await client.thread(thread.id).post(body, { id: 'once' });
  expect(second.event.id).toBe(first.event.id);
});

test("[T19] an agent's draft keeps its files, and they are posted with it", async () => {
  const server = await open();
  const human = server.client();
  const agent = server.client(server.agent);
  const { thread } = await human.threads.create({
    title: 'Garden',
    invite: [{ participant_id: 'alpha', profile: { posting: 'draft' } }],
  });
  const { blob } = await agent.blobs.upload(bytesOf('text'));
  await agent
    .thread(thread.id)
    .post({ type: 'message', content: 'Look', meta: { attachments: [{ blob, name: 'a.txt' }] } });
  const { events } = await human.thread(thread.id).command('draft_accept', { index: 1 });
  expect(events.find(({ type }) => type === 'message')?.meta).toMatchObject({
    blobs: [blob],
    attachments: [{ blob, name: 'a.txt', type: 'text/plain', size: 4 }],
  });
});

test('[T23] an agent that floods the store with files is stopped and told so; a human is not', async () => {
  const server = await open({ agentLimits: { uploadBytesPerHour: 1024 * 1024 } });
  const agent = server.client(server.agent);
  const file = () => bytesOf(randomBytes(400 * 1024));
  const first = file();
  await agent.blobs.upload(first);
  await agent.blobs.upload(file());
  const error = await refusalOf(agent.blobs.upload(file()));
  expect(error).toMatchObject({
    status: 429,
    code: 'limit_reached',
    message: expect.stringMatching(/upload 1 MB of files an hour.*limits\.agents\.upload_mb_per_hour/),
  });
  // What is there already takes no room.
  expect(await agent.blobs.upload(first)).toMatchObject({ size: 400 * 1024 });
  await server.client().blobs.upload(file());
});

test('[I27] a credential uploads eight files at once and no more', async () => {
  const server = await open();
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const slowBody = () =>
    new ReadableStream({
      async start(controller) {
        await held;
        controller.enqueue(randomBytes(10));
        controller.close();
      },
    });
  const upload = (body: string | ReadableStream) =>
    server.app.request('/api/blobs', {
      method: 'POST',
      headers: { authorization: `Bearer ${server.human}`, 'content-type': 'application/octet-stream' },
      body,
      duplex: 'half',
    } as RequestInit);
  const slow = Array.from({ length: 8 }, () => upload(slowBody()));
  expect(await readRefusal(await upload('x'))).toMatchObject({ status: 429, code: 'rate_limited' });
  finish();
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(Array(8).fill(201));
  expect((await upload('x')).status).toBe(201);
});

test('[I27] fifty images of one thread all arrive, however many are asked for at once', async () => {
  const server = await open();
  const client = server.client();
  const images = Array.from({ length: 50 }, (_, i) =>
    bytesOf(Buffer.concat([pngOf(4, 4, [i, i, i]), randomBytes(300_000)])),
  );
  const uploaded = [];
  for (const image of images) uploaded.push(await client.blobs.upload(image));
  const fetched = await Promise.all(uploaded.map(({ blob }) => client.blobs.bytes(blob)));
  expect(fetched.map(sha256)).toEqual(uploaded.map(({ blob }) => blob));
});
