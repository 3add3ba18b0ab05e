import { describe, expect, test } from 'vitest';
import {
  chain,
  commandFor,
  createOpener,
  EVERYTHING,
  entry,
  positions,
  seqs,
  statuses,
  storedEvents,
  type TestStore,
} from './support.ts';

/** Appending: L6, L7, L8, L19. */
export function appendContract(createStore: () => Promise<TestStore>): void {
  const open = createOpener(createStore);

  describe('append', () => {
    test('[L6] a batch takes positions without a gap, in order', async () => {
      const { log } = await open();
      const batch = [entry('a', 0, 2), entry('b', 0, 1), entry('a', 2, 3)];
      expect(await log.append(batch)).toEqual([
        { status: 'committed', position: 1 },
        { status: 'committed', position: 3 },
        { status: 'committed', position: 4 },
      ]);
      expect(await log.readAll(0, EVERYTHING)).toEqual(
        storedEvents(
          batch.flatMap(({ events }) => events),
          1,
        ),
      );
      expect(await log.head()).toBe(6);
    });

    test('[L6] one command appends to several threads at once', async () => {
      const { log } = await open();
      const side = chain('side', 2);
      const events = [...side.slice(0, 1), ...chain('main', 2), ...side.slice(1)];
      const expected = [
        { thread: 'main', seq: 0 },
        { thread: 'side', seq: 0 },
      ];
      expect(statuses(await log.append([{ expected, events }]))).toEqual(['committed']);
      expect(seqs(await log.readAll(0, 10))).toEqual(['side1', 'main1', 'main2', 'side2']);
      expect(seqs(await log.readThread('side', 0, 10))).toEqual(['side1', 'side2']);
    });

    test('[L6] an entry with a failed expectation stores nothing, and its neighbours are stored', async () => {
      const { log } = await open();
      await log.append([entry('a', 0, 2), entry('p', 0, 1)]);
      const refusedEntry = {
        ...entry('b', 0, 2),
        expected: [
          { thread: 'b', seq: 0 },
          { thread: 'a', seq: 1 },
        ],
        command: commandFor('c1'),
        forks: [{ thread: 'b', parent: 'p', seq: 1 }],
        records: [{ kind: 'k', key: 'r', value: 'v' }],
      };
      expect(await log.append([entry('c'), refusedEntry, entry('d')])).toEqual([
        { status: 'committed', position: 4 },
        { status: 'conflict', thread: 'a' },
        { status: 'committed', position: 5 },
      ]);
      expect(await log.readThread('b', 0, 10)).toEqual([]);
      expect(await log.record('k', 'r')).toBeUndefined();
      expect(await log.appliedCommands([commandFor('c1')])).toEqual([undefined]);
      expect(positions(await log.readAll(0, 10))).toEqual([1, 2, 3, 4, 5]);
    });

    test('[L6] 0 means that the thread has no event of its own', async () => {
      const { log } = await open();
      await log.append([entry('a')]);
      expect(await log.append([entry('a'), { ...entry('b'), expected: [{ thread: 'b', seq: 1 }] }])).toEqual([
        { status: 'conflict', thread: 'a' },
        { status: 'conflict', thread: 'b' },
      ]);
      expect(await log.head()).toBe(1);
    });

    test('[L6] an entry sees the ones before it in its batch', async () => {
      const { log } = await open();
      const outcomes = await log.append([entry('a'), entry('a', 1), entry('b'), entry('a', 2)]);
      expect(statuses(outcomes)).toEqual(['committed', 'committed', 'committed', 'committed']);
      expect(seqs(await log.readThread('a', 0, 10))).toEqual(['a1', 'a2', 'a3']);
    });

    test('[L6] an entry that depends on an unstored one is not stored either, even if its seq would fit', async () => {
      const { log } = await open();
      await log.append([entry('a'), entry('b', 0, 1, { command: commandFor('done') })]);
      // Decided while `a` was empty; the second now fits by its seq, but links to an event that was never stored.
      const outcomes = await log.append([
        entry('a'),
        entry('a', 1),
        entry('b', 1, 1, { command: commandFor('done') }),
        entry('b', 1),
        entry('c'),
      ]);
      expect(statuses(outcomes)).toEqual(['conflict', 'conflict', 'repeated', 'conflict', 'committed']);
      expect(seqs(await log.readThread('a', 0, 10))).toEqual(['a1']);
    });

    test('[L6] of two handles that append after the same event, one succeeds', async () => {
      const { log, another } = await open();
      const other = await another();
      for (let after = 0; after < 20; after++) {
        const outcomes = await Promise.all([log.append([entry('a', after)]), other.append([entry('a', after)])]);
        expect(statuses(outcomes.flat()).sort()).toEqual(['committed', 'conflict']);
      }
      expect(positions(await other.readThread('a', 0, 100))).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    });

    test('[L8] a row that cannot be stored fails its whole batch, and the log continues', async () => {
      const { log } = await open();
      await log.append([entry('a')]);
      const [first] = await log.readAll(0, 1);
      const duplicate = chain('x', 1);
      const badEntries = [
        { expected: [], events: [...chain('b', 1), { ...chain('b', 1, { after: 1 })[0]!, id: first!.id }] },
        { expected: [], events: [...chain('b', 1), ...chain('b', 1)] },
        { expected: [], events: chain('a', 1) },
        { expected: [], events: [...duplicate, { ...duplicate[0]!, thread: 'y' }] },
        { ...entry('b'), events: [{ ...chain('b', 1)[0]!, body: null as never }] },
        {
          ...entry('b'),
          forks: [
            { thread: 'b', parent: 'a', seq: 1 },
            { thread: 'b', parent: 'a', seq: 1 },
          ],
        },
      ];
      for (const badEntry of badEntries) {
        const row = { kind: 'k', key: 'r', value: 'v' };
        const neighbour = { ...entry('c'), command: commandFor('before'), records: [row] };
        await expect(
          log.append([neighbour, { ...badEntry, command: commandFor('bad') }, entry('d')]),
        ).rejects.toThrow();
        expect(await log.head()).toBe(1);
        expect(await log.appliedCommands([commandFor('before'), commandFor('bad')])).toEqual([undefined, undefined]);
        expect(await log.record('k', 'r')).toBeUndefined();
        expect(await log.readThread('c', 0, 9)).toEqual([]);
        expect(await log.readThread('b', 0, 9)).toEqual([]);
        expect(await log.byId(neighbour.events[0]!.id)).toBeUndefined();
      }
      expect(await log.append([entry('c'), entry('a', 1)])).toEqual([
        { status: 'committed', position: 2 },
        { status: 'committed', position: 3 },
      ]);
    });

    test('[L6] an empty batch and an entry without events are accepted', async () => {
      const { log } = await open();
      expect(await log.append([])).toEqual([]);
      const row = { kind: 'k', key: 'a', value: '1' };
      expect(statuses(await log.append([{ expected: [], events: [], records: [row] }, entry('a')]))).toEqual([
        'committed',
        'committed',
      ]);
      expect(await log.record('k', 'a')).toBe('1');
      expect(positions(await log.readAll(0, 10))).toEqual([1]);
    });

    test('[L8] acknowledged events are there for another handle and after reopening', async () => {
      const { log, another } = await open();
      const events = chain('a', 3);
      await log.append([{ expected: [], events }]);
      expect(await (await another()).readAll(0, 10)).toEqual(storedEvents(events, 1));
      await log.close();
      expect(await (await another()).readThread('a', 0, 10)).toEqual(storedEvents(events, 1));
    });

    test('[L8] the counters show commits, events and disk waits', async () => {
      const { log } = await open();
      const before = { ...log.counts };
      await log.append([entry('a', 0, 2), entry('b'), entry('a', 0)]);
      expect(log.counts).toEqual({ commits: before.commits + 1, events: before.events + 3, syncs: before.syncs + 1 });
      await log.append([entry('a', 0)]);
      expect(log.counts).toMatchObject({ events: before.events + 3, syncs: before.syncs + 1 });
    });
  });

  describe('commands', () => {
    test('[L7] a stored command is answered with its result and stores nothing', async () => {
      const { log } = await open();
      await log.append([entry('z')]);
      await log.append([entry('a', 0, 3, { command: commandFor('c1') })]);
      const earlier = { digest: 'digest of c1', position: 2, count: 3 };
      const repeated = entry('a', 3, 1, { command: commandFor('c1', 'ann', 'another digest') });
      expect(await log.append([repeated, entry('b')])).toEqual([
        { status: 'repeated', earlier },
        { status: 'committed', position: 5 },
      ]);
      expect(seqs(await log.readThread('a', 0, 10))).toEqual(['a1', 'a2', 'a3']);
    });

    test('[L7] a repeated command is recognised before its stale expectations and lost lease', async () => {
      const { log } = await open();
      await log.append([entry('a', 0, 1, { command: commandFor('c1') })]);
      const repeated = entry('a', 0, 1, { command: commandFor('c1'), lease: { name: 'gone', fence: 9 } });
      expect(statuses(await log.append([repeated]))).toEqual(['repeated']);
    });

    test('[L7] a command that appears twice in one batch is stored once', async () => {
      const { log } = await open();
      const outcomes = await log.append([
        entry('a', 0, 2, { command: commandFor('c1') }),
        entry('b', 0, 1, { command: commandFor('c1') }),
      ]);
      expect(outcomes[1]).toEqual({
        status: 'repeated',
        earlier: { digest: 'digest of c1', position: 1, count: 2 },
      });
      expect(await log.head()).toBe(2);
    });

    test('[L7] of two handles with the same command, one stores it and the other is told', async () => {
      const { log, another } = await open();
      const other = await another();
      for (let i = 0; i < 20; i++) {
        const outcomes = await Promise.all(
          [log, other].map((handle, h) => handle.append([entry(`t${i}${h}`, 0, 1, { command: commandFor(`c${i}`) })])),
        );
        expect(statuses(outcomes.flat()).sort()).toEqual(['committed', 'repeated']);
      }
      expect(await log.head()).toBe(20);
    });

    test('[L7] a command id belongs to its participant', async () => {
      const { log } = await open();
      const outcomes = await log.append([
        entry('a', 0, 1, { command: commandFor('c1', 'ann') }),
        entry('b', 0, 1, { command: commandFor('c1', 'bob') }),
      ]);
      expect(statuses(outcomes)).toEqual(['committed', 'committed']);
      expect((await log.appliedCommands([commandFor('c1', 'bob')]))[0]?.position).toBe(2);
    });

    test('[L7] a refused command is not remembered and can be decided again', async () => {
      const { log } = await open();
      await log.append([entry('a')]);
      const lostLease = { name: 'none', fence: 1 };
      const refusals = await log.append([
        entry('a', 0, 1, { command: commandFor('c1') }),
        entry('b', 0, 1, { command: commandFor('c2'), lease: lostLease }),
      ]);
      expect(statuses(refusals)).toEqual(['conflict', 'fenced']);
      const outcomes = await log.append([
        entry('a', 1, 1, { command: commandFor('c1') }),
        entry('b', 0, 1, { command: commandFor('c2') }),
      ]);
      expect(statuses(outcomes)).toEqual(['committed', 'committed']);
    });

    test('[L7] remembered answers come in the order requested, also after reopening', async () => {
      const { log, another } = await open();
      await log.append([
        entry('a', 0, 2, { command: commandFor('c1') }),
        entry('b', 0, 1, { command: commandFor('c 2') }),
      ]);
      await log.close();
      const reopened = await another();
      const one = { digest: 'digest of c1', position: 1, count: 2 };
      const two = { digest: 'digest of c 2', position: 3, count: 1 };
      expect(
        await reopened.appliedCommands([commandFor('c 2'), commandFor('no'), commandFor('c1'), commandFor('c 2')]),
      ).toEqual([two, undefined, one, two]);
      expect(await reopened.appliedCommands([])).toEqual([]);
      expect(statuses(await reopened.append([entry('a', 2, 1, { command: commandFor('c1') })]))).toEqual(['repeated']);
    });
  });
}
