import { afterEach, describe, expect, test } from 'vitest';
import { type CompletionStream, stubModel, stubSettings } from '../../../test/support/models/stub-model.ts';
import { sendOrThrow } from '../../../test/support/servers/engine-access.ts';
import type { Event } from '../../core/events/event.ts';
import { GenerationFailed, GenerationFinished, GenerationStreamed, LoomCommitted } from '../../core/loom/events.ts';
import type { LoomState } from '../../core/loom/state.ts';
import { viewNode, viewPath } from '../../core/loom/view.ts';
import { isRefusal } from '../../core/refusal.ts';
import { modeState } from '../../core/workspace.ts';
import { eventOf } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { sha256 } from '../../log/seal.ts';
import type { Chunk, Model, ModelToken } from '../../models/model.ts';
import { createRegistry } from '../../models/registry/registry.ts';
import { createModels } from '../calls/models.ts';
import { createEngine } from '../engine.ts';
import { createSecrets } from '../secrets.ts';
import type { LiveMessage } from '../tail.ts';
import { createGenerate } from './generate.ts';

const ana = { id: 'ana', kind: 'human' } as const;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A workspace with one loom and one model, which answers as the test says. */
async function workspace(
  answer: CompletionStream,
  capabilities: Partial<Model['capabilities']> = {},
  isHeld: (id: string) => boolean = () => false,
) {
  const { model, requests } = stubModel(answer, capabilities);
  const log = openMemoryLog();
  const registry = createRegistry({ settings: () => stubSettings, open: async () => model });
  const models = createModels({ log, registry, secrets: createSecrets() });
  const faults: unknown[] = [];
  const engine = await createEngine({
    log,
    performers: { 'loom.generate': createGenerate(models, isHeld) },
    report: (error) => faults.push(error),
  });
  engine.startWork();
  const live: LiveMessage[] = [];
  const created = await engine.handle(ana, {
    name: 'create',
    input: { title: 'T', kind: 'loom', setup: {}, invite: [] },
  });
  if (isRefusal(created)) throw new Error(created.refusal.message);
  const thread = created.events[0]?.thread as string;
  const waiting = new Map<string, (event: Event) => void>();
  const seen: Event[] = [];
  const close = engine.tail.subscribe({
    thread,
    after: 0,
    onEvents: (rows) => {
      for (const event of rows.map(eventOf)) {
        seen.push(event);
        waiting.get(event.type)?.(event);
      }
    },
    onLive: (item) => {
      live.push(item);
      waiting.get(item.type)?.(item as unknown as Event);
    },
    ready: async () => {},
    onError: (error) => faults.push(error),
  });
  closing.push(async () => {
    close();
    await engine.close();
    await models.close();
    await log.close();
  });
  async function send(name: string, input: object = {}) {
    return sendOrThrow(engine, name, { thread, edits: [], text: '', ...input }, ana);
  }
  const state = async () => modeState('loom', (await engine.state(thread))?.state as never) as LoomState;
  return {
    requests,
    live,
    faults,
    send: send,
    state,
    models,
    /** The next event of a type that comes, or the last that came already. */
    next: (type: string) =>
      new Promise<Event>((resolve) => {
        const found = seen.findLast((event) => event.type === type);
        if (found) resolve(found);
        else waiting.set(type, resolve);
      }),
    view: async () => viewPath(await state(), thread, 'ana'),
  };
}

const appendedNode = (event: Event | undefined) => event && LoomCommitted.read(event)?.content.append?.node;
const usage = { promptTokens: 3, generatedTokens: 4 };
const done: Chunk = { type: 'done', usage, dropped: 0 };

/** Every choice says its words, one chunk each. */
function streamOf(...choices: readonly (readonly string[])[]): CompletionStream {
  return async function* (request) {
    for (let i = 0; i < (request.n ?? 1); i++) {
      for (const text of choices[i % choices.length] as readonly string[]) yield { type: 'text', choice: i, text };
      yield { type: 'end', choice: i, reason: 'length' };
    }
    yield done;
  };
}

