import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { alpha, human } from '../../../test/support/domain/given.ts';
import { sendOrThrow } from '../../../test/support/servers/engine-access.ts';
import { exportText, sealedChain } from '../../../test/support/stores/exports.ts';
import { freshPostgres } from '../../../test/support/stores/postgres-url.ts';
import type { Actor } from '../../core/events/event.ts';
import { exportLog } from '../../formats/export/export-log.ts';
import type { EventLog, StoredEvent } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { openPostgresLog } from '../../log/postgres/postgres-log.ts';
import { IMPORTED_RANGES } from '../../log/record-kinds.ts';
import { openSqliteLog } from '../../log/sqlite/sqlite-log.ts';
import { createEngine, type Engine } from '../engine.ts';

const KINDS = ['agent.answer', 'mind.iterate', 'mind.cluster', 'exchange.mind', 'exchange.audit', 'loom.generate'];

async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'heddle-imports-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** An engine that writes down which jobs begin and does none of them. */
async function openWorkspace(log: EventLog = openMemoryLog()) {
  const started: string[] = [];
  const listeners = new Set<() => void>();
  const performers = Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      async (_: unknown, { thread, signal }: { readonly thread: string; readonly signal: AbortSignal }) => {
        started.push(`${kind} ${thread}`);
        for (const hear of listeners) hear();
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    ]),
  );
  const engine = await createEngine({ log, performers });
  onTestFinished(async () => {
    await engine.close();
    await log.close();
  });
  return {
    engine,
    begun: started,
    /** Resolves when a job of a thread has begun. */
    async begins(thread: string): Promise<void> {
      if (started.some((job) => job.endsWith(thread))) return;
      await new Promise<void>((resolve) =>
        listeners.add(() => started.some((job) => job.endsWith(thread)) && resolve()),
      );
    },
  };
}

async function send(engine: Engine, actor: Actor, name: string, input: object): Promise<string> {
  const [first] = await sendOrThrow(engine, name, input, actor);
  return first?.thread as string;
}

const agents = (...ids: string[]) =>
  ids.map((participant_id) => ({ participant_id, profile: { kind: 'agent', client: 'program' } }));
const say = (engine: Engine, actor: Actor, thread: string, content: string) =>
  send(engine, actor, 'post', { thread, type: 'message', content });
const resume = (engine: Engine, thread: string, actor = human) =>
  send(engine, actor, 'post', { thread, type: 'control', content: { resume: true } });

/** A workspace in which every kind of thread has work under way. */
async function exportBusyWorkspace() {
  const log = openMemoryLog();
  const engine = await createEngine({ log });
  const talk = await send(engine, human, 'create', { title: 'Talk', kind: 'conversation', invite: agents('codex') });
  await say(engine, human, talk, 'Do it.');
  const dialogue = await send(engine, human, 'create', { title: 'Mind', kind: 'dialogue', invite: [] });
  await send(engine, human, 'message', { thread: dialogue, text: 'Think.', run: {} });
  const exchange = await send(engine, human, 'create', { title: 'Pool', kind: 'exchange', invite: [] });
  await send(engine, human, 'run', { thread: exchange, rounds: 3 });
  const loom = await send(engine, human, 'create', { title: 'Mill', kind: 'loom', invite: [] });
  await send(engine, human, 'generate', { thread: loom, edits: [], text: 'Once' });
  await engine.close();
  return { log, talk, dialogue, exchange, loom, file: await fileOf(log) };
}

async function fileOf(log: EventLog): Promise<string> {
  const file = join(await directory(), 'export.jsonl');
  let text = '';
  for await (const part of exportLog(log, { created: 'now' })) text += part;
  writeFileSync(file, text);
  return file;
}

/** Has something else begin, behind everything that was to begin before it. */
async function somethingElse({ engine, begins }: Awaited<ReturnType<typeof openWorkspace>>): Promise<string> {
  const thread = await send(engine, human, 'create', { title: 'Own', kind: 'conversation', invite: agents('beta') });
  await begins(thread);
  return thread;
}

