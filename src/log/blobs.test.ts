import { expect, test } from 'vitest';
import { createSecrets } from '../engine/secrets.ts';
import { createBlobs, MAX_BLOB_BYTES, openBlob } from './blobs.ts';
import { openMemoryLog } from './memory/memory-log.ts';
import { sha256 } from './seal.ts';

test('[L21] a blob is stored once, compressed, under the hash of its content', async () => {
  const log = openMemoryLog();
  const blobs = createBlobs(log, (text) => text);
  const text = 'the same words again and again '.repeat(1000);
  const hash = await blobs.put(text);
  expect(hash).toBe(sha256(text));
  expect(await blobs.put(text)).toBe(hash);
  expect((await log.blob(hash))?.body.length).toBeLessThan(text.length / 10);
  expect(await blobs.get(hash)).toBe(text);
  expect(await blobs.get('0'.repeat(64))).toBeUndefined();
});

test('[L21] secrets are removed before hashing, so they are stored nowhere', async () => {
  const log = openMemoryLog();
  const token = `hdl_${'x'.repeat(43)}`;
  const blobs = createBlobs(log, createSecrets(() => ['a-key-of-somebody']).remove);
  const hash = await blobs.put(`authorization: Bearer ${token}, a-key-of-somebody`);
  expect(await blobs.get(hash)).toBe('authorization: Bearer [removed], [removed]');
  expect(hash).toBe(sha256('authorization: Bearer [removed], [removed]'));
});

test('[L21] a blob that does not match its hash or would exhaust memory is not returned', async () => {
  const log = openMemoryLog();
  const blobs = createBlobs(log, (text) => text);
  const stored = await log.blob(await blobs.put('x'.repeat(100_000)));
  if (!stored) throw new Error('not stored');
  await expect(openBlob({ ...stored, size: 10 })).rejects.toThrow('is damaged');
  await expect(openBlob({ ...stored, hash: '0'.repeat(64) })).rejects.toThrow('is damaged');
  await expect(openBlob({ ...stored, body: Buffer.from('no gzip') })).rejects.toThrow('is damaged');
  await expect(blobs.put('x'.repeat(MAX_BLOB_BYTES + 1))).rejects.toThrow('32 MiB');
});
