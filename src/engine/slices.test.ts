import { expect, test } from 'vitest';
import type { Actor } from '../core/events/event.ts';
import { workspace } from '../core/workspace.ts';
import type { EventLog } from '../log/event-log.ts';
import { openMemoryLog } from '../log/memory/memory-log.ts';
import { createEngine, type Engine } from './engine.ts';
import { waitInLine } from './slices.ts';
import { createStates } from './states.ts';

const human: Actor = { id: 'ana', kind: 'human' };

async function threadIn(engine: Engine): Promise<string> {
  const done = await engine.handle(human, {
    name: 'create',
    input: { title: 'x', kind: 'conversation', invite: [] },
  });
  if ('refusal' in done) throw new Error(done.refusal.message);
  return done.events[0]?.thread as string;
}

const inviteCommand = (thread: string, id: string) =>
  ({
    name: 'post',
    input: { thread, type: 'control', content: { invite: { participant_id: id, profile: {} } } },
  }) as const;

/** A log that counts the events read from it, and what is stored at once. */
function counting(log: EventLog) {
  const counts = { read: 0, largestWrite: 0, writes: 0 };
  const counted: EventLog = {
    ...log,
    async readThread(...asked) {
      const rows = await log.readThread(...asked);
      counts.read += rows.length;
      return rows;
    },
    append(entries) {
      const bytes = entries.flatMap(({ events }) => events).reduce((sum, { body }) => sum + body.length, 0);
      counts.largestWrite = Math.max(counts.largestWrite, bytes);
      counts.writes++;
      return log.append(entries);
    },
  };
  return { counts, log: counted };
}

test('[T23] a burst of invitations does not read the thread again for each of them', async () => {
  const read = [];
  for (const burst of [100, 200]) {
    const { log, counts } = counting(openMemoryLog());
    const engine = await createEngine({ log });
    engine.startWork();
    const thread = await threadIn(engine);
    await Promise.all(Array.from({ length: burst }, (_, i) => engine.handle(human, inviteCommand(thread, `p${i}`))));
    // The runner follows the log, and comes to this after all of them.
    const side = { thread, question: 'which?', members: ['p1'] };
    await engine.handle(human, { name: 'side_open', input: side });
    await engine.handle(human, { name: 'post', input: { thread, type: 'control', content: { done: true } } });
    await expect.poll(() => engine.appendCounts.get('notice.posted')).toBe(1);
    read.push(counts.read);
    await engine.close();
  }
  const [few, many] = read as [number, number];
  expect(many).toBeLessThan(3 * Math.max(few, 100));
});

test('[T23] large messages that arrive at once are stored a few at a time', async () => {
  const { log, counts } = counting(openMemoryLog());
  const engine = await createEngine({ log });
  const thread = await threadIn(engine);
  const content = 'x'.repeat(500_000);
  await Promise.all(
    Array.from({ length: 12 }, () =>
      engine.handle(human, { name: 'post', input: { thread, type: 'message', content } }),
    ),
  );
  expect(counts.largestWrite).toBeLessThan(2_000_000);
  expect((await log.readThread(thread, 0, 100)).length).toBe(13);
  await engine.close();
});

test('[T23] large messages are indexed a few at a time', async () => {
  const log = openMemoryLog();
  let largest = 0;
  const put: typeof log.search.put = (from, to, texts) => {
    largest = Math.max(
      largest,
      texts.reduce((sum, { text }) => sum + text.length, 0),
    );
    return log.search.put(from, to, texts);
  };
  const engine = await createEngine({ log: { ...log, search: { ...log.search, put } } });
  const thread = await threadIn(engine);
  const say = (content: string) => engine.handle(human, { name: 'post', input: { thread, type: 'message', content } });
  for (let i = 0; i < 100; i++) await say('a word');
  for (let i = 0; i < 6; i++) await say('word '.repeat(60_000));
  const answer = await engine.search({ q: 'word', limit: 5 });
  expect('hits' in answer && answer.indexed.events).toBeGreaterThan(100);
  expect(largest).toBeLessThan(350_000);
  await engine.close();
});

test('[T23] other requests are served while a long thread is read', async () => {
  const log = openMemoryLog();
  const engine = await createEngine({ log });
  const thread = await threadIn(engine);
  for (let i = 0; i < 400; i++) await engine.handle(human, inviteCommand(thread, `p${i}`));
  let turns = 0;
  let over = false;
  const turn = () => {
    turns++;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  const read = await createStates(log, workspace).at(thread, 390);
  over = true;
  expect(read.seq).toBe(390);
  expect(turns).toBeGreaterThan(3);
  await engine.close();
});

test('[T23] long jobs yield to other requests after each slice', async () => {
  const seen: string[] = [];
  const work = async (name: string) => {
    for (let i = 0; i < 3; i++) {
      await waitInLine();
      seen.push(name);
    }
  };
  const others = async () => {
    for (let i = 0; i < 9; i++) {
      await new Promise(setImmediate);
      seen.push('-');
    }
  };
  await Promise.all([work('a'), work('b'), work('c'), others()]);
  expect(seen.join('')).not.toMatch(/[abc]{2}/);
});
