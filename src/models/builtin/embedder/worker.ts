// The embedder's worker thread, so that the server's own thread never waits for arithmetic.
import { parentPort, workerData } from 'node:worker_threads';
import { workInBackground } from '../../../platform/background.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { createEncoder, MAX_TOKENS, WORKING_BYTES } from './encoder.ts';
import { loadEncoderWeights } from './weights.ts';
import { createWordPiece } from './wordpiece.ts';

export interface EmbedderData {
  readonly model: string;
  readonly tokenizer: string;
  readonly kernel?: Kernel['name'];
}

export interface EmbedRequest {
  readonly id: number;
  readonly texts: readonly string[];
}

export interface EmbedResult {
  readonly id: number;
  readonly vectors: readonly Float32Array<ArrayBuffer>[];
}

/** More than enough letters for MAX_TOKENS tokens. */
const MAX_LETTERS = 64 * MAX_TOKENS;

const data = workerData as EmbedderData;
const tokenize = createWordPiece(data.tokenizer);
const encoder = createEncoder(loadEncoderWeights(data.model, WORKING_BYTES, data.kernel));

// Lower the priority only after loading: loading is short, and a caller waits for it.
workInBackground();
parentPort?.on('message', ({ id, texts }: EmbedRequest) => {
  const vectors = encoder.encode(texts.map(tokensOf));
  const result: EmbedResult = { id, vectors };
  parentPort?.postMessage(
    result,
    vectors.map((vector) => vector.buffer),
  );
});

/** Tokenizes as much of a long text as the model can read. */
function tokensOf(text: string): readonly number[] {
  return tokenize(text.slice(0, MAX_LETTERS), MAX_TOKENS);
}
