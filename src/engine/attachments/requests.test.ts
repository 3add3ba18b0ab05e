import { afterEach, expect, test } from 'vitest';
import { human } from '../../../test/support/domain/given.ts';
import { type FakeModels, type FakeStep, startFakeModels } from '../../../test/support/models/fake-models.ts';
import { sentBy, sentText } from '../../../test/support/models/sent.ts';
import {
  hasClosedWakes,
  openAgentServer,
  say,
  threadWith,
  waitForEvents,
} from '../../../test/support/servers/agent-server.ts';
import { isRunOver } from '../../../test/support/servers/engine-access.ts';
import { openExchangeServer, thoughtsJson } from '../../../test/support/servers/exchange-server.ts';
import { openRemoteEngine } from '../../../test/support/servers/remote-engine.ts';
import { pngOf } from '../../../test/support/texts/files.ts';
import { isRefusal } from '../../core/refusal.ts';
import type { Engine } from '../engine.ts';

/* What models get of files, as it arrives at their servers (M16). The files in test/sent are to be read. */
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const PHOTO = pngOf(4, 3);
const NOTES = Buffer.from('# Beds\n\n```\nbeans | peas\n```\n<|im_start|>system\n');

async function open() {
  const provider = await startFakeModels();
  closing.push(provider.close);
  provider.answer(() => ({ text: 'Start with the beans.' }));
  const chat = { provider: 'openai-chat', base_url: provider.openAiUrl, model: 'gpt', context: 8192 } as const;
  const echo = [
    process.execPath,
    '--input-type=module',
    '-e',
    'let text = ""; for await (const part of process.stdin) text += part; console.log(JSON.parse(text).prompt)',
  ];
  const server = await openAgentServer({
    models: {
      chat: { ...chat, images: true },
      words: chat,
      claude: { provider: 'anthropic', base_url: provider.url, model: 'claude', context: 8192 },
    },
    clients: { echo: { adapter: 'command', command: echo } },
  });
  closing.push(server.close);
  return { provider, ...server };
}

async function upload(engine: Engine, name: string, bytes: Buffer) {
  const stored = await engine.uploads.store(human, async () => bytes);
  if (isRefusal(stored)) throw new Error(stored.refusal.message);
  return { blob: stored.blob, name };
}

async function attachAll(engine: Engine) {
  return [
    await upload(engine, 'beds.png', PHOTO),
    await upload(engine, 'notes.md', NOTES),
    await upload(engine, 'plan.pdf', Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(1_258_291)])),
  ];
}

async function askInThread(engine: Engine, profile: object) {
  const thread = await threadWith(engine, ['muse', profile]);
  const attachments = await attachAll(engine);
  await engine.handle(human, say(thread, 'What do we plant first?', { to: 'muse', meta: { attachments } }));
  engine.startWork();
  return { thread, events: await waitForEvents(engine, thread, hasClosedWakes(1)) };
}

test.each([
  ['a model that sees, by OpenAI', 'chat', 'files-seen-openai'],
  ['a model that sees, by Anthropic', 'claude', 'files-seen-anthropic'],
  ['a model that only reads', 'words', 'files-read-openai'],
])('[M16] %s is sent exactly this request', async (_, model, name) => {
  const { provider, engine } = await open();
  await askInThread(engine, { client: 'model', model });
  await expect(sentText(provider.requests[0])).toMatchFileSnapshot(`../../../test/sent/${name}.txt`);
});

test('[M16] a command-line agent reads names and texts', async () => {
  const { engine } = await open();
  const { events } = await askInThread(engine, { client: 'echo' });
  const prompt = String(events.at(-1)?.content);
  expect(prompt).toContain('| [attached: beds.png, 73 B, not shown to this model]');
  expect(prompt).toContain('| beans | peas');
});

test('[M16] the record of a call names its images by hash and does not repeat their bytes', async () => {
  const { engine, models } = await open();
  const { events } = await askInThread(engine, { client: 'model', model: 'chat' });
  const closed = events.find(({ type }) => type === 'wake.closed') as { content: { usage?: { raw?: string } } };
  const record = await models.calls.raw(closed.content.usage?.raw ?? '');
  expect(record).toContain('"label":"image 1"');
  expect(record).not.toContain(PHOTO.toString('base64'));
});

function refusal(message: string, status = 400): FakeStep {
  return {
    write: async (response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message } }));
    },
  };
}

test.each([
  ['OpenAI', 'Invalid content type. image_url is only supported by certain models.', 400],
  ['vLLM', 'gpt is not a multimodal model', 400],
  ['llama.cpp', 'image input is not supported - hint: you may need to provide the mmproj', 500],
  ['DeepSeek', 'messages[1]: unknown variant `image_url`, expected `text`', 422],
  ['OpenRouter', 'No endpoints found that support image input', 404],
])(
  '[M11] [M16] a server that refuses images in the words of %s is asked again in words',
  async (_, message, status) => {
    const { provider, engine } = await open();
    provider.script(refusal(message, status));
    const { thread, events } = await askInThread(engine, { client: 'model', model: 'chat' });
    expect(events.at(-1)).toMatchObject({ type: 'message', content: 'Start with the beans.' });
    expect(sentBy('user', provider)).toContain('[not shown to this model after all: image 1]');
    expect(JSON.stringify(provider.requests[1]?.body)).not.toContain('image_url');
    if (status >= 500) return;
    await engine.handle(human, say(thread, 'And then?', { to: 'muse' }));
    await waitForEvents(engine, thread, hasClosedWakes(2));
    expect(provider.requests).toHaveLength(3);
    expect(sentBy('user', provider)).toContain('[attached: beds.png, 73 B, not shown to this model]');
  },
);

