import type { Refusal } from '../core/refusal.ts';

/** The port to an embedder: it turns texts into directions, closer together the more similar the texts' meanings. */
export interface Embedder {
  /** The name callers request it by. */
  readonly id: string;
  readonly dimensions: number;
  /** One vector per text, in order. Equal texts always have equal vectors, whatever else is in the request. */
  embed(texts: readonly string[]): Promise<readonly EmbeddingVector[] | Refusal>;
  close(): Promise<void>;
}

/** A vector of length 1. Only vectors of the same embedder can be compared. */
export interface EmbeddingVector {
  /** The embedder that really made it; if weights are missing, that is not the one requested. */
  readonly embedder: string;
  readonly values: Float32Array;
}

/** Computes vectors; may throw. */
export interface VectorSource {
  embed(texts: readonly string[]): Promise<readonly EmbeddingVector[]>;
  close(): Promise<void>;
}
