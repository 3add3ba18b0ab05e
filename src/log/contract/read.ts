import { describe, expect, test } from 'vitest';
import { type AppendEntry, type EventLog, eventOf } from '../event-log.ts';
import { linkHash } from '../seal.ts';
import {
  awkwardText,
  chain,
  createOpener,
  EVERYTHING,
  entry,
  numberedEvents,
  positions,
  seqs,
  storedEvents,
  type TestStore,
} from './support.ts';

/** Reading: L5, L10, L13. */
export function readContract(createStore: () => Promise<TestStore>): void {
  const open = createOpener(createStore);

  describe('reading', () => {
    test('[L10] the workspace is read in pages, in commit order', async () => {
      const { log } = await open();
      expect(await log.head()).toBe(0);
      expect(await log.readAll(0, 10)).toEqual([]);
      await log.append([entry('a', 0, 3), entry('b', 0, 2)]);
      await log.append([entry('a', 3, 2)]);
      expect(seqs(await log.readAll(0, 4))).toEqual(['a1', 'a2', 'a3', 'b1']);
      expect(seqs(await log.readAll(4, 4))).toEqual(['b2', 'a4', 'a5']);
      expect(await log.readAll(7, 4)).toEqual([]);
      expect(await log.readAll(EVERYTHING - 1, 4)).toEqual([]);
    });

    test('[L10] a thread is read by seq, in pages, and knows its newest event', async () => {
      const { log } = await open();
      await log.append([entry('a', 0, 2), entry('b', 0, 1), entry('a', 2, 3)]);
      expect(seqs(await log.readThread('a', 0, 3))).toEqual(['a1', 'a2', 'a3']);
      expect(positions(await log.readThread('a', 3, 3))).toEqual([5, 6]);
      expect(await log.readThread('a', 5, 3)).toEqual([]);
      expect(await log.readThread('nobody', 0, 3)).toEqual([]);
      expect(await log.lastOf('a')).toMatchObject({ seq: 5, position: 6 });
      expect(await log.lastOf('a', 2)).toMatchObject({ seq: 2, position: 2 });
      expect(await log.lastOf('a', 99)).toMatchObject({ seq: 5 });
      expect(await log.lastOf('a', 0)).toBeUndefined();
      expect(await log.lastOf('nobody')).toBeUndefined();
    });

    test('[L2] an event is found by its id', async () => {
      const { log } = await open();
      const events = chain('a', 3);
      await log.append([{ expected: [], events }]);
      expect(await log.byId(events[1]!.id)).toEqual(storedEvents(events, 1)[1]);
      expect(await log.byId('nothing')).toBeUndefined();
    });

    test('[L2] events are read by position, in log order', async () => {
      const { log } = await open();
      await log.append([entry('a', 0, 3), entry('b', 0, 2)]);
      expect(seqs(await log.readAt([5, 2, 99, 2, 0, 1]))).toEqual(['a1', 'a2', 'b2']);
      expect(await log.readAt([])).toEqual([]);
    });

    test('[L10] a reader never sees a gap while two handles append', async () => {
      const { log, another } = await open();
      const writers = [log, await another()];
      const reader = await another();
      const rounds = 40;
      let isWriting = true;
      const writes = Promise.all(writers.map((writer, w) => appendRounds(writer, `w${w}`, rounds))).finally(() => {
        isWriting = false;
      });
      const seenPositions: number[] = [];
      for (let isLast = false; !isLast; ) {
        isLast = !isWriting;
        seenPositions.push(...positions(await reader.readAll(seenPositions.at(-1) ?? 0, 7)));
        if (isLast && seenPositions.length < (await reader.head())) isLast = false;
      }
      await writes;
      expect(seenPositions).toEqual(Array.from({ length: rounds * 2 * 3 }, (_, i) => i + 1));
    });
  });

  describe('text', () => {
    for (const [name, content] of [...Object.entries(awkwardText), ['1 MiB', megabyteText()] as const]) {
      test(`[L5] ${name}: bodies come back exactly as they were hashed`, async () => {
        const { log, another } = await open();
        const events = chain('a', 2, { content });
        await log.append([{ expected: [], events }]);
        await log.close();
        const readEvents = await (await another()).readThread('a', 0, 10);
        expect(readEvents).toEqual(storedEvents(events, 1));
        expect(eventOf(readEvents[1]!).content).toBe(content);
        expect(linkHash(readEvents[0]!.hash, readEvents[1]!.body)).toBe(readEvents[1]!.hash);
      });
    }

    test('[L5] names and values of every kind are kept unchanged', async () => {
      const { log } = await open();
      for (const [name, text] of Object.entries(awkwardText)) {
        const command = { participant: 'ann', id: text, digest: text };
        await log.append([entry(`t${text}`, 0, 1, { command, records: [{ kind: 'k', key: text, value: text }] })]);
        expect((await log.appliedCommands([command]))[0]?.digest, name).toBe(text);
        expect(await log.record('k', text), name).toBe(text);
        expect((await log.lastOf(`t${text}`))?.thread, name).toBe(`t${text}`);
      }
      expect(await log.records('k')).toHaveLength(Object.keys(awkwardText).length);
    });
  });

  describe('forks', () => {
    test('[L13] a fork sees its parent up to the fork point, then its own events', async () => {
      const { log } = await open();
      const root = chain('a', 5);
      await log.append([{ expected: [], events: root }]);
      const ownEvents = chain('b', 2, { after: 3, previous: root[2]!.hash });
      await log.append([
        { expected: [{ thread: 'b', seq: 0 }], events: ownEvents, forks: [{ thread: 'b', parent: 'a', seq: 3 }] },
      ]);
      await log.append([{ expected: [], events: chain('a', 2, { after: 5, previous: root[4]!.hash }) }]);
      expect(seqs(await log.readThread('b', 0, 100))).toEqual(['a1', 'a2', 'a3', 'b4', 'b5']);
      expect(seqs(await log.readThread('a', 0, 100))).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']);
      expect(seqs(await log.readThread('b', 1, 2))).toEqual(['a2', 'a3']);
      expect(seqs(await log.readThread('b', 2, 2))).toEqual(['a3', 'b4']);
      expect(seqs(await log.readThread('b', 4, 2))).toEqual(['b5']);
      expect(await log.lastOf('b', 3)).toMatchObject({ thread: 'a', seq: 3 });
      expect(await log.lastOf('b')).toMatchObject({ thread: 'b', seq: 5 });
      const [, , a3, b4] = await log.readThread('b', 0, 100);
      expect(linkHash(a3!.hash, b4!.body)).toBe(b4!.hash);
    });

    test('[L13] a fork without events of its own ends at the fork point', async () => {
      const { log } = await open();
      await log.append([entry('a', 0, 3)]);
      await log.append([
        { expected: [{ thread: 'b', seq: 0 }], events: [], forks: [{ thread: 'b', parent: 'a', seq: 2 }] },
      ]);
      expect(await log.lastOf('b')).toMatchObject({ thread: 'a', seq: 2 });
      expect(seqs(await log.readThread('b', 0, 100))).toEqual(['a1', 'a2']);
    });

    test('[L13] in forks of forks each part ends where a thread below it was forked', async () => {
      const { log } = await open();
      await log.append([entry('a', 0, 6)]);
      await appendFork(log, 'b', 'a', 4, 3);
      await appendFork(log, 'c', 'b', 6, 2);
      await appendFork(log, 'd', 'b', 2, 1);
      await appendFork(log, 'e', 'd', 2, 1);
      await appendFork(log, 'f', 'c', 8, 1);
      expect(seqs(await log.readThread('c', 0, 100))).toEqual(['a1', 'a2', 'a3', 'a4', 'b5', 'b6', 'c7', 'c8']);
      expect(seqs(await log.readThread('d', 0, 100))).toEqual(['a1', 'a2', 'd3']);
      expect(seqs(await log.readThread('e', 0, 100))).toEqual(['a1', 'a2', 'e3']);
      expect(seqs(await log.readThread('f', 3, 4))).toEqual(['a4', 'b5', 'b6', 'c7']);
      expect(await log.lastOf('f', 5)).toMatchObject({ thread: 'b', seq: 5 });
      expect(await log.lastOf('e', 2)).toMatchObject({ thread: 'a', seq: 2 });
      for (const thread of ['a', 'b', 'c', 'd', 'e', 'f']) await expectSameInAnyPages(log, thread);
    });

    test('[L13] a fork made through another handle is visible, even to one that looked before', async () => {
      const { log, another } = await open();
      const other = await another();
      await log.append([entry('a', 0, 3)]);
      expect(await log.readThread('b', 0, 10)).toEqual([]);
      expect(await log.lastOf('b')).toBeUndefined();
      await appendFork(other, 'b', 'a', 2, 1);
      expect(seqs(await log.readThread('b', 0, 10))).toEqual(['a1', 'a2', 'b3']);
    });

    test('[L13] forks 10,000 levels deep are read without recursion', async () => {
      const { log } = await open();
      const depth = 10_000;
      const events = chain('f0', 1);
      const forks = [];
      for (let i = 1; i <= depth; i++) {
        events.push(...chain(`f${i}`, 1, { after: i, previous: events[i - 1]!.hash }));
        forks.push({ thread: `f${i}`, parent: `f${i - 1}`, seq: i });
      }
      await log.append([{ expected: [], events, forks }]);
      const deepest = `f${depth}`;
      expect(seqs(await log.readThread(deepest, 0, 2))).toEqual(['f01', 'f12']);
      expect(seqs(await log.readThread(deepest, depth - 1, 10))).toEqual([
        `f${depth - 1}${depth}`,
        `${deepest}${depth + 1}`,
      ]);
      expect(await log.readThread(deepest, 0, EVERYTHING)).toHaveLength(depth + 1);
      expect(await log.lastOf(deepest, 1)).toMatchObject({ thread: 'f0' });
      expect(await log.lastOf(deepest)).toMatchObject({ thread: deepest });
    });
  });
}

