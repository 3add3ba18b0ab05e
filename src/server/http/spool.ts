import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { InboundRequest } from './request.ts';

/** An upload stored as a file. The caller removes it. */
export interface Spool {
  readonly file: string;
  remove(): Promise<void>;
}

const NO_SPACE_CODES = new Set(['ENOSPC', 'EDQUOT']);

/** Writes an upload to a temporary file; removes the file if that fails. */
export async function spoolUpload(inbound: InboundRequest): Promise<Spool | Refusal> {
  let directory: string | undefined;
  const remove = async () => {
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  };
  try {
    directory = await mkdtemp(join(tmpdir(), 'heddle-import-'));
    const file = join(directory, 'export.jsonl');
    await writeFile(file, inbound.chunks(), { mode: 0o600 });
    return { file, remove };
  } catch (error) {
    await remove();
    return isRefusal(error) ? error : writeRefusal(error as NodeJS.ErrnoException);
  }
}

function writeRefusal({ code, message }: NodeJS.ErrnoException): Refusal {
  if (code !== undefined && NO_SPACE_CODES.has(code)) {
    return refuse(
      'no_space',
      `There is no room for the file in ${tmpdir()}. Nothing was imported; free some space there and send it again.`,
    );
  }
  return refuse(
    'store_unavailable',
    `The file could not be written to ${tmpdir()} (${message}). Nothing was imported; check that directory and send it again.`,
  );
}
