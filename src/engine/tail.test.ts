import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { human } from '../../test/support/domain/given.ts';
import { fuzzRuns } from '../../test/support/random.ts';
import { fuzzTail } from '../../test/support/servers/tail-fuzz.ts';
import type { StoredEvent } from '../log/event-log.ts';
import { openMemoryLog } from '../log/memory/memory-log.ts';
import { openSqliteLog } from '../log/sqlite/sqlite-log.ts';
import { createEngine } from './engine.ts';

const FIRST_SEED = 1;

test('[L10] readers catch up and then follow live without a gap or a duplicate, whenever they come and go', {
  timeout: 600_000,
}, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + fuzzRuns(60); seed++) await fuzzTail(seed, 100, openMemoryLog());
});

test('[L10] readers follow without a gap while another process appends to the file', { timeout: 600_000 }, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + fuzzRuns(15); seed++) {
    const directory = mkdtempSync(join(tmpdir(), 'heddle-tail-'));
    const [one, two] = [0, 1].map(() => openSqliteLog(join(directory, 'heddle.db')));
    await fuzzTail(seed, 100, one as never, two as never);
    await one?.close();
    await two?.close();
    rmSync(directory, { recursive: true });
  }
});

async function threadOf(engine: Awaited<ReturnType<typeof createEngine>>): Promise<string> {
  const handled = await engine.handle(human, {
    name: 'create',
    input: { title: 'T', kind: 'conversation', invite: [] },
  });
  return (handled as { events: readonly StoredEvent[] }).events[0]?.thread as string;
}

test('[L4] live messages reach readers of the thread and of the workspace and are not stored', async () => {
  const engine = await createEngine({ log: openMemoryLog() });
  const thread = await threadOf(engine);
  const received: string[] = [];
  const caughtUp = new Promise<void>((resolve) => {
    const listen = (name: string, scope: object) =>
      engine.tail.subscribe({
        ...scope,
        after: 0,
        onEvents: () => resolve(),
        onLive: (item) => received.push(`${name} ${item.type}`),
        ready: async () => {},
        onError: () => {},
      });
    listen('workspace', {});
    listen('thread', { thread });
    listen('elsewhere', { thread: 'other' });
  });
  await caughtUp;
  await new Promise((resolve) => setImmediate(resolve));
  await engine.declare(human, thread, 'typing');
  expect(received).toEqual(['workspace presence.updated', 'thread presence.updated']);
  expect(await engine.log.head()).toBe(1);
  await engine.close();
});

test('[L10] a reader that waits for news is only woken by its own thread', async () => {
  const engine = await createEngine({ log: openMemoryLog() });
  const [one, two] = [await threadOf(engine), await threadOf(engine)];
  const say = (thread: string) =>
    engine.handle(human, { name: 'post', input: { thread, type: 'message', content: 'x' } });
  const change = engine.tail.waitForChange(one, 60_000);
  const never = engine.tail.waitForChange(one, 1);
  await say(two);
  expect(await never).toBe(false);
  await say(one);
  expect(await change).toBe(true);
  await engine.close();
});

test('[L11] a reader that catches up on large events gets them in small portions', async () => {
  const engine = await createEngine({ log: openMemoryLog() });
  const thread = await threadOf(engine);
  const content = 'x'.repeat(48 * 1024);
  for (let i = 0; i < 40; i++)
    await engine.handle(human, { name: 'post', input: { thread, type: 'message', content } });
  const received: number[] = [];
  await new Promise<void>((resolve, reject) => {
    engine.tail.subscribe({
      after: 0,
      onEvents(rows) {
        received.push(rows.reduce((sum, row) => sum + row.body.length, 0));
        if (rows.at(-1)?.position === 41) resolve();
      },
      onLive: () => {},
      ready: async () => {},
      onError: reject,
    });
  });
  expect(received.length).toBeGreaterThan(10);
  expect(Math.max(...received.slice(1))).toBeLessThan(200 * 1024);
  await engine.close();
});
