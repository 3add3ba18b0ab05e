import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { BadFile } from '../bad-file.ts';
import { conversionOf } from '../encoding.ts';

export interface Line {
  /** The bytes it was read from, its end not among them. */
  readonly raw: Buffer;
  readonly number: number;
  /** Bytes read so far, this line included. */
  readonly bytes: number;
}

const LONGEST = 64 * 1024 * 1024;

/** A file's lines, as they are read: what is kept is one chunk and one line. */
export async function* linesOf(path: string, signal?: AbortSignal): AsyncGenerator<Line> {
  let begun: Buffer[] = [];
  let length = 0;
  let number = 0;
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024, signal }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const rest = chunk.subarray(from, end);
      const raw = begun.length > 0 ? Buffer.concat([...begun, rest]) : rest;
      bytes += length + rest.length + 1;
      begun = [];
      length = 0;
      from = end + 1;
      yield { raw, number: ++number, bytes };
    }
    if (from === chunk.length) continue;
    begun.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > LONGEST)
      throw new BadFile(`Line ${number + 1} is longer than 64 MiB: this is not an export.`, number + 1);
  }
  if (length === 0) return;
  const raw = Buffer.concat(begun);
  yield { raw, number: ++number, bytes: bytes + length };
}

/** Bytes that are no text would be read as other characters than the file has. */
export function textOfLine({ raw, number: line }: Pick<Line, 'raw' | 'number'>): string {
  if (isUtf8(raw)) return raw.toString();
  throw new BadFile(
    `Line ${line} is not UTF-8: the file is damaged, or a program has saved it in another encoding. Then convert it back: ${conversionOf(raw, 'FILE')}`,
    line,
  );
}
