import type { LoomExportFormat, WireImportedLoom } from '../protocol/loom-files.ts';
import type { SentQuery } from '../protocol/routes.ts';
import type { Http } from './http.ts';
import { refusalOf } from './refusal.ts';
import { lastLine, type WorkOptions } from './work-lines.ts';

export interface NamedFile {
  readonly name: string;
  readonly content: Blob;
}

export type LoomImportOptions = WorkOptions & {
  readonly format?: SentQuery<'POST /api/looms/import'>['format'];
};

const PIECE = 768 * 1024;

/** Makes looms of files of other programs, dropped or named. */
export async function importLooms(
  http: Http,
  files: readonly NamedFile[],
  { format, ...options }: LoomImportOptions,
): Promise<readonly WireImportedLoom[]> {
  const upload = new Blob((await Promise.all(files.map(piecesOf))).flat());
  const query = format === undefined ? {} : { format };
  const response = await http.send('POST /api/looms/import', { query, upload, signal: options.signal });
  return (await lastLine(response, 'looms', options)).looms;
}

/** The answer itself: its body is the file. */
export async function exportLoom(
  http: Http,
  thread: string,
  query: { readonly format: LoomExportFormat; readonly authors?: 'yes' | 'no' },
  signal?: AbortSignal,
): Promise<Response> {
  const response = await http.send('GET /api/threads/:thread/export', { params: { thread }, query, signal });
  if (!response.ok) throw await refusalOf(response);
  return response;
}

async function piecesOf({ name, content }: NamedFile): Promise<string[]> {
  const lines: string[] = [];
  for (let at = 0; at < content.size || at === 0; at += PIECE) {
    const bytes = new Uint8Array(await content.slice(at, at + PIECE).arrayBuffer());
    lines.push(`${JSON.stringify({ name, base64: base64Of(bytes) })}\n`);
  }
  return lines;
}

const AT_ONCE = 0x8000;

function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += AT_ONCE) binary += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  return btoa(binary);
}
