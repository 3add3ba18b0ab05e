import type { Chunk, DoneChunk, RefusedChunk, Token } from '../../models/model.ts';

export interface Choice {
  readonly text: string;
  readonly reason: 'stop' | 'length' | 'cancelled';
  /** With probabilities, where they were asked for. */
  readonly tokens: readonly Token[];
  readonly withheld?: true;
}

export interface Heard {
  readonly choices: readonly Choice[];
  readonly last: DoneChunk | RefusedChunk;
  readonly latency: { readonly firstTokenMs?: number; readonly totalMs: number };
  /** How many pieces of text came: about as many tokens. */
  readonly pieces: number;
  /** How long it was. */
  readonly textBytes: number;
}

/** Follows a stream to its end. */
export async function listen(stream: AsyncIterable<Chunk>, onChunk?: (chunk: Chunk) => void): Promise<Heard> {
  const choices: { text: string; reason: Choice['reason']; tokens: Token[]; withheld?: true }[] = [];
  const started = performance.now();
  let first: number | undefined;
  let last: Heard['last'] | undefined;
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
      first ??= performance.now();
      if (!chunk.framed) {
        pieces++;
        textBytes += Buffer.byteLength(chunk.text);
      }
      choice.text += chunk.text;
      choice.tokens.push(...(chunk.tokens ?? []));
    }
  }
  if (!last) throw new Error('A model’s stream ended without saying so.');
  const totalMs = Math.round(performance.now() - started);
  const latency = first === undefined ? { totalMs } : { firstTokenMs: Math.round(first - started), totalMs };
  return { choices: Array.from(choices, (choice) => choice ?? EMPTY), last, latency, pieces, textBytes };
}

const EMPTY: Choice = { text: '', reason: 'stop', tokens: [] };
