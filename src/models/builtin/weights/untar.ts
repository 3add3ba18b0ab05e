import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

const BLOCK = 512;

/**
 * Reads a compressed tar archive as it comes and hands the pieces of the wanted files to `write`, in order. Nothing else
 * of the archive is kept, and no path of it is ever used to write. Ends as soon as all wanted files were read.
 */
export async function untar(
  archive: string,
  wanted: readonly string[],
  write: (path: string, piece: Buffer) => Promise<void>,
): Promise<void> {
  const missing = new Set(wanted);
  const source = createReadStream(archive);
  const bytes = source.pipe(createGunzip());
  source.on('error', (error) => bytes.destroy(error));
  let buffered: Buffer = Buffer.alloc(0);
  let path = '';
  let left = 0;
  let padding = 0;
  try {
    for await (const piece of bytes as AsyncIterable<Buffer>) {
      buffered = buffered.length === 0 ? piece : Buffer.concat([buffered, piece]);
      while (missing.size > 0) {
        if (left + padding > 0) {
          const data = buffered.subarray(0, Math.min(left, buffered.length));
          const skipped = Math.min(padding, buffered.length - data.length);
          buffered = buffered.subarray(data.length + skipped);
          left -= data.length;
          padding -= skipped;
          if (missing.has(path)) {
            if (data.length > 0) await write(path, data);
            if (left === 0) missing.delete(path);
          }
          if (left + padding > 0) break;
        } else {
          if (buffered.length < BLOCK) break;
          const header = buffered.subarray(0, BLOCK);
          buffered = buffered.subarray(BLOCK);
          path = text(header, 0, 100);
          const prefix = text(header, 345, 155);
          if (prefix !== '') path = `${prefix}/${path}`;
          left = Number.parseInt(text(header, 124, 12) || '0', 8);
          padding = (BLOCK - (left % BLOCK)) % BLOCK;
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

function text(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return field
    .subarray(0, end < 0 ? length : end)
    .toString('utf8')
    .trim();
}