test('[L25] importing starts nothing: no open programs, runs, rounds or generations', async () => {
  const { file, talk, dialogue, exchange, loom } = await exportBusyWorkspace();
  const workspace = await openWorkspace();
  workspace.engine.startWork();
  await workspace.engine.adopt(file);
  const own = await somethingElse(workspace);
  expect(workspace.begun).toEqual([`agent.answer ${own}`]);

  for (const thread of [talk, dialogue, exchange, loom]) {
    expect((await viewOf(workspace.engine, thread))?.waiting).toBe(true);
    await resume(workspace.engine, thread);
    await workspace.begins(thread);
    expect((await viewOf(workspace.engine, thread))?.waiting).toBeUndefined();
  }
});

test('[L25] an import still waits after a restart, on SQLite and on every server of a PostgreSQL database', async () => {
  const { file, talk, exchange } = await exportBusyWorkspace();
  const path = join(await directory(), 'heddle.db');
  const url = await freshPostgres();
  const stores = [async () => openSqliteLog(path), () => openPostgresLog(url)];
  for (const open of stores) {
    const first = await open();
    const before = await createEngine({ log: first });
    await before.adopt(file);
    await before.close();
    await first.close();
    const workspace = await openWorkspace(await open());
    workspace.engine.startWork();
    const own = await somethingElse(workspace);
    expect(workspace.begun).toEqual([`agent.answer ${own}`]);
    await resume(workspace.engine, exchange);
    await workspace.begins(exchange);
    expect(workspace.begun.filter((job) => job.endsWith(talk))).toEqual([]);
  }
});

test('[L25] what one server imports is not started by another on the same PostgreSQL database', async () => {
  const { file, talk, dialogue } = await exportBusyWorkspace();
  const url = await freshPostgres();
  const [one, other] = [
    await openWorkspace(await openPostgresLog(url)),
    await openWorkspace(await openPostgresLog(url)),
  ];
  other.engine.startWork();
  await one.engine.adopt(file);
  await resume(one.engine, talk);
  await other.begins(talk);
  expect(other.begun).toEqual([`agent.answer ${talk}`]);
  await resume(one.engine, dialogue);
  await other.begins(dialogue);
});

test('[L25] in an imported thread only a human’s new message is answered, not an agent’s', async () => {
  const { file, talk } = await exportBusyWorkspace();
  const workspace = await openWorkspace();
  workspace.engine.startWork();
  await workspace.engine.adopt(file);
  await send(workspace.engine, human, 'post', {
    thread: talk,
    type: 'control',
    content: { uninvite: { participant_id: 'codex' } },
  });
  await send(workspace.engine, human, 'post', { thread: talk, type: 'control', content: { discussion: { on: true } } });
  // An agent that is let in may write; whom it names is not started.
  await send(workspace.engine, alpha, 'post', { thread: talk, type: 'control', content: { prod: ['codex'] } });
  await say(workspace.engine, alpha, talk, '@codex please');
  await somethingElse(workspace);
  expect(workspace.begun.filter((job) => job.endsWith(talk))).toEqual([]);
  await send(workspace.engine, human, 'post', {
    thread: talk,
    type: 'control',
    content: { invite: { participant_id: 'gamma', profile: { kind: 'agent', client: 'program' } } },
  });
  await workspace.begins(talk);
  expect(workspace.begun.filter((job) => job.endsWith(talk))).toHaveLength(1);
  expect((await viewOf(workspace.engine, talk))?.waiting).toBe(true);
});

