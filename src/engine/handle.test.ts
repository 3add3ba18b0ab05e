import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { alpha, human } from '../../test/support/domain/given.ts';
import { create, eventsOf, newThread, refusalOf, say, setUpEngines } from '../../test/support/servers/engines.ts';
import { isRefusal } from '../core/refusal.ts';
import type { ConversationCommand } from '../core/threads/commands.ts';
import { eventOf, type StoredEvent } from '../log/event-log.ts';
import { openMemoryLog } from '../log/memory/memory-log.ts';
import { GENESIS, linkHash } from '../log/seal.ts';
import { openSqliteLog } from '../log/sqlite/sqlite-log.ts';
import { createEngine } from './engine.ts';
import type { CommandResult } from './handle.ts';
import { createSecrets } from './secrets.ts';

const { file, open } = setUpEngines();

describe('the envelope', () => {
  test('[L2] the server sets id, time, thread, seq and author, and links the hashes', async () => {
    const engine = await open();
    const thread = await newThread(engine);
    for (const text of ['one', 'two']) await engine.handle(alpha, say(thread, text), `say-${text}`);
    const rows = await engine.log.readThread(thread, 0, 10);
    const events = rows.map(eventOf);
    expect(events.map((event) => event.seq)).toEqual([1, 2, 3]);
    expect(events[1]).toMatchObject({
      from: 'alpha',
      to: 'all',
      content: 'one',
      v: 1,
      meta: { by: 'agent', command: 'say-one' },
    });
    expect(events[1]?.id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(events[1]?.ts).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    let previous = GENESIS;
    for (const row of rows) {
      expect(row.hash).toBe(linkHash(previous, row.body));
      previous = row.hash;
    }
  });

  test('[L15] text that a store would change is refused before anything is stored', async () => {
    const engine = await open();
    const thread = await newThread(engine);
    expect(refusalOf(await engine.handle(human, say(thread, 'a\0b'))).code).toBe('unacceptable_text');
    expect(refusalOf(await engine.handle(human, say(thread, '\ud800'))).code).toBe('unacceptable_text');
    expect(refusalOf(await engine.handle(human, say(thread, 'x'.repeat(1024 * 1024)))).code).toBe('too_large');
    expect(await engine.log.head()).toBe(1);
  });

  test('[L17] a token in a message is refused, not stored', async () => {
    const engine = await open();
    const thread = await newThread(engine);
    const token = `hdl_${'a1_-'.repeat(11).slice(0, 43)}`;
    expect(refusalOf(await engine.handle(alpha, say(thread, `use ${token} please`))).message).toContain('secret');
    expect(await engine.log.head()).toBe(1);
    const secrets = createSecrets(() => ['sk-very-secret-key', 'x']);
    expect(secrets.check('Bearer sk-very-secret-key')).toBeDefined();
    expect(secrets.check('x marks nothing')).toBeUndefined();
    expect(secrets.remove(`a ${token} b sk-very-secret-key`)).toBe('a [removed] b [removed]');
  });
});

describe('appending', () => {
  test('[L15] content that is nested too deeply is refused without an error', async () => {
    const engine = await open();
    const thread = await newThread(engine);
    let data: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) data = [data];
    const [task] = eventsOf(
      await engine.handle(human, {
        name: 'post',
        input: { thread, type: 'task', content: { text: 'Count.', role: 'clerk' } },
      } as never),
    );
    const input = { thread, type: 'result', content: { text: 'x', data }, meta: { reply_to: task?.id } };
    const handled = await engine.handle(human, { name: 'post', input } as never);
    expect(isRefusal(handled) && handled.refusal.code).toBe('unacceptable_text');
  });

  test('[L6] one command writes to both of two threads, or to neither', async () => {
    const engine = await open();
    const thread = await newThread(engine);
    const opened = eventsOf(
      await engine.handle(human, { name: 'side_open', input: { thread, question: 'Which?', members: ['alpha'] } }),
    );
    const side = (opened[0] as StoredEvent).thread;
    expect(opened.map((row) => row.thread)).toEqual([side, side, side, thread]);
    const both = await Promise.all(
      ['a', 'b'].map((summary) => engine.handle(human, { name: 'side_close', input: { thread: side, summary } })),
    );
    expect(both.filter((handled) => !isRefusal(handled))).toHaveLength(1);
    expect(both.filter(isRefusal)[0]?.refusal.code).toBe('side_closed');
    const parent = (await engine.log.readThread(thread, 0, 10)).map((row) => eventOf(row).type);
    expect(parent).toEqual(['thread.created', 'side.opened', 'side.returned']);
  });

  test('[L6] two processes on one file each decide again after the other’s writes', async () => {
    const one = await open();
    const thread = await newThread(one);
    const two = await open();
    const writes = Array.from({ length: 40 }, (_, i) => (i % 2 ? one : two).handle(human, say(thread, `m${i}`)));
    for (const handled of await Promise.all(writes)) expect(eventsOf(handled)).toHaveLength(1);
    const rows = await one.log.readThread(thread, 0, 100);
    expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: 41 }, (_, i) => i + 1));
    expect(new Set(rows.slice(1).map((row) => eventOf(row).content)).size).toBe(40);
  });

  test('[L9] a refusal takes other processes’ writes into account', async () => {
    const one = await open();
    const thread = await newThread(one);
    const two = await open();
    const pause = (on: boolean): ConversationCommand => ({
      name: 'post',
      input: { thread, type: 'control', content: { pause: { on } } },
    });
    await two.handle(human, pause(true));
    expect(refusalOf(await one.handle(alpha, say(thread, 'x'))).code).toBe('thread_paused');
    await two.handle(human, pause(false));
    expect(eventsOf(await one.handle(alpha, say(thread, 'x')))).toHaveLength(1);
  });
});

