import type { Refusal } from '../core/refusal.ts';

/** What an embedder is to the rest of Heddle: it turns texts into directions, the nearer the more alike what they say. */
export interface Embedder {
  /** What it is asked for by. */
  readonly id: string;
  readonly dimensions: number;
  /** One vector for each text, in order. Equal texts have equal vectors, whenever and beside whatever they are asked. */
  embed(texts: readonly string[]): Promise<readonly EmbeddingVector[] | Refusal>;
  close(): Promise<void>;
}

/** Of length 1. Only vectors of one maker can be compared. */
export interface EmbeddingVector {
  /** Who really made it: where weights are missing, that is not who was asked. */
  readonly embedder: string;
  readonly values: Float32Array;
}

/** Makes vectors, and may throw. */
export interface VectorSource {
  embed(texts: readonly string[]): Promise<readonly EmbeddingVector[]>;
  close(): Promise<void>;
}
