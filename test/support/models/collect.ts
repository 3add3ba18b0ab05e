import type { Chunk, DoneChunk, RefusedChunk } from '../../../src/models/model.ts';

/** A stream of chunks, read to its end. */
export interface Collected {
  readonly chunks: readonly Chunk[];
  readonly texts: readonly string[];
  readonly done: DoneChunk | undefined;
  readonly refused: RefusedChunk | undefined;
}

export async function collect(stream: AsyncIterable<Chunk>): Promise<Collected> {
  const chunks: Chunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const texts: string[] = [];
  for (const chunk of chunks) if (chunk.type === 'text') texts[chunk.choice] = (texts[chunk.choice] ?? '') + chunk.text;
  const last = chunks.at(-1);
  return {
    chunks,
    texts,
    done: last?.type === 'done' ? last : undefined,
    refused: last?.type === 'refused' ? last : undefined,
  };
}