describe('generating', () => {
  test('[W16] [W17] generating commits pending edits, sends the path and makes each choice a node with one raw response', async () => {
    const it = await workspace(streamOf([' upon', ' a time\n'], [' more '], ['']));
    await it.send('generate', { text: 'Once', n: 3, max_tokens: 7, temperature: 0.5, logprobs: 2 });
    const event = await it.next('generation.finished');
    // That the caller waits by itself is for the client, and no part of the prompt.
    const requests = it.requests.map(({ isPatient: _, ...request }) => request);
    expect(requests).toEqual([{ prompt: 'Once', n: 3, maxTokens: 7, temperature: 0.5, logprobs: 2 }]);
    const { choices, raw = '', prompt_hash } = GenerationFinished.schema.parse(event.content);
    expect(choices.map(({ content }) => content)).toEqual([' upon a time\n', ' more ', '']);
    expect(event).toMatchObject({ from: 'base', meta: { by: 'agent', blobs: [raw] } });
    expect(prompt_hash).toBe(sha256(JSON.stringify(requests[0])));
    expect(JSON.parse((await it.models.calls.raw(raw)) as string)).toMatchObject({ model: 'base', purpose: 'loom' });
    const view = await it.view();
    expect(view.text).toBe('Once upon a time\n');
    expect(view.path[1]).toMatchObject({ author: 'base', kind: 'model', stale: false });
    expect(view.path[1]?.siblings.length).toBe(3);
    const node = viewNode(await it.state(), view.tip, 'ana', sha256);
    expect(node?.provenance_hash).toBe(choices[0]?.provenance_hash);
    expect(it.faults).toEqual([]);
  });

  test('[W16] text is streamed live in chunks, with its position', async () => {
    const it = await workspace(streamOf(['a', 'b', '\ud83d', '\ude00'], ['c']));
    await it.send('generate', { n: 2 });
    await it.next('generation.finished');
    const pieces = it.live.filter(({ type }) => type === 'generation.streamed');
    const texts = ['', ''];
    for (const { content } of pieces) {
      for (const [choice, at, text] of GenerationStreamed.schema.parse(content).texts) {
        expect(at).toBe(texts[choice]?.length);
        expect(text.isWellFormed()).toBe(true);
        texts[choice] += text;
      }
    }
    expect(texts).toEqual(['ab😀', 'c']);
  });

  test('[W17] probabilities are kept with the node, up to a limit', async () => {
    const tokens: ModelToken[] = [{ text: 'x', logprob: -0.5, alternatives: [{ text: 'y', logprob: -1 }] }];
    const it = await workspace(async function* () {
      yield { type: 'text', choice: 0, text: 'x', tokens };
      yield { type: 'end', choice: 0, reason: 'stop' };
      yield done;
    });
    await it.send('generate', { n: 1 });
    const event = await it.next('generation.finished');
    expect(event.content).toMatchObject({
      choices: [{ content: 'x', tokens: [['x', -0.5, [['y', -1]]]], score: -0.5 }],
    });
  });

  test('[W16] a stopped generation keeps its text and is marked as stopped', async () => {
    const it = await workspace(async function* (_, signal) {
      yield { type: 'text', choice: 0, text: 'so far' };
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      for (let i = 0; i < 2; i++) yield { type: 'end', choice: i, reason: 'cancelled' };
      yield done;
    });
    await it.send('generate', { n: 2, text: 'I have, ' });
    await it.next('generation.streamed');
    await it.send('stop', { edits: undefined, text: undefined });
    const event = await it.next('generation.finished');
    expect(event.content).toMatchObject({ choices: [{ content: 'so far', finish: 'cancelled' }] });
    const view = await it.view();
    expect(view.text).toBe('I have, so far');
    expect(view.path[1]?.interrupted).toBe(true);
    expect(view.running).toEqual([]);
  });

  test('[W16] a provider that dies halfway loses no received text, and is named', async () => {
    const it = await workspace(async function* () {
      yield { type: 'text', choice: 0, text: 'half' };
      yield {
        type: 'refused',
        refusal: { code: 'model_unavailable', message: 'It went away.' },
        fault: { again: false },
      };
    });
    await it.send('generate', { n: 2, text: 'One ' });
    const event = await it.next('generation.finished');
    expect(event.content).toMatchObject({
      choices: [{ content: 'half', finish: 'failed' }],
      error: { code: 'model_unavailable', message: 'It went away.' },
    });
    expect((await it.view()).text).toBe('One half');
  });

  test('[W16] a failed generation loses no text and says why', async () => {
    const it = await workspace(async function* () {
      yield { type: 'refused', refusal: { code: 'model_unavailable', message: 'Nobody is there.' } };
    });
    await it.send('generate', { n: 2, text: 'Kept' });
    const event = await it.next('generation.failed');
    expect(event.content).toMatchObject({ code: 'model_unavailable', message: 'Nobody is there.' });
    expect(GenerationFailed.read(event)?.content.raw).toMatch(/^[0-9a-f]{64}$/);
    expect(await it.view()).toMatchObject({ text: 'Kept', running: [] });
  });

  test('[T22] a model name that does not exist cannot be used as an author', async () => {
    const it = await workspace(streamOf(['never']));
    await it.send('generate', { text: 'Once', model: 'bee' });
    const event = await it.next('generation.failed');
    expect(event).toMatchObject({ from: 'system', meta: { by: 'automation' }, content: { code: 'unknown_model' } });
  });

  test('[T22] a model with the same name as a participant writes under another id', async () => {
    const it = await workspace(streamOf([' upon']), {}, (id) => id === 'base');
    await it.send('generate', { text: 'Once' });
    expect(await it.next('generation.finished')).toMatchObject({ from: 'model-base', meta: { by: 'agent' } });
  });

  test('[W16] I can generate from an empty document', async () => {
    const it = await workspace(streamOf(['Begin']));
    await it.send('generate', { n: 1 });
    await it.next('generation.finished');
    expect(it.requests[0]?.prompt).toBe('');
    expect((await it.view()).text).toBe('Begin');
  });

  test('[W5] switching branches during a stream keeps me where I went, and the nodes still arrive', async () => {
    const gate = Promise.withResolvers<void>();
    const it = await workspace(async function* () {
      yield { type: 'text', choice: 0, text: 'late' };
      await gate.promise;
      yield { type: 'end', choice: 0, reason: 'stop' };
      yield done;
    });
    const [first] = await it.send('commit', { text: 'A' });
    const node = appendedNode(first);
    await it.send('commit', { text: 'b' });
    await it.send('generate', { n: 1 });
    await it.next('generation.streamed');
    await it.send('commit', { text: 'elsewhere', after: node });
    gate.resolve();
    await it.next('generation.finished');
    expect((await it.view()).text).toBe('Aelsewhere');
    expect((await it.state()).nodes).toBe(4);
  });

  test('[W6] [W7] text requested before an edit belongs to the context it was requested for', async () => {
    const gate = Promise.withResolvers<void>();
    const it = await workspace(async function* () {
      yield { type: 'text', choice: 0, text: 'next' };
      await gate.promise;
      yield { type: 'end', choice: 0, reason: 'stop' };
      yield done;
    });
    await it.send('generate', { n: 1, text: 'old ' });
    await it.next('generation.streamed');
    const node = (await it.view()).tip;
    await it.send('commit', { edits: [{ node, text: 'new ' }] });
    gate.resolve();
    await it.next('generation.finished');
    const view = await it.view();
    expect(view.text).toBe('new next');
    expect(view.path.map(({ stale }) => stale)).toEqual([false, true]);
  });

  test('[W18] a path that does not fit loses whole nodes, oldest first, and says so', async () => {
    const it = await workspace(streamOf(['!']), { context: 16 });
    await it.send('commit', { text: 'one two three ' });
    await it.send('commit', { text: 'four five ' });
    const [last] = await it.send('commit', { text: 'six seven ' });
    await it.send('generate', { n: 1, max_tokens: 8 });
    const event = await it.next('generation.finished');
    expect(it.requests[0]?.prompt).toBe('four five six seven ');
    expect(event.content).toMatchObject({ dropped: { nodes: 1 } });
    expect(last?.type).toBe('loom.committed');
  });

  test('[W18] a single node that does not fit is cut by the model, and that is recorded', async () => {
    const it = await workspace(
      async function* () {
        yield { type: 'end', choice: 0, reason: 'stop' };
        yield { type: 'done', usage, dropped: 5 };
      },
      { context: 16 },
    );
    await it.send('commit', { text: 'before ' });
    await it.send('generate', { n: 1, max_tokens: 8, text: 'a b c d e f g h i j k l m n' });
    const event = await it.next('generation.finished');
    expect(it.requests[0]).toMatchObject({ prompt: 'a b c d e f g h i j k l m n', truncate: 'left' });
    expect(event.content).toMatchObject({ dropped: { nodes: 1, cut: 5 } });
  });

  test('[W19] a node generated through a template says so', async () => {
    const it = await workspace(async function* () {
      yield { type: 'text', choice: 0, text: 'ok' };
      yield { type: 'end', choice: 0, reason: 'stop' };
      yield { ...done, templated: true } as Chunk;
    });
    await it.send('generate', { n: 1 });
    expect((await it.next('generation.finished')).content).toMatchObject({ templated: true });
  });

  test('[W16] a model with one choice per request is asked as often as needed, and each response is kept', async () => {
    let calls = 0;
    const it = await workspace(
      async function* (request) {
        yield { type: 'text', choice: 0, text: `${++calls}` };
        yield { type: 'end', choice: 0, reason: 'stop' };
        yield { ...done, seed: request.seed } as Chunk;
      },
      { n: 1 },
    );
    await it.send('generate', { n: 3, seed: 7 });
    const event = await it.next('generation.finished');
    const { choices } = GenerationFinished.schema.parse(event.content);
    expect(it.requests.map(({ seed }) => seed)).toEqual([7, 8, 9]);
    expect(new Set(choices.map(({ raw }) => raw)).size).toBe(3);
    expect(event.meta.blobs?.length).toBe(3);
  });

  test('[W20] filling in is only for models that support it, and they get the text after the gap', async () => {
    const can = await workspace(streamOf(['middle']), { fillInTheMiddle: true });
    const [first] = await can.send('commit', { text: 'start ' });
    await can.send('commit', { text: 'end' });
    const at = appendedNode(first);
    await can.send('generate', { n: 1, at, fill: true });
    await can.next('generation.finished');
    expect(can.requests[0]).toMatchObject({ prompt: 'start ', suffix: 'end' });
    const cannot = await workspace(streamOf(['x']));
    await cannot.send('generate', { n: 1, fill: true });
    expect((await cannot.next('generation.failed')).content).toMatchObject({ code: 'malformed' });
  });

  test('[W21] an exploration goes breadth by depth, best first, within its budget, and ends', async () => {
    let count = 0;
    const it = await workspace(async function* (request) {
      for (let i = 0; i < (request.n ?? 1); i++) {
        const text = ` w${++count}`;
        yield { type: 'text', choice: i, text, tokens: [{ text, logprob: i === 1 ? -0.1 : -2, alternatives: [] }] };
        yield { type: 'end', choice: i, reason: 'length' };
      }
      yield done;
    });
    await it.send('explore', { text: 'Go', breadth: 2, depth: 3, nodes: 7, rank: 'logprob', max_tokens: 5 });
    const over = await it.next('exploration.turned');
    expect(over.content).toMatchObject({ to: 'finished' });
    expect(it.requests.map(({ prompt, n }) => `${prompt}|${n}`)).toEqual(
      ['Go|2', 'Go w2|2', 'Go w2 w4|2', 'Go w1|1'].slice(0, it.requests.length),
    );
    expect((await it.state()).nodes).toBe(8);
    expect((await it.view()).text).toBe('Go');
  });
});
