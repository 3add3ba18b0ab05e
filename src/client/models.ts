import type { SentBody } from '../protocol/routes.ts';
import type { ModelTested, TestLine } from '../protocol/wire.ts';
import type { Http } from './http.ts';
import { HeddleRefusal, HeddleUnreachable, refusalOf } from './refusal.ts';
import { linesOf } from './work-lines.ts';

export interface TestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Hears the texts as they come. */
  readonly onText?: ((choice: number, text: string) => void) | undefined;
}

/** Asks a model for a few short texts, as they come. */
export async function testModel(
  http: Http,
  model: string,
  wish: SentBody<'POST /api/models/:model/test'>,
  { signal, onText }: TestOptions,
): Promise<ModelTested> {
  const response = await http.send('POST /api/models/:model/test', { params: { model }, body: wish, signal });
  if (!response.ok) throw await refusalOf(response);
  for await (const line of linesOf<TestLine>(response)) {
    if ('tested' in line) return line.tested;
    if ('error' in line) throw new HeddleRefusal(503, line.error);
    onText?.(line.choice, line.text);
  }
  signal?.throwIfAborted();
  throw new HeddleUnreachable('The server stopped before the model was done. Start it and try again.');
}