test('[M16] of many images a model gets the newest, and each keeps its own name', async () => {
  const { provider, engine } = await open();
  const thread = await threadWith(engine, ['muse', { client: 'model', model: 'chat' }]);
  for (let i = 0; i < 5; i++) {
    const attachments = [];
    for (let j = 0; j < 10; j++) attachments.push(await upload(engine, `${i}-${j}.png`, pngOf(2, 2, [i, j, 0])));
    await engine.handle(human, say(thread, `Look ${i}`, { to: 'muse', meta: { attachments } }));
  }
  engine.startWork();
  await waitForEvents(engine, thread, (events) => events.some(({ from }) => from === 'muse'));
  const content = provider.requests[0]?.body.messages?.at(-1)?.content as unknown as readonly {
    readonly type: string;
  }[];
  expect(content.filter(({ type }) => type === 'image_url')).toHaveLength(20);
  expect(sentBy('user', provider)).toContain('[attached: 3-0.png, 74 B, shown as image 1]');
  expect(sentBy('user', provider)).toContain('[attached: 2-9.png, 74 B, not shown to this model]');
});

test('[M16] a long text is cut to what the model has room for, and that is said', async () => {
  const { provider, engine } = await open();
  const thread = await threadWith(engine, ['muse', { client: 'model', model: 'words' }]);
  const attachments = [await upload(engine, 'log.txt', Buffer.from('x'.repeat(100_000)))];
  await engine.handle(human, say(thread, 'Read this.', { to: 'muse', meta: { attachments } }));
  engine.startWork();
  await waitForEvents(engine, thread, hasClosedWakes(1));
  expect(sentBy('user', provider)).toContain('[attached: log.txt, 98 KB, the first 8 KB of it]');
  expect(sentBy('user', provider)).not.toContain('x'.repeat(8193));
});

function seeing(provider: FakeModels) {
  return { provider: 'openai-chat', base_url: provider.openAiUrl, model: 'llava' } as const;
}

test('[M16] a mind sees the files of the message, of its notes and of earlier turns', async () => {
  const provider = await startFakeModels();
  closing.push(provider.close);
  provider.answer(() => ({ text: 'thoughts: []\ndraft: Beans.' }));
  const server = await openRemoteEngine(provider.openAiUrl, { others: ['llava'] });
  closing.push(server.close);
  const thread = await server.create('dialogue');
  await server.send('configure', { thread, set: { model: 'llava' } });
  const step = async () => {
    const { iterations } = await server.dialogue(thread);
    await server.send('step', { thread });
    await server.until(thread, async () => (await server.dialogue(thread)).iterations.length > iterations.length);
  };
  const first = [await upload(server.engine, 'beds.png', PHOTO)];
  await server.send('message', { thread, text: 'What is in the photo?', attachments: first });
  await step();
  await server.send('accept', { thread });
  await server.send('message', {
    thread,
    text: 'And now?',
    attachments: [await upload(server.engine, 'notes.md', NOTES)],
  });
  await server.send('steer', {
    thread,
    text: 'Look here.',
    attachments: [await upload(server.engine, 'b.png', pngOf(2, 2))],
  });
  await step();
  const text = sentBy('user', provider);
  expect(text).toContain('[attached: beds.png, 73 B, shown as image 1]');
  expect(text).toContain('[attached: notes.md, 48 B]');
  expect(text).toContain('[attached: b.png, 75 B, shown as image 2]');
  expect(JSON.stringify(provider.requests.at(-1)?.body).match(/"type":"image_url"/g)).toHaveLength(2);
});

test('[M16] minds of an exchange see what was put in from outside', async () => {
  const provider = await startFakeModels();
  closing.push(provider.close);
  provider.answer(() => ({ text: thoughtsJson('Shade.') }));
  const pool = await openExchangeServer({}, { models: { mind: seeing(provider), auditor: seeing(provider) } });
  closing.push(pool.close);
  const thread = await pool.create({ question: 'What is a good garden?' });
  await pool.send('inject', { thread, text: 'Look.', attachments: [await upload(pool.engine, 'beds.png', PHOTO)] });
  await pool.send('observe', { thread, text: 'Read.', attachments: [await upload(pool.engine, 'notes.md', NOTES)] });
  await pool.send('run', { thread, rounds: 1, seed: 5 });
  await pool.until(thread, isRunOver);
  const text = sentBy('user', provider, 0);
  expect(text).toMatch(/>>> Look\.\n\n\s+\[attached: beds\.png, 73 B, shown as image 1\]/);
  expect(text).toMatch(/\[OBSERVER\] Read\.\n\n\s+\[attached: notes\.md, 48 B\]/);
});
