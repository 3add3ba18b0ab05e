import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MAX_ATTACHMENT_BYTES } from '../../core/attachments/attachment.ts';
import { openBlob, putBytes } from '../blobs.ts';
import { sha256 } from '../seal.ts';
import { createOpener, entry, type TestStore } from './support.ts';

/** Data stored apart from the events: derived rows, snapshots, blobs, announcements. */
export function recordContract(createStore: () => Promise<TestStore>): void {
  const open = createOpener(createStore);

  describe('records', () => {
    test('[L14] records are stored, replaced and removed per kind, in key order', async () => {
      const { log, another } = await open();
      await log.putRecords([
        { kind: 'a', key: 'y', value: '1' },
        { kind: 'a', key: 'B', value: '2' },
        { kind: 'a', key: 'x', value: '3' },
        { kind: 'b', key: 'x', value: '4' },
      ]);
      await log.putRecords([
        { kind: 'a', key: 'y', value: '5' },
        { kind: 'a', key: 'x', value: null },
        { kind: 'a', key: 'never there', value: null },
      ]);
      const reopened = await another();
      expect(await reopened.records('a')).toEqual([
        { key: 'B', value: '2' },
        { key: 'y', value: '5' },
      ]);
      expect(await reopened.record('b', 'x')).toBe('4');
      expect(await reopened.record('a', 'x')).toBeUndefined();
      expect(await reopened.records('c')).toEqual([]);
      await log.putRecords([]);
    });

    test('[L14] the last value of a key wins, within one call and one batch', async () => {
      const { log } = await open();
      await log.putRecords([
        { kind: 'a', key: 'x', value: '1' },
        { kind: 'a', key: 'x', value: null },
        { kind: 'a', key: 'y', value: null },
        { kind: 'a', key: 'y', value: '2' },
      ]);
      expect(await log.records('a')).toEqual([{ key: 'y', value: '2' }]);
      await log.append([
        entry('t', 0, 1, { records: [{ kind: 'a', key: 'x', value: '3' }] }),
        entry('t', 1, 1, {
          records: [
            { kind: 'a', key: 'x', value: null },
            { kind: 'a', key: 'x', value: '4' },
          ],
        }),
        entry('t', 2, 1, { records: [{ kind: 'a', key: 'y', value: null }] }),
        entry('t', 0, 1, { records: [{ kind: 'a', key: 'x', value: 'of a refused entry' }] }),
      ]);
      expect(await log.records('a')).toEqual([{ key: 'x', value: '4' }]);
    });

    test('[L14] a kind is replaced as a whole, and readers see the old rows or the new ones', async () => {
      const { log, another } = await open();
      const other = await another();
      const rows = (value: string) => ['a', 'b', 'c'].map((key) => ({ key: `${key}${value}`, value }));
      await log.putRecords([{ kind: 'other', key: 'k', value: 'stays' }]);
      await log.replaceRecords('k', [...rows('0'), { key: 'shared', value: '0' }]);
      let isReplacing = true;
      const replacement = (async () => {
        for (let i = 1; i <= 20; i++) {
          await log.replaceRecords('k', [...rows(String(i % 2)), { key: 'shared', value: String(i % 2) }]);
        }
      })().finally(() => {
        isReplacing = false;
      });
      do {
        const seenRows = await other.records('k');
        expect(seenRows).toHaveLength(4);
        expect(new Set(seenRows.map((row) => row.value)).size).toBe(1);
      } while (isReplacing);
      await replacement;
      await log.replaceRecords('k', []);
      expect(await log.records('k')).toEqual([]);
      expect(await log.record('other', 'k')).toBe('stays');
    });

    test('[L14] rows written from two handles in any order never deadlock', async () => {
      const { log, another } = await open();
      const other = await another();
      const keys = Array.from({ length: 20 }, (_, i) => `k${i}`);
      const rows = keys.map((key, i) => ({ kind: 'k', key, value: i % 3 === 0 ? null : 'v' }));
      const writes = Array.from({ length: 20 }, (_, i) => {
        const handle = i % 2 === 0 ? log : other;
        const ownRows = i % 4 < 2 ? rows : rows.toReversed();
        return i % 3 === 0
          ? handle.append([entry(`t${i}`, 0, 1, { records: ownRows })]).then(() => {})
          : handle.putRecords(
              ownRows.map((row) => ({ ...row, value: row.value === null && i % 5 === 0 ? 'w' : row.value })),
            );
      });
      await Promise.all(writes);
      expect(await log.records('k')).toEqual(await other.records('k'));
    });
  });

  test('[L14] the newest snapshot of a thread is kept, and dropping snapshots loses nothing else', async () => {
    const { log, another } = await open();
    await log.append([entry('a', 0, 2)]);
    await log.saveSnapshot({ thread: 'a', seq: 1, version: 1, body: '{"old":true}' });
    await log.saveSnapshot({ thread: 'b', seq: 7, version: 1, body: '' });
    const newest = { thread: 'a', seq: 2, version: 2, body: '{"text":"\u2028 \\" 🙂"}' };
    await log.saveSnapshot(newest);
    const reopened = await another();
    expect(await reopened.snapshot('a')).toEqual(newest);
    expect(await reopened.snapshot('nobody')).toBeUndefined();
    await reopened.dropSnapshots();
    expect(await log.snapshot('a')).toBeUndefined();
    expect(await log.snapshot('b')).toBeUndefined();
    expect(await log.head()).toBe(2);
  });

  test('[L21] a blob comes back byte for byte, and the first one under a hash stays', async () => {
    const { log, another } = await open();
    const everyByte = Uint8Array.from({ length: 256 }, (_, i) => i);
    const bodies = [everyByte, new Uint8Array(0), new Uint8Array(randomBytes(3 * 1024 * 1024))];
    const other = { hash: 'h0', size: 1, body: new Uint8Array([9]) };
    await log.putBlobs([...bodies.map((body, i) => ({ hash: `h${i}`, size: i * 1000, body })), other]);
    await log.putBlobs([other]);
    await log.putBlobs([]);
    const reopened = await another();
    for (const [i, body] of bodies.entries()) {
      const blob = await reopened.blob(`h${i}`);
      expect(blob?.size).toBe(i * 1000);
      expect(Buffer.compare(blob!.body, body)).toBe(0);
    }
    expect(await reopened.blob('none')).toBeUndefined();
  });

  test('[I27] the largest file that can be attached fits, packed or not', async () => {
    const { log, another } = await open();
    const file = randomBytes(MAX_ATTACHMENT_BYTES);
    await putBytes(log, file, { shrinks: false });
    await putBytes(log, Buffer.alloc(MAX_ATTACHMENT_BYTES), { shrinks: true });
    const reopened = await another();
    const stored = await reopened.blob(sha256(file));
    expect(Buffer.compare(await openBlob(stored!), file)).toBe(0);
    expect((await reopened.blob(sha256(Buffer.alloc(MAX_ATTACHMENT_BYTES))))?.body.length).toBeLessThan(100_000);
  });

  test('[L4] an announcement is not stored, and its sender does not receive it', async () => {
    const { log } = await open();
    const notifications: string[] = [];
    const stop = log.listen({
      onAppend: () => notifications.push('appended'),
      onAnnouncement: (text) => notifications.push(text),
    });
    await log.announce('typing');
    await log.append([entry('a')]);
    expect(await log.head()).toBe(1);
    stop();
    expect(notifications).toEqual([]);
  });
}