describe('command ids', () => {
  test('[L7] an exact retry gets the first answer, immediately, concurrently and after a restart', async () => {
    const path = file();
    const log = openSqliteLog(path);
    const engine = await createEngine({ log });
    const thread = await newThread(engine);
    const thrice = await Promise.all([1, 2, 3].map(() => engine.handle(human, say(thread, 'once'), 'key')));
    expect(new Set(thrice.map((handled) => eventsOf(handled)[0]?.id)).size).toBe(1);
    await engine.close();
    await log.close();
    const again = await open(openSqliteLog(path));
    const fourth = await again.handle(human, say(thread, 'once'), 'key');
    expect(fourth).toMatchObject({ repeated: true });
    expect(eventsOf(fourth)).toEqual(eventsOf(thrice[0] as CommandResult));
    expect(await again.log.head()).toBe(2);
  });

  test('[L7] creating a thread twice with one command id makes one thread', async () => {
    const engine = await open();
    const [a, b] = await Promise.all([engine.handle(human, create, 'k'), engine.handle(human, create, 'k')]);
    expect(eventsOf(a as CommandResult)[0]?.thread).toBe(eventsOf(b as CommandResult)[0]?.thread);
    expect(await engine.index()).toHaveLength(1);
  });

  test('[L7] the same command id for another command is refused, but another participant can use it', async () => {
    const engine = await open();
    const thread = await newThread(engine);
    await engine.handle(human, say(thread, 'one'), 'key');
    expect(refusalOf(await engine.handle(human, say(thread, 'two'), 'key')).code).toBe('command_reused');
    expect(eventsOf(await engine.handle(alpha, say(thread, 'two'), 'key'))).toHaveLength(1);
  });

  test('[L7] a success is remembered even if it would be refused now, and a refusal is decided again', async () => {
    const engine = await open();
    const thread = await newThread(engine);
    const pause = (on: boolean): ConversationCommand => ({
      name: 'post',
      input: { thread, type: 'control', content: { pause: { on } } },
    });
    await engine.handle(alpha, say(thread, 'in time'), 'early');
    await engine.handle(human, pause(true));
    expect(eventsOf(await engine.handle(alpha, say(thread, 'in time'), 'early'))).toHaveLength(1);
    expect(refusalOf(await engine.handle(alpha, say(thread, 'late'), 'late')).code).toBe('thread_paused');
    await engine.handle(human, pause(false));
    expect(eventsOf(await engine.handle(alpha, say(thread, 'late'), 'late'))).toHaveLength(1);
  });
});

