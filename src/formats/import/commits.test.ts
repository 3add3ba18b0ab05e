import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sealedChain } from '../../../test/support/stores/exports.ts';
import { rebuildAll } from '../../engine/derived/rebuild.ts';
import { createIndexRows } from '../../engine/imports/index-rows.ts';
import { createBlobs } from '../../log/blobs.ts';
import type { EventLog, LinkedEvent } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { THREAD_INDEX } from '../../log/record-kinds.ts';
import { exportLog } from '../export/export-log.ts';
import { verifyLog } from '../verify/verify.ts';
import { importFile, proveImport } from './import-file.ts';

/** A log that counts what it commits. */
function counting() {
  const log = openMemoryLog();
  const commits = { blobs: 0, events: 0 };
  const counted: EventLog = {
    ...log,
    putBlobs(blobs) {
      commits.blobs++;
      return log.putBlobs(blobs);
    },
    append(batch) {
      commits.events++;
      return log.append(batch);
    },
  };
  return { log: counted, commits };
}

async function fileOf(log: EventLog): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-commits-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'export.jsonl');
  let text = '';
  for await (const part of exportLog(log, { created: 'now' })) text += part;
  writeFileSync(file, text);
  return file;
}

const begin = (thread: string, forked_from?: { thread: string; seq: number }) => ({
  thread,
  type: 'thread.created',
  content: { title: thread, kind: 'conversation', ...(forked_from && { forked_from }) },
});

test('[L20] an import waits for the disk a few times, not once per blob', async () => {
  const source = openMemoryLog();
  const blobs = createBlobs(source, (text) => text);
  const named = [];
  for (let i = 0; i < 200; i++) named.push({ meta: { by: 'human' as const, blobs: [await blobs.put(`call ${i}`)] } });
  const events = sealedChain([begin('t1'), ...named]);
  await source.append([{ expected: [{ thread: 't1', seq: 0 }], events }]);
  const { log, commits } = counting();
  expect(await importFile(log, await fileOf(source))).toMatchObject({ added: 201, blobs: 200 });
  expect(commits).toEqual({ blobs: 1, events: 1 });
  expect((await verifyLog(log, undefined)).broken).toBeUndefined();
});

test('[L20] forks of stored threads share a commit, and their rows equal those of the source', async () => {
  const source = openMemoryLog();
  const main = sealedChain([begin('t1'), ...Array.from({ length: 999 }, (_, i) => ({ content: `m${i}` }))]);
  await source.append([{ expected: [{ thread: 't1', seq: 0 }], events: main }]);
  for (let i = 0; i < 50; i++) {
    const [thread, seq] = [`f${i}`, 10 + i];
    const after = main[seq - 1] as LinkedEvent;
    const events = sealedChain([
      { ...begin(thread, { thread: 't1', seq }), id: `${thread}a`, after },
      { thread, id: `${thread}b` },
    ]);
    await source.append([{ expected: [{ thread, seq: 0 }], events, forks: [{ thread, parent: 't1', seq }] }]);
  }
  const file = await fileOf(source);
  const { log, commits } = counting();
  await importFile(log, file, { derived: createIndexRows(log) });
  expect(commits.events).toBe(2);
  expect((await verifyLog(log, undefined)).head).toBe((await verifyLog(source, undefined)).head);
  const rows = await log.records(THREAD_INDEX);
  expect(rows.map(({ key }) => key)).toHaveLength(51);
});

test('[L20] a long thread imported in parts is not read again, and its row equals a rebuilt one', async () => {
  const source = openMemoryLog();
  const events = sealedChain([begin('t1'), ...Array.from({ length: 2_500 }, (_, i) => ({ content: `m${i}` }))]);
  await source.append([{ expected: [{ thread: 't1', seq: 0 }], events }]);
  const file = await fileOf(source);
  const { log, commits } = counting();
  let read = 0;
  const watched: EventLog = {
    ...log,
    async readThread(...about) {
      const rows = await log.readThread(...about);
      read += rows.length;
      return rows;
    },
  };
  await importFile(watched, file, { derived: createIndexRows(watched) });
  expect([read, commits.events]).toEqual([0, 3]);
  const before = await log.records(THREAD_INDEX);
  await rebuildAll(log);
  expect(before).toEqual(await log.records(THREAD_INDEX));
});

test('[L20] a file that was checked for an empty workspace is checked again for a non-empty one', async () => {
  const source = openMemoryLog();
  await source.append([{ expected: [{ thread: 't1', seq: 0 }], events: sealedChain([begin('t1'), { content: 'a' }]) }]);
  const file = await fileOf(source);
  const proof = await proveImport(file);
  const { log } = counting();
  expect(await importFile(log, file, { proof })).toMatchObject({ added: 2 });
  expect(await importFile(log, file, { proof })).toMatchObject({ added: 0, skipped: 2 });
  const other = openMemoryLog();
  const differs = sealedChain([begin('t1'), { content: 'b' }]);
  await other.append([{ expected: [{ thread: 't1', seq: 0 }], events: differs }]);
  await expect(importFile(other, file, { proof })).rejects.toThrow('continued differently here');
});
