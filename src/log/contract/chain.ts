import { describe, expect, test } from 'vitest';
import { type AppendEntry, BrokenLink, type EventLog, type LinkedEvent } from '../event-log.ts';
import { GENESIS, orderHash } from '../seal.ts';
import { chain, createOpener, EVERYTHING, entry, numberedEvents, seqs, statuses, type TestStore } from './support.ts';

/** The integrity of the log: L22, L24. */
export function chainContract(createStore: () => Promise<TestStore>): void {
  const open = createOpener(createStore);

  describe('continuity', () => {
    const [first, second, third] = chain('a', 3) as [LinkedEvent, LinkedEvent, LinkedEvent];
    const [stranger] = chain('b', 1) as [LinkedEvent];
    const forkAt = (event: LinkedEvent, seq: number, parent = 'a'): AppendEntry => ({
      expected: [{ thread: event.thread, seq: 0 }],
      events: [event],
      forks: [{ thread: event.thread, parent, seq }],
    });
    const brokenEntries: Record<string, AppendEntry> = {
      'a gap': { expected: [], events: [third] },
      'a wrong previous hash': { expected: [], events: [{ ...second, previous: GENESIS }] },
      'a gap within the entry': { expected: [], events: [second, { ...third, seq: 4 }] },
      'a wrong hash within the entry': { expected: [], events: [second, { ...third, previous: first.hash }] },
      'a new thread that does not begin at 1': { expected: [], events: [{ ...stranger, seq: 2 }] },
      'a new thread that links to something': { expected: [], events: [{ ...stranger, previous: first.hash }] },
      'a fork of an event that is not there': forkAt(
        numberedEvents('f', 1, { after: 2, previous: second.hash })[0]!,
        2,
      ),
      'a fork of a thread that is not there': forkAt(numberedEvents('f', 1, { after: 1 })[0]!, 1, 'nobody'),
      'a fork that links to another event': forkAt(numberedEvents('f', 1, { after: 1, previous: second.hash })[0]!, 1),
      'a fork that begins too early': forkAt(numberedEvents('f', 1, { previous: first.hash })[0]!, 1),
      'a fork of nothing': forkAt(numberedEvents('f', 1)[0]!, 0),
    };
    for (const [what, brokenEntry] of Object.entries(brokenEntries)) {
      test(`[L22] ${what} is an error, and nothing of its batch is stored`, async () => {
        const { log } = await open();
        await log.append([{ expected: [], events: [first] }]);
        for (const batch of [[brokenEntry], [entry('c'), brokenEntry, entry('d')]]) {
          await expect(log.append(batch)).rejects.toBeInstanceOf(BrokenLink);
          expect(seqs(await log.readAll(0, EVERYTHING))).toEqual(['a1']);
        }
        expect(statuses(await log.append([{ expected: [{ thread: 'a', seq: 1 }], events: [second, third] }]))).toEqual([
          'committed',
        ]);
      });
    }

    test('[L22] a fork can start at an event of its own batch, its own entry or one it inherits', async () => {
      const { log } = await open();
      const forkEntry = (thread: string, parent: string, seq: number, previous: string): AppendEntry => ({
        expected: [{ thread, seq: 0 }],
        events: numberedEvents(thread, 1, { after: seq, previous }),
        forks: [{ thread, parent, seq }],
      });
      const combined: AppendEntry = {
        expected: [
          { thread: 'a', seq: 1 },
          { thread: 'g', seq: 0 },
        ],
        events: [third, ...numberedEvents('g', 1, { after: 3, previous: third.hash })],
        forks: [{ thread: 'g', parent: 'a', seq: 3 }],
      };
      const outcomes = await log.append([
        { expected: [{ thread: 'a', seq: 0 }], events: [first, second] },
        forkEntry('f', 'a', 2, second.hash),
        { ...combined, expected: [{ thread: 'a', seq: 2 }, combined.expected[1]!] },
        forkEntry('h', 'g', 1, first.hash),
      ]);
      expect(statuses(outcomes)).toEqual(['committed', 'committed', 'committed', 'committed']);
      expect(statuses(await log.append([forkEntry('i', 'h', 1, first.hash)]))).toEqual(['committed']);
      expect(seqs(await log.readThread('g', 0, 9))).toEqual(['a1', 'a2', 'a3', 'g4']);
      expect(seqs(await log.readThread('i', 0, 9))).toEqual(['a1', 'i2']);
      expect(await log.forks()).toEqual([
        { thread: 'f', parent: 'a', seq: 2 },
        { thread: 'g', parent: 'a', seq: 3 },
        { thread: 'h', parent: 'g', seq: 1 },
        { thread: 'i', parent: 'h', seq: 1 },
      ]);
    });

    test('[L22] a fork at an unstored event is a conflict and is decided again', async () => {
      const { log, another } = await open();
      const other = await another();
      await log.append([{ expected: [], events: [first] }]);
      await other.append([{ expected: [], events: [{ ...second, id: 'faster', hash: 'f'.repeat(64) }] }]);
      const outcomes = await log.append([
        { expected: [{ thread: 'a', seq: 1 }], events: [second] },
        forkAt(numberedEvents('f', 1, { after: 2, previous: second.hash })[0]!, 2),
        forkAt(numberedEvents('e', 1, { after: 1, previous: first.hash })[0]!, 1),
        entry('z'),
      ]);
      expect(outcomes).toEqual([
        { status: 'conflict', thread: 'a' },
        { status: 'conflict', thread: 'a' },
        { status: 'committed', position: 3 },
        { status: 'committed', position: 4 },
      ]);
    });

    test('[L22] a fork at an event of its own batch is stored, whatever happened to others on its parent', async () => {
      const { log } = await open();
      const outcomes = await log.append([
        { expected: [{ thread: 'a', seq: 0 }], events: [first, second] },
        { expected: [{ thread: 'z', seq: 9 }, { thread: 'a', seq: 2 }], events: [] }, // biome-ignore format: one entry a line
        forkAt(numberedEvents('f', 1, { after: 2, previous: second.hash })[0]!, 2),
      ]);
      expect(statuses(outcomes)).toEqual(['committed', 'conflict', 'committed']);
    });
  });

  describe('order', () => {
    test('[L24] each commit leaves a mark of the chain over position, thread, seq and hash', async () => {
      const { log, another } = await open();
      expect(await log.orderMarks(0, 10)).toEqual([]);
      await log.append([entry('a', 0, 2), entry('b')]);
      await (await another()).append([entry('a', 2), entry('b', 9), entry('c', 0, 2)]);
      await log.append([entry('a', 0)]);
      await log.append([{ expected: [], events: [], records: [{ kind: 'k', key: 'a', value: '1' }] }]);
      expect(await log.orderMarks(0, 10)).toEqual(await expectedMarks(log, [3, 6]));
      expect(await log.orderMarks(3, 10)).toEqual(await expectedMarks(log, [6]));
      expect(await log.orderMarks(0, 1)).toEqual(await expectedMarks(log, [3]));
    });
  });
}

async function expectedMarks(log: EventLog, positions: readonly number[]) {
  let hash = GENESIS;
  const marks = [];
  for (const event of await log.readAll(0, EVERYTHING)) {
    hash = orderHash(hash, event);
    if (positions.includes(event.position)) marks.push({ position: event.position, hash });
  }
  return marks;
}
