import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MEGABYTE } from '../../core/agent-limits.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { InboundRequest } from './request.ts';

/** An upload stored as a file. The caller removes it. */
export interface Spool {
  readonly file: string;
  remove(): Promise<void>;
}

const NO_SPACE_CODES = new Set(['ENOSPC', 'EDQUOT']);

interface SpoolOptions {
  /** The longest upload in bytes; without it, any length. */
  readonly maxBytes?: number;
  /** What a failure leaves undone: "Nothing was imported". */
  readonly nothingDone: string;
}

/** Writes an upload to a temporary file; removes the file if that fails. */
export async function spoolUpload(
  inbound: InboundRequest,
  { maxBytes, nothingDone }: SpoolOptions,
): Promise<Spool | Refusal> {
  if (maxBytes !== undefined && Number(inbound.header('content-length') ?? 0) > maxBytes) return fileTooLarge(maxBytes);
  let directory: string | undefined;
  const remove = async () => {
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  };
  try {
    directory = await mkdtemp(join(tmpdir(), 'heddle-import-'));
    const file = join(directory, 'export.jsonl');
    const chunks = maxBytes === undefined ? inbound.chunks() : limitLength(inbound.chunks(), maxBytes);
    await writeFile(file, chunks, { mode: 0o600 });
    return { file, remove };
  } catch (error) {
    await remove();
    return isRefusal(error) ? error : writeRefusal(error as NodeJS.ErrnoException, nothingDone);
  }
}

async function* limitLength(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxBytes) throw fileTooLarge(maxBytes);
    yield chunk;
  }
}

function fileTooLarge(maxBytes: number): Refusal {
  return refuse(
    'too_large',
    `The file is larger than ${maxBytes / MEGABYTE} MB, the limit for one file. Nothing was stored; make it smaller or split it.`,
    { limit: maxBytes },
  );
}

function writeRefusal({ code, message }: NodeJS.ErrnoException, nothingDone: string): Refusal {
  if (code !== undefined && NO_SPACE_CODES.has(code)) {
    return refuse(
      'no_space',
      `There is no space for the file in ${tmpdir()}. ${nothingDone}; free some space there and send it again.`,
    );
  }
  return refuse(
    'store_unavailable',
    `The file could not be written to ${tmpdir()} (${message}). ${nothingDone}; check that directory and send it again.`,
  );
}
