import { randomBytes } from 'node:crypto';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { human } from '../../test/support/domain/given.ts';
import { exportText, sealedChain } from '../../test/support/stores/exports.ts';
import { isRefusal } from '../core/refusal.ts';
import { createEngine } from '../engine/engine.ts';
import { openBlob } from '../log/blobs.ts';
import type { EventLog } from '../log/event-log.ts';
import { openMemoryLog } from '../log/memory/memory-log.ts';
import { openSqliteLog } from '../log/sqlite/sqlite-log.ts';
import { exportLog } from './export/export-log.ts';
import { importFile } from './import/import-file.ts';
import { verifyFile, verifyLog } from './verify/verify.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'heddle-attachments-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** A thread whose messages have these files. */
async function logWith(log: EventLog, files: readonly Buffer[]): Promise<readonly string[]> {
  const engine = await createEngine({ log });
  const created = await engine.handle(human, {
    name: 'create',
    input: { title: 'Garden', kind: 'conversation', invite: [] },
  });
  if (isRefusal(created)) throw new Error(created.refusal.message);
  const thread = created.events[0]?.thread ?? '';
  const blobs: string[] = [];
  for (const [i, file] of files.entries()) {
    const stored = await engine.uploads.store(human, async () => file);
    if (isRefusal(stored)) throw new Error(stored.refusal.message);
    blobs.push(stored.blob);
    const attachments = [{ blob: stored.blob, name: `${i}.bin` }];
    await engine.handle(human, {
      name: 'post',
      input: { thread, type: 'message', content: 'Look', meta: { attachments } },
    });
  }
  await engine.close();
  return blobs;
}

async function exportTo(log: EventLog, name: string): Promise<string> {
  const path = join(dir, name);
  await pipeline(Readable.from(exportLog(log, { created: '2026-01-01T00:00:00.000Z' })), createWriteStream(path));
  return path;
}

test('[I27] files of 20 MB go out and come in with their thread, byte for byte, one at a time', async () => {
  const source = openSqliteLog(join(dir, 'source.db'));
  const files = Array.from({ length: 3 }, () => randomBytes(20 * 1024 * 1024));
  const blobs = await logWith(source, files);
  const path = await exportTo(source, 'large.jsonl');
  // All of a page in one piece would be more than one text can hold.
  for await (const piece of exportLog(source, { created: 'now' })) expect(piece.length).toBeLessThan(40 * 1024 * 1024);
  const target = openSqliteLog(join(dir, 'target.db'));
  const imported = await importFile(target, path, {});
  expect(imported).toMatchObject({ blobs: 3, report: { dropped: [] } });
  const last = await target.blob(blobs.at(-1) as string);
  expect(Buffer.compare(await openBlob(last!), files.at(-1) as Buffer)).toBe(0);
  expect((await verifyLog(target, undefined)).broken).toBeUndefined();
  await source.close();
  await target.close();
});

test('[I27] an export whose file was changed is refused, and nothing is imported', async () => {
  const source = openMemoryLog();
  const [blob = ''] = await logWith(source, [Buffer.from('the plan of the garden')]);
  const other = openMemoryLog();
  await logWith(other, [Buffer.from('another plan')]);
  const path = await exportTo(source, 'changed.jsonl');
  const foreign = readFileSync(await exportTo(other, 'other.jsonl'), 'utf8')
    .split('\n')
    .find((line) => line.startsWith('{"blob"'));
  const lines = readFileSync(path, 'utf8').split('\n');
  const changed = lines.map((line) =>
    line.startsWith('{"blob"') ? (foreign ?? '').replace(/"blob":"[0-9a-f]+"/, `"blob":"${blob}"`) : line,
  );
  writeFileSync(path, changed.join('\n'));
  const target = openMemoryLog();
  await expect(importFile(target, path, {})).rejects.toThrow('does not match its hash');
  expect(await target.head()).toBe(0);
});

test('[I27] an export without the bytes of a file comes in, says so, and is whole otherwise', async () => {
  const meta = {
    by: 'human' as const,
    blobs: ['a'.repeat(64)],
    attachments: [{ blob: 'a'.repeat(64), name: 'plan.pdf', type: 'application/pdf', size: 9 }],
  };
  const path = join(dir, 'missing.jsonl');
  const text = exportText(
    sealedChain([{ type: 'thread.created', content: { title: 'T', kind: 'conversation' } }, { meta }]),
  );
  writeFileSync(path, text.replace('"missing":[]', `"missing":["${'a'.repeat(64)}"]`));
  const target = openMemoryLog();
  const imported = await importFile(target, path, {});
  expect(imported.report.dropped).toEqual([expect.objectContaining({ field: 'blobs', count: 1 })]);
  expect((await verifyLog(target, undefined)).broken).toBeUndefined();
  const engine = await createEngine({ log: target });
  expect(await engine.uploads.open('a'.repeat(64))).toBeUndefined();
  await engine.close();
});

test.each([
  ['a name with a path', { name: '../plan.pdf' }, 'one short line'],
  ['a name that turns text around', { name: 'plan\u202efdp.exe' }, 'one short line'],
  ['a type that is none', { type: 'text/html"><script>' }, 'media type'],
  ['a blob that is no hash', { blob: '../../etc/passwd' }, 'SHA-256'],
  ['a blob that "blobs" does not name', { blob: 'b'.repeat(64) }, 'in "blobs" too'],
])('[I27] an imported attachment with %s is refused', async (_, lie, why) => {
  const attachment = { blob: 'a'.repeat(64), name: 'plan.pdf', type: 'application/pdf', size: 9, ...lie };
  const meta = { by: 'human' as const, blobs: ['a'.repeat(64)], attachments: [attachment] };
  const path = join(dir, 'lie.jsonl');
  const text = exportText(
    sealedChain([{ type: 'thread.created', content: { title: 'T', kind: 'conversation' } }, { meta }]),
  );
  writeFileSync(path, text.replace('"missing":[]', `"missing":["${'a'.repeat(64)}"]`));
  await expect(importFile(openMemoryLog(), path, {})).rejects.toThrow(why);
  expect((await verifyFile(path)).broken).toBeUndefined();
});