async function appendFork(log: EventLog, thread: string, parent: string, seq: number, count: number): Promise<void> {
  const parentEvent = await log.lastOf(parent, seq);
  const append: AppendEntry = {
    expected: [{ thread, seq: 0 }],
    events: numberedEvents(thread, count, { after: seq, previous: parentEvent!.hash }),
    forks: [{ thread, parent, seq }],
  };
  expect((await log.append([append]))[0]?.status).toBe('committed');
}

async function expectSameInAnyPages(log: EventLog, thread: string): Promise<void> {
  const allEvents = await log.readThread(thread, 0, 1000);
  expect(allEvents.map(({ seq }) => seq)).toEqual(allEvents.map((_, i) => i + 1));
  for (let after = 0; after <= allEvents.length; after++) {
    for (let limit = 1; limit <= allEvents.length; limit++) {
      expect(await log.readThread(thread, after, limit)).toEqual(allEvents.slice(after, after + limit));
    }
    expect(await log.lastOf(thread, after)).toEqual(allEvents[after - 1]);
  }
}

async function appendRounds(log: EventLog, thread: string, rounds: number): Promise<void> {
  for (let i = 0; i < rounds; i++) await log.append([entry(thread, i * 2, 2), entry(`${thread}-${i}`)]);
}

function megabyteText(): string {
  const piece = Object.values(awkwardText).join('|');
  return piece.repeat(Math.ceil((1024 * 1024) / Buffer.byteLength(piece)));
}
