import type { WireImportResult, WireRebuildResult, WorkLine } from '../protocol/wire.ts';
import type { Http } from './http.ts';
import { errorFromResponse, HeddleRefusal, HeddleUnreachable } from './refusal.ts';

type WorkProgress = Extract<WorkLine, { doing: unknown }>;

export interface WorkOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the progress. */
  readonly onProgress?: ((line: WorkProgress) => void) | undefined;
}

export interface ImportOptions extends WorkOptions {
  /** The file is your own whole workspace, restored into an empty one. */
  readonly mine?: boolean | undefined;
}

export async function importLog(
  http: Http,
  upload: string | ReadableStream<Uint8Array>,
  options: ImportOptions,
): Promise<WireImportResult> {
  const query = options.mine ? { mine: 'true' as const } : {};
  const response = await http.send('POST /api/import', { upload, query, signal: options.signal });
  return (await readWorkResult(response, 'imported', options)).imported;
}

export async function rebuildLog(http: Http, options: WorkOptions): Promise<WireRebuildResult> {
  const response = await http.send('POST /api/rebuild', { body: {}, signal: options.signal });
  return (await readWorkResult(response, 'rebuilt', options)).rebuilt;
}

/** The result, which is the line that has `name`; an error line is thrown like any refusal. */
export async function readWorkResult<Name extends 'imported' | 'rebuilt' | 'looms'>(
  response: Response,
  name: Name,
  { signal, onProgress }: WorkOptions,
): Promise<Extract<WorkLine, { [Key in Name]: unknown }>> {
  if (!response.ok) throw await errorFromResponse(response);
  for await (const line of readLines<WorkLine>(response)) {
    if (name in line) return line as Extract<WorkLine, { [Key in Name]: unknown }>;
    if ('error' in line) throw new HeddleRefusal(422, line.error);
    if ('doing' in line) onProgress?.(line);
  }
  signal?.throwIfAborted();
  throw new HeddleUnreachable(
    'The server stopped before the work was done. Start it, then send the request again for the rest.',
  );
}

/** Yields the lines of a response as they arrive. */
export async function* readLines<Line>(response: Response): AsyncGenerator<Line, void, void> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}
