import type { Chunk, DoneChunk, ModelToken, RefusedChunk } from '../../models/model.ts';

export interface CallChoice {
  readonly text: string;
  readonly reason: 'stop' | 'length' | 'cancelled';
  /** With probabilities, if requested. */
  readonly tokens: readonly ModelToken[];
  readonly withheld?: true;
}

export interface CollectedStream {
  readonly choices: readonly CallChoice[];
  readonly last: DoneChunk | RefusedChunk;
  readonly latency: { readonly firstTokenMs?: number; readonly totalMs: number };
  /** Number of text chunks: roughly the number of tokens. */
  readonly pieces: number;
  readonly textBytes: number;
}

export async function collectStream(
  stream: AsyncIterable<Chunk>,
  onChunk?: (chunk: Chunk) => void,
): Promise<CollectedStream> {
  const choices: { text: string; reason: CallChoice['reason']; tokens: ModelToken[]; withheld?: true }[] = [];
  const startedAt = performance.now();
  let firstTokenAt: number | undefined;
  let last: CollectedStream['last'] | undefined;
  let pieces = 0;
  let textBytes = 0;
  for await (const chunk of stream) {
    onChunk?.(chunk);
    if (chunk.type === 'done' || chunk.type === 'refused') last = chunk;
    else {
      choices[chunk.choice] ??= { text: '', reason: 'stop', tokens: [] };
      const choice = choices[chunk.choice] as (typeof choices)[number];
      if (chunk.type === 'end') {
        choice.reason = chunk.reason;
        if (chunk.withheld) choice.withheld = true;
        continue;
      }
      firstTokenAt ??= performance.now();
      if (!chunk.framed) {
        pieces++;
        textBytes += Buffer.byteLength(chunk.text);
      }
      choice.text += chunk.text;
      choice.tokens.push(...(chunk.tokens ?? []));
    }
  }
  if (!last) throw new Error('A model’s stream ended without a final event.');
  const totalMs = Math.round(performance.now() - startedAt);
  const latency =
    firstTokenAt === undefined ? { totalMs } : { firstTokenMs: Math.round(firstTokenAt - startedAt), totalMs };
  return { choices: Array.from(choices, (choice) => choice ?? EMPTY_CHOICE), last, latency, pieces, textBytes };
}

const EMPTY_CHOICE: CallChoice = { text: '', reason: 'stop', tokens: [] };
