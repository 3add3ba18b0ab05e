import type { WireImportedLoom } from '../protocol/loom-files.ts';
import type { RequestBody, RequestQuery } from '../protocol/routes.ts';
import { createCommand, type KindCommand } from './command.ts';
import type { Http } from './http.ts';
import { createView } from './view.ts';
import { readWorkResult, type WorkOptions } from './work-lines.ts';

export interface NamedFile {
  readonly name: string;
  readonly content: Blob;
}

export type LoomImportOptions = WorkOptions & {
  readonly format?: RequestQuery<'POST /api/looms/import'>['format'];
};

const PIECE_BYTES = 768 * 1024;

/** Calls that exist only for looms. */
export function loomClient(http: Http, thread: string) {
  const { call, download } = http;
  const params = { thread };
  const view = createView(http, thread);
  return {
    /** A participant's path through the loom as one text, with its nodes; by default the caller's own. */
    path: view('GET /api/threads/:thread/path'),
    /** The tree in columns, a part at a time. */
    tree: view('GET /api/threads/:thread/tree'),
    /** One node: its text, its versions and siblings, and how it was generated. */
    node: (node: string) => call('GET /api/threads/:thread/nodes/:node', { params: { thread, node } }),
    /** Nodes whose id begins or ends with this text. */
    like: (like: string) => call('GET /api/threads/:thread/nodes', { params, query: { like } }),
    /** The author of each part of the caller's path. */
    authorship: view('GET /api/threads/:thread/authorship'),
    /** Nodes that have all the words. */
    search: view('GET /api/threads/:thread/found'),
    /** The caller's uncommitted text, as last saved. */
    scratch: view('GET /api/threads/:thread/scratch'),
    /** Saves the caller's uncommitted text; it is no event. */
    keepScratch: (scratch: RequestBody<'POST /api/threads/:thread/scratch'>['scratch']) =>
      call('POST /api/threads/:thread/scratch', { params, body: { scratch } }),
    /** Shows the others where the caller is. */
    moveCursor: (body: RequestBody<'POST /api/threads/:thread/cursor'>) =>
      call('POST /api/threads/:thread/cursor', { params, body }),
    /** Exports the loom; the response body is the file. */
    export: (query: RequestQuery<'GET /api/threads/:thread/export'>, signal?: AbortSignal) =>
      download('GET /api/threads/:thread/export', { params, query, signal }),
    /** Sends a command of looms, such as `commit`, `generate` or `switch`. */
    command: createCommand(http, thread) as KindCommand<'loom'>,
  };
}

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
