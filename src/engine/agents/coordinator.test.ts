import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { human } from '../../../test/support/given.ts';
import type { Event } from '../../core/event.ts';
import { isRefusal } from '../../core/refusal.ts';
import type { Command } from '../../core/workspace.ts';
import { type EventLog, eventOf } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory.ts';
import { openEmbedder } from '../../models/embed/embedder.ts';
import { createRegistry } from '../../models/registry.ts';
import { createEngine, type Engine } from '../engine.ts';
import { createModels } from '../models.ts';
import { createSecrets } from '../secrets.ts';
import { createWork } from '../work.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server with scripted models, by name. */
async function server(scripts: Readonly<Record<string, object>>, log: EventLog = openMemoryLog()): Promise<Engine> {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-agents-'));
  const models = Object.fromEntries(
    Object.entries(scripts).map(([name, script]) => {
      writeFileSync(join(directory, `${name}.json`), JSON.stringify(script));
      return [name, { provider: 'scripted' as const, path: `${name}.json` }];
    }),
  );
  const registry = createRegistry({ settings: () => ({ models, clients: {}, defaults: {}, budgets: {} }), directory });
  const secrets = createSecrets(registry.keys);
  const asked = createModels({ log, registry, secrets });
  const engine = await createEngine({ log, secrets, ...createWork(log, asked, openEmbedder()) });
  closing.push(asked.close, engine.close);
  return engine;
}

async function threadWith(engine: Engine, ...agents: readonly [id: string, profile: object][]): Promise<string> {
  const invite = agents.map(([participant_id, profile]) => ({
    participant_id,
    profile: { kind: 'agent' as const, client: 'model', model: participant_id, ...profile },
  }));
  const done = await engine.handle(human, { name: 'create', input: { title: 'Plans', kind: 'conversation', invite } });
  if (isRefusal(done)) throw new Error(done.refusal.message);
  return done.events[0]?.thread as string;
}

const say = (thread: string, content: string, more: object = {}): Command => ({
  name: 'post',
  input: { thread, type: 'message', content, ...more },
});

/** Looks again whenever something was appended, until as many of them are there. */
async function until(engine: Engine, thread: string, holds: (events: readonly Event[]) => boolean) {
  for (;;) {
    const changed = engine.tail.changed(thread, 60_000);
    const events = (await engine.log.readThread(thread, 0, 1000)).map(eventOf);
    if (holds(events)) return events;
    await changed;
  }
}

const closed = (count: number) => (events: readonly Event[]) =>
  events.filter(({ type }) => type === 'wake.closed').length >= count;
const spoken = (events: readonly Event[]) =>
  events.filter(({ type }) => type === 'message').map(({ from, content }) => `${from}: ${content}`);

test('[T18] woken agents answer under their own ids, the second after the first, and what they used is recorded', async () => {
  const engine = await server({
    alpha: { answers: [{ text: 'PASS' }, { text: 'A pond.' }] },
    beta: { answers: [{ text: 'PASS' }, { text: 'And a bench.' }] },
  });
  const thread = await threadWith(engine, ['alpha', {}], ['beta', {}]);
  engine.startWork();
  await until(engine, thread, closed(2));
  await engine.handle(human, say(thread, 'What does the garden need?'));
  const events = await until(engine, thread, closed(4));
  expect(spoken(events)).toEqual(['ana: What does the garden need?', 'alpha: A pond.', 'beta: And a bench.']);
  const outcomes = events.filter(({ type }) => type === 'wake.closed').map(({ content }) => content);
  expect(outcomes).toMatchObject([
    { outcome: 'declined', reason: 'It passed.' },
    { outcome: 'declined' },
    { outcome: 'answered', usage: { model: 'alpha', raw: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    { outcome: 'answered' },
  ]);
});

test('[T18] an agent that fails says why in the thread, and wakes nobody by it', async () => {
  const engine = await server({ alpha: { answers: [{ fault: 'unknown_model' }] } });
  const thread = await threadWith(engine, ['alpha', {}]);
  engine.startWork();
  const events = await until(engine, thread, closed(1));
  expect(events.at(-1)?.content).toMatchObject({ participant: 'alpha', outcome: 'failed', reason: /model/ });
});

test('[T7] to pause calls off an answer; after the pause it is asked for again', async () => {
  const engine = await server({
    alpha: { answers: [{ text: 'Here. It takes me a while.', pace: 60_000 }, { text: 'Now.' }] },
  });
  const thread = await threadWith(engine, ['alpha', {}]);
  engine.startWork();
  const control = (content: object) =>
    engine.handle(human, { name: 'post', input: { thread, type: 'control', content } } as Command);
  await thinking(engine, thread);
  await control({ pause: { on: true } });
  await idle(engine, thread);
  await control({ pause: { on: false } });
  expect(spoken(await until(engine, thread, closed(1)))).toEqual(['alpha: Now.']);
});

test('[T19] the answer of one who drafts lies beside the thread until a human posts it', async () => {
  const engine = await server({ alpha: { answers: [{ text: 'A first thought.' }] } });
  const thread = await threadWith(engine, ['alpha', { posting: 'draft' }]);
  engine.startWork();
  expect(spoken(await until(engine, thread, closed(1)))).toEqual([]);
  await engine.handle(human, { name: 'draft_accept', input: { thread, index: 1 } });
  const events = await until(engine, thread, (all) => all.some(({ type }) => type === 'message'));
  expect(events.at(-1)).toMatchObject({ from: 'alpha', content: 'A first thought.', meta: { accepted_by: 'ana' } });
});

test('[T16] two agents that answer each other stop by themselves', async () => {
  const engine = await server({
    alpha: { answers: [{ text: '@beta, what do you say?', repeat: 'always' }] },
    beta: { answers: [{ text: '@alpha, and you?', repeat: 'always' }] },
  });
  const thread = await threadWith(engine, ['alpha', {}], ['beta', {}]);
  await engine.handle(human, {
    name: 'post',
    input: { thread, type: 'control', content: { discussion: { on: true } } },
  });
  engine.startWork();
  await until(engine, thread, closed(2));
  for (;;) {
    const changed = engine.tail.changed(thread, 60_000);
    const { thread: state } = (await engine.state(thread))?.state ?? {};
    if (Object.keys(state?.routing.wakes ?? {}).length === 0) break;
    await changed;
  }
  const { thread: state } = (await engine.state(thread))?.state ?? {};
  expect(state?.routing.stopped.length).toBeGreaterThan(0);
});

async function thinking(engine: Engine, thread: string) {
  await shows(engine, thread, 'thinking');
}

async function idle(engine: Engine, thread: string) {
  await shows(engine, thread, 'idle');
}

/** Presence is live news: it is heard, not read. */
function shows(engine: Engine, thread: string, state: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = engine.tail.subscribe({
      thread,
      after: Number.MAX_SAFE_INTEGER,
      deliver: () => {},
      live: ({ type, content }) => {
        if (type !== 'presence.updated' || (content as { state: string }).state !== state) return;
        stop();
        resolve();
      },
      ready: async () => {},
      failed: () => {},
    });
    if (engine.presence.of(thread).some((entry) => entry.state === state)) {
      stop();
      resolve();
    }
  });
}
