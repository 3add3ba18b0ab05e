import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

const BLOCK_BYTES = 512;

/**
 * Streams a compressed tar archive and passes the pieces of the wanted files to `write`, in order. Nothing else of
 * the archive is kept, and none of its paths is ever used for writing. Ends as soon as all wanted files are read.
 */
export async function untar(
  archive: string,
  paths: readonly string[],
  write: (path: string, chunk: Buffer) => Promise<void>,
): Promise<void> {
  const missing = new Set(paths);
  const source = createReadStream(archive);
  const bytes = source.pipe(createGunzip());
  source.on('error', (error) => bytes.destroy(error));
  let buffered: Buffer = Buffer.alloc(0);
  let path = '';
  let remaining = 0;
  let padding = 0;
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk]);
      while (missing.size > 0) {
        if (remaining + padding > 0) {
          const data = buffered.subarray(0, Math.min(remaining, buffered.length));
          const skipped = Math.min(padding, buffered.length - data.length);
          buffered = buffered.subarray(data.length + skipped);
          remaining -= data.length;
          padding -= skipped;
          if (missing.has(path)) {
            if (data.length > 0) await write(path, data);
            if (remaining === 0) missing.delete(path);
          }
          if (remaining + padding > 0) break;
        } else {
          if (buffered.length < BLOCK_BYTES) break;
          const header = buffered.subarray(0, BLOCK_BYTES);
          buffered = buffered.subarray(BLOCK_BYTES);
          path = readField(header, 0, 100);
          const prefix = readField(header, 345, 155);
          if (prefix !== '') path = `${prefix}/${path}`;
          remaining = Number.parseInt(readField(header, 124, 12) || '0', 8);
          padding = (BLOCK_BYTES - (remaining % BLOCK_BYTES)) % BLOCK_BYTES;
        }
      }
      if (missing.size === 0) return;
    }
  } finally {
    source.destroy();
    bytes.destroy();
  }
  throw new Error(`The archive has no ${[...missing].join(', ')}.`);
}

function readField(header: Buffer, offset: number, length: number): string {
  const field = header.subarray(offset, offset + length);
  const end = field.indexOf(0);
  return field
    .subarray(0, end < 0 ? length : end)
    .toString('utf8')
    .trim();
}
