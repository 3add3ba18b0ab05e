import type { RequestBody } from '../protocol/routes.ts';
import type { ModelTestLine, ModelTestResult } from '../protocol/wire.ts';
import type { Http } from './http.ts';
import { errorFromResponse, HeddleRefusal, HeddleUnreachable } from './refusal.ts';
import { readLines } from './work-lines.ts';

export interface ModelTestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with each piece of text as it streams in. */
  readonly onText?: ((choice: number, text: string) => void) | undefined;
}

/** Asks a model for a few short texts and streams them. */
export async function testModel(
  http: Http,
  model: string,
  request: RequestBody<'POST /api/models/:model/test'>,
  { signal, onText }: ModelTestOptions,
): Promise<ModelTestResult> {
  const response = await http.send('POST /api/models/:model/test', { params: { model }, body: request, signal });
  if (!response.ok) throw await errorFromResponse(response);
  for await (const line of readLines<ModelTestLine>(response)) {
    if ('tested' in line) return line.tested;
    if ('error' in line) throw new HeddleRefusal(503, line.error);
    onText?.(line.choice, line.text);
  }
  signal?.throwIfAborted();
  throw new HeddleUnreachable('The server stopped before the model was done. Start it and try again.');
}
