import { isUtf8 } from 'node:buffer';
import { createReadStream, readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { conversionCommand, detectEncoding } from '../../formats/encoding.ts';
import { EXIT, Failure } from '../failure.ts';
import { oneLine } from '../output/text.ts';

/** Reads a text file unchanged. Rejects invalid UTF-8, which decoding would silently replace (L15). */
export function readTextFile(path: string): string {
  const bytes = readFileSync(path);
  if (isUtf8(bytes)) return bytes.toString();
  throw notUtf8Failure(path, bytes);
}

/** Reads standard input to its end. */
export async function readStdin(): Promise<string> {
  const bytes = await buffer(process.stdin);
  if (isUtf8(bytes)) return bytes.toString();
  throw encodingFailure('Standard input', `put "iconv -f ${detectEncoding(bytes)} -t UTF-8 |" before this command`);
}

/** Checks a file that is too large to read at once. */
export async function assertUtf8(path: string): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let firstBytes: Buffer | undefined;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      firstBytes ??= chunk.subarray(0, 2);
      decoder.decode(chunk, { stream: true });
    }
    decoder.decode();
  } catch (error) {
    throw error instanceof TypeError ? notUtf8Failure(path, firstBytes ?? Buffer.alloc(0)) : error;
  }
}

function notUtf8Failure(path: string, bytes: Uint8Array): Failure {
  return encodingFailure(oneLine(path), conversionCommand(bytes, path));
}

function encodingFailure(source: string, fix: string): Failure {
  return new Failure(
    'unacceptable_text',
    `${source} is not UTF-8, so some of its characters would be lost. Nothing was stored. Convert it first: ${fix} (if the encoding is a different one, "iconv -l" lists them).`,
    EXIT.refused,
  );
}
