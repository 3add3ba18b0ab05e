import { describe, expect, test } from 'vitest';
import { commandFor, createOpener, entry, statuses, type TestStore } from './support.ts';

const LONG = 60_000;
/** Expires immediately, so that no test has to wait. */
const OVER = 0;

/** Leases and their fences: L19. */
export function leaseContract(createStore: () => Promise<TestStore>): void {
  const open = createOpener(createStore);

  describe('leases', () => {
    test('[L19] an active lease belongs to its holder alone, and renewing keeps the fence', async () => {
      const { log, another } = await open();
      const other = await another();
      const lease = await log.lease('mind', 'one', LONG);
      expect(lease).toEqual({ name: 'mind', holder: 'one', fence: expect.any(Number) });
      expect(await other.lease('mind', 'two', LONG)).toBeUndefined();
      expect(await log.lease('mind', 'one', LONG)).toEqual(lease);
      expect(await other.lease('mind', 'two', LONG)).toBeUndefined();
      expect(await other.lease('another', 'two', LONG)).toMatchObject({ holder: 'two' });
    });

    test('[L19] an expired lease goes to the next who asks, with a higher fence', async () => {
      const { log } = await open();
      const old = await log.lease('mind', 'one', OVER);
      const next = await log.lease('mind', 'two', LONG);
      expect(next).toMatchObject({ holder: 'two' });
      expect(next!.fence).toBeGreaterThan(old!.fence);
      expect(await log.lease('mind', 'one', LONG)).toBeUndefined();
    });

    test('[L19] fences are never reused, not after a release and not after reopening', async () => {
      const { log, another } = await open();
      const first = await log.lease('mind', 'one', LONG);
      await log.release(first!);
      const second = await log.lease('mind', 'two', LONG);
      expect(second!.fence).toBeGreaterThan(first!.fence);
      await log.release(second!);
      await log.close();
      const third = await (await another()).lease('mind', 'one', LONG);
      expect(third!.fence).toBeGreaterThan(second!.fence);
    });

    test('[L19] asking for a shorter lease still waits for the active one', async () => {
      const { log, another } = await open();
      const lease = await log.lease('mind', 'one', 5_000);
      expect(await (await another()).lease('mind', 'two', 1)).toBeUndefined();
      expect(await log.lease('mind', 'one', 5_000)).toEqual(lease);
    });

    test('[L26] a lease from before the clock was set back blocks nobody, and its holder can continue', async () => {
      const { log, another } = await open();
      const other = await another();
      const hour = 3_600_000;
      const old = (await log.lease('mind', 'dead', hour))!;
      const next = (await other.lease('mind', 'two', LONG))!;
      expect(next).toMatchObject({ holder: 'two' });
      expect(next.fence).toBeGreaterThan(old.fence);
      expect(statuses(await log.append([entry('a', 0, 1, { lease: old })]))).toEqual(['fenced']);
      expect(await other.lease('mind', 'three', LONG)).toBeUndefined();
      const own = (await log.lease('own', 'one', hour))!;
      expect(await log.lease('own', 'one', LONG)).toEqual(own);
      expect(await other.lease('own', 'two', LONG)).toBeUndefined();
      expect(statuses(await log.append([entry('a', 0, 1, { lease: own })]))).toEqual(['committed']);
    });

    test('[L19] releasing a lease that was lost changes nothing', async () => {
      const { log } = await open();
      const lost = await log.lease('mind', 'one', OVER);
      const current = await log.lease('mind', 'two', LONG);
      await log.release(lost!);
      expect(await log.lease('mind', 'three', LONG)).toBeUndefined();
      expect(await log.lease('mind', 'two', LONG)).toEqual(current);
    });

    test('[L19] of several that take a free lease at once, one gets it', async () => {
      const { log, another } = await open();
      const other = await another();
      for (let i = 0; i < 10; i++) {
        await log.lease(`mind${i}`, 'dead', OVER);
        const leases = await Promise.all(
          [log, other, log, other].map((handle, h) => handle.lease(`mind${i}`, `h${h}`, LONG)),
        );
        expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
      }
    });

    test('[L19] an append under a lease is stored while that lease is the newest and active', async () => {
      const { log } = await open();
      const lease = (await log.lease('mind', 'one', LONG))!;
      expect(statuses(await log.append([entry('a', 0, 1, { lease }), entry('a', 1, 1, { lease })]))).toEqual([
        'committed',
        'committed',
      ]);
      await log.lease('mind', 'one', LONG);
      expect(statuses(await log.append([entry('a', 2, 1, { lease })]))).toEqual(['committed']);
    });

    test('[L19] an append under a lost lease is fenced, stores nothing and does not affect its neighbours', async () => {
      const { log, another } = await open();
      const other = await another();
      const expired = (await log.lease('expired', 'one', OVER))!;
      const released = (await log.lease('released', 'one', LONG))!;
      await log.release(released);
      const old = (await log.lease('taken', 'one', OVER))!;
      const current = (await other.lease('taken', 'two', LONG))!;
      const unknown = { name: 'unknown', fence: 1 };
      const future = { name: 'taken', fence: current.fence + 1 };
      const records = [{ kind: 'k', key: 'r', value: 'v' }];
      const lost = [expired, released, old, unknown, future].map((lease) =>
        entry('lost', 0, 1, { lease, records, command: commandFor('c') }),
      );
      for (const one of lost) expect(statuses(await log.append([one]))).toEqual(['fenced']);
      const entryUnder = (lease: { name: string; fence: number }, thread: string) => entry(thread, 0, 1, { lease });
      expect(statuses(await log.append([entryUnder(old, 'x'), entryUnder(current, 'a')]))).toEqual([
        'fenced',
        'committed',
      ]);
      expect(statuses(await log.append([entryUnder(current, 'b'), entryUnder(old, 'x')]))).toEqual([
        'committed',
        'fenced',
      ]);
      expect(statuses(await log.append([...lost, entry('c')])).at(-1)).toBe('committed');
      expect(await log.head()).toBe(3);
      expect(await log.record('k', 'r')).toBeUndefined();
      expect(await log.appliedCommands([commandFor('c')])).toEqual([undefined]);
    });
  });
}
