import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { BadFile } from './bad-file.ts';
import { conversionCommand } from './encoding.ts';

export interface FileLine {
  /** The bytes of the line, without its line ending. */
  readonly raw: Buffer;
  readonly number: number;
  /** Bytes read so far, this line included. */
  readonly bytes: number;
}

const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Streams the lines of a file; memory holds only one chunk and one line. */
export async function* readLines(path: string, signal?: AbortSignal): AsyncGenerator<FileLine> {
  let pending: Buffer[] = [];
  let length = 0;
  let number = 0;
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024, signal }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const rest = chunk.subarray(start, end);
      const raw = pending.length > 0 ? Buffer.concat([...pending, rest]) : rest;
      bytes += length + rest.length + 1;
      pending = [];
      length = 0;
      start = end + 1;
      yield { raw, number: ++number, bytes };
    }
    if (start === chunk.length) continue;
    pending.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MAX_LINE_BYTES)
      throw new BadFile(`Line ${number + 1} is longer than 64 MiB: this is not an export.`, number + 1);
  }
  if (length === 0) return;
  const raw = Buffer.concat(pending);
  yield { raw, number: ++number, bytes: bytes + length };
}

/** Rejects bytes that are not valid UTF-8, which would otherwise decode to characters that are not in the file. */
export function decodeLine({ raw, number: line }: Pick<FileLine, 'raw' | 'number'>): string {
  if (isUtf8(raw)) return raw.toString();
  throw new BadFile(
    `Line ${line} is not UTF-8: the file is damaged, or a program has saved it in another encoding. Then convert it back: ${conversionCommand(raw, 'FILE')}`,
    line,
  );
}