describe('states', () => {
  test('[L13] a fork sees the past up to its start, then its own events, and links to it', async () => {
    const engine = await open();
    const thread = await newThread(engine);
    for (const text of ['a', 'b', 'c']) await engine.handle(human, say(thread, text));
    const pause: ConversationCommand = {
      name: 'post',
      input: { thread, type: 'control', content: { pause: { on: true } } },
    };
    await engine.handle(human, pause);
    const fork = eventsOf(await engine.handle(human, { name: 'fork', input: { thread, seq: 3 } }))[0] as StoredEvent;
    expect(fork.seq).toBe(4);
    const parent = (await engine.log.lastOf(thread, 3)) as StoredEvent;
    expect(fork.hash).toBe(linkHash(parent.hash, fork.body));
    expect((await engine.state(fork.thread))?.state.thread).toMatchObject({
      paused: false,
      title: 'Plans (fork)',
      forkedFrom: { thread, seq: 3 },
    });
    expect(eventsOf(await engine.handle(alpha, say(fork.thread, 'on')))[0]?.seq).toBe(5);
    const texts = (await engine.log.readThread(fork.thread, 0, 10)).map((row) => eventOf(row).content);
    expect(texts.filter((text) => typeof text === 'string')).toEqual(['a', 'b', 'on']);
  });

  test('[L14] snapshots only change the speed, and a rebuild restores the index', async () => {
    const path = file();
    const engine = await open(openSqliteLog(path));
    const thread = await newThread(engine);
    await Promise.all(Array.from({ length: 1100 }, (_, i) => engine.handle(alpha, say(thread, `m${i}`))));
    await engine.handle(human, {
      name: 'post',
      input: { thread, type: 'control', content: { rename: { title: 'Renamed' } } },
    });
    const live = await engine.state(thread);
    expect(await engine.log.snapshot(thread)).toBeDefined();
    const other = await open(openSqliteLog(path));
    expect(await other.state(thread)).toEqual(live);
    const index = await engine.log.records('thread');
    await engine.log.replaceRecords('thread', [{ key: 'nonsense', value: '{}' }]);
    expect(await engine.rebuild()).toEqual({ threads: 1, events: 1103, mended: 2 });
    expect(await engine.log.records('thread')).toEqual(index);
    const third = await open(openSqliteLog(path));
    expect(await third.state(thread)).toEqual(live);
  });

  test('[L14] a snapshot that cannot be saved causes no failure', async () => {
    const path = file();
    const engine = await open(openSqliteLog(path));
    const thread = await newThread(engine);
    const other = new DatabaseSync(path);
    other.exec(
      'DROP TABLE snapshots; CREATE TABLE snapshots (thread TEXT PRIMARY KEY, seq, version, body, CHECK (seq < 0))',
    );
    other.close();
    const posted = await Promise.all(
      Array.from({ length: 1000 }, (_, i) => engine.handle(alpha, say(thread, `m${i}`))),
    );
    expect(posted.filter(isRefusal)).toEqual([]);
    expect(await engine.log.snapshot(thread)).toBeUndefined();
  });

  test('[L14] the index row only changes when its contents do', async () => {
    const engine = await open(openMemoryLog());
    const thread = await newThread(engine);
    const before = await engine.log.records('thread');
    await engine.handle(human, say(thread, 'x'));
    expect(await engine.log.records('thread')).toEqual(before);
    await engine.handle(human, { name: 'post', input: { thread, type: 'control', content: { done: true } } });
    expect((await engine.index())[0]).toMatchObject({ done: true });
  });
});
