import { afterEach, expect, test } from 'vitest';
import { human } from '../../test/support/domain/given.ts';
import type { ConversationCommand } from '../core/threads/commands.ts';
import { type EventLog, eventOf, type StoredEvent } from '../log/event-log.ts';
import { openMemoryLog } from '../log/memory/memory-log.ts';
import { IMPORTED_RANGES } from '../log/record-kinds.ts';
import { realTime } from '../models/resilience/time.ts';
import { createEngine, type Engine } from './engine.ts';
import { runWhileHolding } from './lease.ts';

const engines: Engine[] = [];

afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
});

async function open(log: EventLog): Promise<Engine> {
  const engine = await createEngine({ log });
  engines.push(engine);
  return engine;
}

async function appendCommand(engine: Engine, command: ConversationCommand): Promise<readonly StoredEvent[]> {
  return ((await engine.handle(human, command)) as { events: readonly StoredEvent[] }).events;
}

async function threadWithSides(engine: Engine, sides: number) {
  const thread = (
    await appendCommand(engine, { name: 'create', input: { title: 'T', kind: 'conversation', invite: [] } })
  )[0]?.thread as string;
  const opened: string[] = [];
  for (let i = 0; i < sides; i++) {
    const [first] = await appendCommand(engine, {
      name: 'side_open',
      input: { thread, question: `q${i}`, members: ['alpha'] },
    });
    opened.push(first?.thread as string);
  }
  return { thread, opened };
}

const doneCommand = (thread: string): ConversationCommand => ({
  name: 'post',
  input: { thread, type: 'control', content: { done: true } },
});

async function notices(engine: Engine, thread: string): Promise<number> {
  return (await engine.log.readThread(thread, 0, 100)).filter((row) => eventOf(row).type === 'notice.posted').length;
}

/** Waits for events, not for time: looks again whenever something was appended. */
async function until(engine: Engine, holds: () => Promise<boolean>) {
  for (;;) {
    const changed = engine.tail.waitForChange(undefined, 60_000);
    if (await holds()) return;
    await changed;
  }
}

test('[T12] side channels of a finished thread are notified once each, under the id system', async () => {
  const engine = await open(openMemoryLog());
  engine.startWork();
  const { thread, opened } = await threadWithSides(engine, 3);
  await appendCommand(engine, doneCommand(thread));
  for (const side of opened) await until(engine, async () => (await notices(engine, side)) === 1);
  const last = eventOf((await engine.log.lastOf(opened[0] as string)) as StoredEvent);
  expect(last).toMatchObject({ from: 'system', meta: { by: 'automation' } });
  expect(await engine.log.record('checkpoint', 'threads')).toBeDefined();
});

test('[L19] reactions missed while no server ran are carried out later, and none twice', async () => {
  const log = openMemoryLog();
  const first = await open(log);
  const { thread, opened } = await threadWithSides(first, 2);
  await appendCommand(first, doneCommand(thread));
  const second = await open(log);
  second.startWork();
  for (const side of opened) await until(second, async () => (await notices(second, side)) === 1);
  await second.close();
  // As if the checkpoint had not been saved before a crash: everything is read again.
  await log.putRecords([{ kind: 'checkpoint', key: 'threads', value: '0' }]);
  const third = await open(log);
  third.startWork();
  await appendCommand(third, { name: 'post', input: { thread, type: 'message', content: 'go on' } });
  await appendCommand(third, doneCommand(thread));
  for (const side of opened) await until(third, async () => (await notices(third, side)) === 2);
});

test('[L13] inherited and imported events wake nobody', async () => {
  const log = openMemoryLog();
  const engine = await open(log);
  const { thread, opened } = await threadWithSides(engine, 1);
  await appendCommand(engine, doneCommand(thread));
  await log.putRecords([{ kind: IMPORTED_RANGES, key: thread, value: String((await log.lastOf(thread))?.seq) }]);
  await appendCommand(engine, { name: 'fork', input: { thread } });
  engine.startWork();
  const { thread: fresh, opened: sides } = await threadWithSides(engine, 1);
  await appendCommand(engine, doneCommand(fresh));
  await until(engine, async () => (await notices(engine, sides[0] as string)) === 1);
  expect(await notices(engine, opened[0] as string)).toBe(0);
});

test('[L19] only one server holds a job, and when it leaves another takes over with a higher fence', async () => {
  let time = 0;
  const log = openMemoryLog(() => time);
  const stopFirst = new AbortController();
  const stopSecond = new AbortController();
  const fences: string[] = [];
  const running = new Promise<void>((resolve) => {
    void runWhileHolding(log, 'work', 'one', stopFirst.signal, async ({ lease, signal }) => {
      fences.push(`one ${lease.fence}`);
      resolve();
      await realTime.wait(60_000, signal);
    });
  });
  await running;
  expect(await log.lease('work', 'two', 1000)).toBeUndefined();
  time += 60_000;
  const taken = new Promise<void>((resolve) => {
    void runWhileHolding(log, 'work', 'two', stopSecond.signal, async ({ lease }) => {
      fences.push(`two ${lease.fence}`);
      resolve();
    });
  });
  await taken;
  expect(fences).toEqual(['one 1', 'two 2']);
  stopFirst.abort();
  stopSecond.abort();
});
