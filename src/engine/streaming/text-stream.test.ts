import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGate, startFakeModels } from '../../../test/support/models/fake-models.ts';
import { sendOrThrow } from '../../../test/support/servers/engine-access.ts';
import type { StreamedText } from '../../core/threads/events.ts';
import type { Command } from '../../core/workspace.ts';
import { eventOf } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { openEmbedder } from '../../models/builtin/embedder/embedder.ts';
import { createRegistry } from '../../models/registry/registry.ts';
import { createModels } from '../calls/models.ts';
import { createEngine } from '../engine.ts';
import { createPerformers } from '../performers.ts';
import { createSecrets } from '../secrets.ts';
import { openTextStream } from './text-stream.ts';

/** A workspace whose one model is a server on a socket, and all that its streams carry. */
async function openWorkspace() {
  const fake = await startFakeModels();
  const directory = mkdtempSync(join(tmpdir(), 'heddle-stream-'));
  const chat = { provider: 'openai-chat' as const, base_url: fake.openAiUrl, model: 'm', context: 8192 };
  const registry = createRegistry({
    settings: () => ({ models: { chat }, clients: {}, defaults: { mind: 'chat', auditor: 'chat' }, budgets: {} }),
    directory,
  });
  const log = openMemoryLog();
  const secrets = createSecrets(registry.keys);
  const models = createModels({ log, registry, secrets });
  const embedder = openEmbedder({ cacheDir: join(directory, 'no-weights') });
  const engine = await createEngine({ log, secrets, ...createPerformers(log, models, embedder) });
  engine.startWork();
  const streamed: StreamedText[] = [];
  const types: string[] = [];
  const stop = engine.tail.subscribe({
    after: 0,
    onEvents: (rows) => types.push(...rows.map((row) => eventOf(row).type)),
    onLive: (item) => void (item.type === 'text.streamed' && streamed.push(item.content as StreamedText)),
    ready: async () => {},
    onError: () => {},
  });
  onTestFinished(async () => {
    stop();
    await fake.close();
    await engine.close();
    await models.close();
    await embedder.close();
  });
  async function send(name: Command['name'], input: object): Promise<string> {
    const [first] = await sendOrThrow(engine, name, input);
    return first?.thread as string;
  }
  const text = () => streamed.map((piece) => piece.text).join('');
  return { fake, send, streamed, types, text };
}

type StreamWorkspace = Awaited<ReturnType<typeof openWorkspace>>;

async function expectStreamed(
  { fake, streamed, types, text }: StreamWorkspace,
  begin: () => Promise<unknown>,
  { answer, from, purpose, outcome }: { answer: string; from: string; purpose: string; outcome: string },
) {
  const gate = createGate(2);
  fake.script({ text: answer, gate });
  await begin();
  await gate.reached;
  const beginning = answer
    .split(/(?<=\s)/)
    .slice(0, 2)
    .join('');
  await expect.poll(text).toContain(beginning.trimEnd());
  expect(text().length).toBeLessThan(answer.length);
  expect(types).not.toContain(outcome);
  gate.open();
  await expect.poll(() => types).toContain(outcome);
  expect(text()).toBe(answer);
  expect(new Set(streamed.map((piece) => `${piece.from} ${piece.purpose}`))).toEqual(new Set([`${from} ${purpose}`]));
  expect(new Set(streamed.map((piece) => piece.job)).size).toBe(1);
  // Each piece says where it stands.
  let length = 0;
  for (const piece of streamed) {
    expect(piece.at).toBe(length);
    length += piece.text.length;
  }
}

test('[M12] I see a model’s answer in a thread while it is written', async () => {
  const workspace = await openWorkspace();
  const thread = await workspace.send('create', { title: 'Talk', kind: 'conversation', invite: [] });
  const profile = { kind: 'agent', client: 'model', model: 'chat' };
  workspace.fake.script({ text: 'Hello.' });
  await workspace.send('post', {
    ...{ thread, type: 'control' },
    content: { invite: { participant_id: 'muse', profile } },
  });
  await expect.poll(() => workspace.types).toContain('wake.closed');
  workspace.types.length = 0;
  workspace.streamed.length = 0;
  const ask = () => workspace.send('post', { thread, type: 'message', content: 'And then?', to: 'muse' });
  await expectStreamed(workspace, ask, {
    ...{ answer: 'Then the sun rose over the sea.', from: 'muse', purpose: 'answer' },
    outcome: 'wake.closed',
  });
});

test('[M12] I see a draft while a mind writes it', async () => {
  const workspace = await openWorkspace();
  const thread = await workspace.send('create', { title: 'Talk', kind: 'dialogue', setup: {}, invite: [] });
  await workspace.send('message', { thread, text: 'Shall we plant beans?' });
  await expectStreamed(workspace, () => workspace.send('run', { thread, iterations: 1 }), {
    ...{ answer: 'thoughts: [Beans like sun]\ndraft: |\n  Yes, in May.\n', from: 'mind_0', purpose: 'mind' },
    outcome: 'iteration.ended',
  });
});

test('[M12] I see a thought of an exchange while it is written', async () => {
  const workspace = await openWorkspace();
  const thread = await workspace.send('create', { title: 'Pool', kind: 'exchange', setup: {}, invite: [] });
  await expectStreamed(workspace, () => workspace.send('run', { thread, rounds: 1 }), {
    ...{ answer: 'thoughts: [A garden is a promise]\n', from: 'mind_0', purpose: 'mind' },
    outcome: 'round.ended',
  });
});

test('[M12] a long chunk is split into parts that every store accepts, never inside a character', () => {
  const sent: StreamedText[] = [];
  const stream = openTextStream(
    (item) => sent.push(item.content as StreamedText),
    {
      ...{ job: 'j', from: 'muse', purpose: 'answer' },
    },
    createSecrets(),
  );
  const text = `x${'🙂'.repeat(2_000)}`;
  stream.onChunk({ type: 'text', choice: 0, text });
  stream.end();
  expect(sent.map((piece) => piece.text).join('')).toBe(text);
  expect(sent.every((piece) => piece.text.isWellFormed() && Buffer.byteLength(JSON.stringify(piece)) < 7_000)).toBe(
    true,
  );
  expect(sent.at(-1)?.at).toBe(text.length - (sent.at(-1)?.text.length ?? 0));
});

test('[L17] [M12] a key that a model repeats is never streamed, whole or in pieces', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const key = 'sk-very-secret-value-0123456789';
  const token = `hdl_${'a1B2'.repeat(11).slice(0, 43)}`;
  const text = `Its key is ${key}, and its token ${token}; hello.`;
  for (const size of [1, 7, 1_000]) {
    const sent: StreamedText[] = [];
    const about = { job: 'j', from: 'muse', purpose: 'answer' } as const;
    const stream = openTextStream(
      (item) => sent.push(item.content as StreamedText),
      about,
      createSecrets(() => [key]),
    );
    for (let at = 0; at < text.length; at += size) {
      stream.onChunk({ type: 'text', choice: 0, text: text.slice(at, at + size) });
      vi.advanceTimersByTime(50);
    }
    stream.end();
    expect(sent.map((piece) => piece.text).join('')).toBe('Its key is [removed], and its token [removed]; hello.');
    expect(sent.map((piece) => piece.text).join('')).toHaveLength(
      (sent.at(-1)?.at ?? 0) + (sent.at(-1)?.text.length ?? 0),
    );
  }
});
