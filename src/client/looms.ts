import type { LoomExportFormat, WireImportedLoom } from '../protocol/loom-files.ts';
import type { RequestQuery } from '../protocol/routes.ts';
import type { Http } from './http.ts';
import { errorFromResponse } from './refusal.ts';
import { readWorkResult, type WorkOptions } from './work-lines.ts';

export interface NamedFile {
  readonly name: string;
  readonly content: Blob;
}

export type LoomImportOptions = WorkOptions & {
  readonly format?: RequestQuery<'POST /api/looms/import'>['format'];
};

const PIECE_BYTES = 768 * 1024;

/** Imports files of other programs as looms. */
export async function importLooms(
  http: Http,
  files: readonly NamedFile[],
  { format, ...options }: LoomImportOptions,
): Promise<readonly WireImportedLoom[]> {
  const upload = new Blob((await Promise.all(files.map(piecesOf))).flat());
  const query = format === undefined ? {} : { format };
  const response = await http.send('POST /api/looms/import', { query, upload, signal: options.signal });
  return (await readWorkResult(response, 'looms', options)).looms;
}

/** Returns the raw response; its body is the file. */
export async function exportLoom(
  http: Http,
  thread: string,
  query: { readonly format: LoomExportFormat; readonly authors?: 'yes' | 'no' },
  signal?: AbortSignal,
): Promise<Response> {
  const response = await http.send('GET /api/threads/:thread/export', { params: { thread }, query, signal });
  if (!response.ok) throw await errorFromResponse(response);
  return response;
}

async function piecesOf({ name, content }: NamedFile): Promise<string[]> {
  const lines: string[] = [];
  for (let offset = 0; offset < content.size || offset === 0; offset += PIECE_BYTES) {
    const bytes = new Uint8Array(await content.slice(offset, offset + PIECE_BYTES).arrayBuffer());
    lines.push(`${JSON.stringify({ name, base64: toBase64(bytes) })}\n`);
  }
  return lines;
}

const CHUNK_BYTES = 0x8000;

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let offset = 0; offset < bytes.length; offset += CHUNK_BYTES)
    binary += String.fromCharCode(...bytes.subarray(offset, offset + CHUNK_BYTES));
  return btoa(binary);
}
