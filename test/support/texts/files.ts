import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** A real PNG of one colour. */
export function pngOf(width: number, height: number, [red, green, blue]: readonly number[] = [180, 80, 40]): Buffer {
  const row = Buffer.concat([
    Buffer.from([0]),
    Buffer.from(Array.from({ length: width }, () => [red, green, blue] as number[]).flat()),
  ]);
  return pngFrom(width, height, Buffer.concat(Array.from({ length: height }, () => row)));
}

/** A real PNG of noise, which is as large as a photo: three bytes for each pixel. */
export function noisyPng(width: number, height: number): Buffer {
  const rows = randomBytes((1 + 3 * width) * height);
  for (let row = 0; row < height; row++) rows[row * (1 + 3 * width)] = 0;
  return pngFrom(width, height, rows);
}

function pngFrom(width: number, height: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const chunk = Buffer.alloc(8 + body.length);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), 4 + body.length);
  return chunk;
}

export const SVG_WITH_SCRIPT =
  '<svg xmlns="http://www.w3.org/2000/svg"><script>document.title = "it ran"</script><rect width="9" height="9"/></svg>';
export const HTML_WITH_SCRIPT = '<!doctype html><script>document.title = "it ran"</script><p>hello';
