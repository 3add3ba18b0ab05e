import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { monotonicFactory } from 'ulid';
import { expect, onTestFinished, test } from 'vitest';
import { alpha, human } from '../../test/support/domain/given.ts';
import { create, eventsOf, say } from '../../test/support/servers/engines.ts';
import type { ConversationCommand } from '../core/threads/commands.ts';
import { threads } from '../core/threads/domain.ts';
import type { ThreadState } from '../core/threads/state.ts';
import { type EventLog, eventOf, type StoredEvent, StoreUnavailable } from '../log/event-log.ts';
import { openMemoryLog } from '../log/memory/memory-log.ts';
import { openSqliteLog } from '../log/sqlite/sqlite-log.ts';
import { createEngine } from './engine.ts';
import { createHandler } from './handle.ts';
import { createSecrets } from './secrets.ts';
import { createStates } from './states.ts';

/** A handler on a log, with threads as they are but for what `domain` changes. */
function handlerOn(log: EventLog, domain: Partial<typeof threads> = {}, tell?: () => never) {
  const whole = { ...threads, ...domain };
  const published: string[] = [];
  const reported: unknown[] = [];
  const newId = monotonicFactory();
  const states = createStates(log, whole);
  const clock = {
    now: () => new Date().toISOString(),
    newId: () => newId(),
    hash: String,
    random: Math.random,
    credentialKind: () => undefined,
  };
  const { handle } = createHandler({
    log,
    domain: whole,
    states,
    secrets: createSecrets(),
    clock,
    onCommit: tell ?? ((rows) => published.push(...rows.map((row) => String(eventOf(row).content)))),
    report: (error) => reported.push(error),
  });
  const send = (command: ConversationCommand, id: string) => handle({ actor: human, command, id });
  return { send, states, published, reported };
}

test('[L26] messages are stored, answered and published even if the state is too large for a snapshot', async () => {
  const log = openMemoryLog();
  // No text can hold it, as with a state beyond 512 MB.
  const evolve: typeof threads.evolve = (state, event) =>
    ({ ...threads.evolve(state, event), huge: 1n }) as unknown as ThreadState;
  const { send, published } = handlerOn(log, { evolve });
  const thread = (eventsOf(await send(create, 'c'))[0] as StoredEvent).thread;
  const texts = Array.from({ length: 1000 }, (_, i) => `m${i}`);
  const answers = await Promise.all(texts.map((text) => send(say(thread, text), text)));
  expect(answers.map((answer) => eventsOf(answer).length)).toEqual(texts.map(() => 1));
  expect(published.slice(1)).toEqual(texts);
  const again = createStates(log, { ...threads, evolve });
  expect((await again.load(thread))?.seq).toBe(1001);
});

test('[L26] a message is acknowledged even if publishing it fails or a neighbour cannot be answered', async () => {
  const log = openMemoryLog();
  let isAway = false;
  const unsteady: EventLog = {
    ...log,
    async readAll(...asked) {
      if (isAway) throw new StoreUnavailable('The log cannot be read.');
      return log.readAll(...asked);
    },
  };
  const { send, reported } = handlerOn(unsteady, {}, () => {
    throw new Error('Nobody can be told.');
  });
  const thread = (eventsOf(await send(create, 'c'))[0] as StoredEvent).thread;
  await send(say(thread, 'one'), 'one');
  expect(reported).toHaveLength(2);
  isAway = true;
  const [earlier, fresh] = await Promise.allSettled([send(say(thread, 'one'), 'one'), send(say(thread, 'two'), 'two')]);
  expect(earlier.status).toBe('rejected');
  expect(fresh).toMatchObject({ status: 'fulfilled', value: { repeated: false } });
});

test('[L26] a failing reader affects neither the writer nor other readers', async () => {
  const log = openMemoryLog();
  const engine = await createEngine({ log });
  onTestFinished(() => engine.close());
  const thread = (eventsOf(await engine.handle(human, create))[0] as StoredEvent).thread;
  const published: string[] = [];
  const failures: unknown[] = [];
  let count = 0;
  const read = (deliver: (rows: readonly StoredEvent[]) => void) =>
    engine.tail.subscribe({
      after: engine.tail.position,
      onEvents: deliver,
      onLive: () => count++,
      ready: async () => {},
      onError: (error) => failures.push(error),
    });
  read(() => {
    throw new Error('A reader broke.');
  });
  read((rows) => published.push(...rows.map((row) => String(eventOf(row).content))));
  // Only those who are up to date hear of what is live: both have joined.
  await expect
    .poll(() => {
      count = 0;
      engine.sendLive({ thread, type: 'presence.updated', content: {} });
      return count;
    })
    .toBe(2);
  for (const text of ['one', 'two']) expect(eventsOf(await engine.handle(alpha, say(thread, text)))).toHaveLength(1);
  expect(published).toEqual(['one', 'two']);
  expect(failures).toHaveLength(1);
});

test('[L14] an unreadable snapshot is ignored', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-after-'));
  const path = join(directory, 'heddle.db');
  const log = openSqliteLog(path);
  onTestFinished(async () => {
    await log.close();
    rmSync(directory, { recursive: true });
  });
  const { send, states } = handlerOn(log);
  const thread = (eventsOf(await send(create, 'c'))[0] as StoredEvent).thread;
  await Promise.all(Array.from({ length: 1000 }, (_, i) => send(say(thread, `m${i}`), `m${i}`)));
  const db = new DatabaseSync(path);
  db.exec(`UPDATE snapshots SET body = '{"cut off'`);
  db.close();
  expect(await createStates(log, threads).load(thread)).toEqual(await states.load(thread));
});
