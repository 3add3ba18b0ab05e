import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip } from 'node:zlib';
import type { EventLog, StoredBlob } from './event-log.ts';
import { sha256 } from './seal.ts';

/** Small enough that its base64 fits one line of an export. */
export const MAX_BLOB_BYTES = 32 * 1024 * 1024;

/**
 * Stores large bodies outside the log (L21): once, compressed, addressed by the hash of their content after `redact`
 * has removed secrets. An event names its blobs in `meta.blobs`.
 */
export function createBlobs(log: EventLog, redact: (text: string) => string) {
  async function put(text: string): Promise<string> {
    const content = Buffer.from(redact(text));
    if (content.length > MAX_BLOB_BYTES) {
      throw new RangeError(`A body of ${content.length} bytes is too large; the limit is ${MAX_BLOB_BYTES} (32 MiB).`);
    }
    const hash = sha256(content);
    if (!(await log.blob(hash))) {
      await log.putBlobs([{ hash, size: content.length, body: await promisify(gzip)(content) }]);
    }
    return hash;
  }

  async function get(hash: string): Promise<string | undefined> {
    const blob = await log.blob(hash);
    return blob && (await openBlob(blob)).toString();
  }

  return { put, get };
}

/** Stores bytes as they are; false if they are stored already. Bytes that do not shrink cost no time to pack. */
export async function putBytes(log: EventLog, content: Uint8Array, { shrinks }: { shrinks: boolean }): Promise<void> {
  const body = await promisify(gzip)(content, { level: shrinks ? 6 : 0 });
  await log.putBlobs([{ hash: sha256(content), size: content.length, body }]);
}

/** Returns the content after checking it against its hash; throws on a mismatch. */
export async function openBlob({ hash, size, body }: StoredBlob): Promise<Buffer> {
  if (size > MAX_BLOB_BYTES) throw new RangeError(`The blob ${hash} is larger than 32 MiB.`);
  const content = await unpack(body, size).catch(() => undefined);
  if (content?.length !== size || sha256(content) !== hash) throw new Error(`The blob ${hash} is damaged.`);
  return content;
}

/** Up to this size, a round trip to another thread costs several times the decompression itself. */
const MAX_SYNC_BYTES = 64 * 1024;

async function unpack(body: Uint8Array, size: number): Promise<Buffer> {
  // The limit keeps a few compressed bytes from becoming gigabytes.
  const limit = { maxOutputLength: Math.max(1, size) };
  return size <= MAX_SYNC_BYTES ? gunzipSync(body, limit) : promisify(gunzip)(body, limit);
}