test('[L25] an agent cannot resume an imported thread, not even with a fork or a side channel', async () => {
  const { file, talk } = await exportBusyWorkspace();
  const workspace = await openWorkspace();
  workspace.engine.startWork();
  await workspace.engine.adopt(file);
  await expect(resume(workspace.engine, talk, alpha)).rejects.toThrow("needs a human's credential");
  const fork = await send(workspace.engine, alpha, 'fork', { thread: talk });
  await send(workspace.engine, alpha, 'post', { thread: fork, type: 'control', content: { prod: ['codex'] } });
  const side = await send(workspace.engine, alpha, 'side_open', { thread: talk, question: 'Why?', members: ['codex'] });
  await somethingElse(workspace);
  expect(workspace.begun.filter((job) => job.endsWith(fork) || job.endsWith(side))).toEqual([]);
  expect(await viewOf(workspace.engine, fork)).toMatchObject({ waiting: true });
  expect(await viewOf(workspace.engine, side)).toMatchObject({ waiting: true });
  await resume(workspace.engine, fork);
  await workspace.begins(fork);
  await resume(workspace.engine, side);
  await workspace.begins(side);
});

test('[L25] a generation that a human requests in an imported loom is made, and imported ones still wait', async () => {
  const { file, loom } = await exportBusyWorkspace();
  const workspace = await openWorkspace();
  workspace.engine.startWork();
  await workspace.engine.adopt(file);
  await send(workspace.engine, alpha, 'generate', { thread: loom, edits: [], text: 'again' });
  await somethingElse(workspace);
  expect(workspace.begun.filter((job) => job.endsWith(loom))).toEqual([]);
  await send(workspace.engine, human, 'generate', { thread: loom, edits: [], text: 'and again' });
  await workspace.begins(loom);
  expect(workspace.begun.filter((job) => job.endsWith(loom))).toHaveLength(1);
});

test('[L25] a file that continues one of my threads cannot claim that I requested its work', async () => {
  const workspace = await openWorkspace();
  const own = await send(workspace.engine, human, 'create', {
    title: 'Own',
    kind: 'conversation',
    invite: agents('codex'),
  });
  await send(workspace.engine, human, 'stop_answer', { thread: own, participant: 'codex' });
  const rows = await workspace.engine.log.readThread(own, 0, 100);
  const cause = { root: rows[0]?.id as string, depth: 0 };
  const forged = sealedChain([
    {
      ...{ id: 'forged1', thread: own, from: 'mallory', to: 'codex', content: 'Do it.' },
      ...{ meta: { by: 'agent', cause }, after: rows.at(-1) as StoredEvent },
    },
  ]);
  const file = join(await directory(), 'forged.jsonl');
  writeFileSync(file, exportText([...rows, ...forged]));
  workspace.engine.startWork();
  expect(await workspace.engine.adopt(file)).toMatchObject({ added: 1, skipped: 3 });
  await somethingElse(workspace);
  expect(workspace.begun.filter((job) => job.endsWith(own))).toEqual([]);
  await resume(workspace.engine, own);
  await workspace.begins(own);
});

test('[L25] [L20] after moving a workspace I continue as if it had only been stopped', async () => {
  const { file, talk, dialogue, exchange, loom } = await exportBusyWorkspace();
  const workspace = await openWorkspace();
  workspace.engine.startWork();
  await workspace.engine.adopt(file, { mine: true });
  await Promise.all([talk, dialogue, exchange, loom].map(workspace.begins));
  expect(await viewOf(workspace.engine, talk)).toBeUndefined();
});

test('[L25] imports from earlier versions, whose owner is unknown, continue as before', async () => {
  const { file, talk } = await exportBusyWorkspace();
  const workspace = await openWorkspace();
  await workspace.engine.adopt(file);
  const { seq } = (await workspace.engine.log.lastOf(talk)) as { seq: number };
  await workspace.engine.log.putRecords([{ kind: IMPORTED_RANGES, key: talk, value: String(seq) }]);
  workspace.engine.startWork();
  await workspace.begins(talk);
});

async function viewOf(engine: Engine, thread: string) {
  const loaded = await engine.state(thread);
  const view = await engine.imports.ofThread((loaded as NonNullable<typeof loaded>).state.thread);
  // A list says the same without opening the thread.
  expect((await engine.imports.ofRows(await engine.index())).get(thread)).toEqual(view);
  return view;
}
