import { type ClusterIndex, createClusterIndex, thoughtsNeedingVectors } from '../../core/pool/clusters.ts';
import { type ThoughtPool, thoughtOf } from '../../core/pool/state.ts';
import { toUnitVector, type UnitVector } from '../../core/pool/vectors.ts';
import { isRefusal } from '../../core/refusal.ts';
import type { Embedder } from '../../models/embedder.ts';

/** Vectors and clusters of a thread's thoughts; all of it can be derived again from the log. */
export interface PoolVectors {
  readonly clusters: ClusterIndex;
  readonly embedder: string;
  /** Vectors by thought id; thoughts never change. */
  readonly vectors: Map<number, UnitVector>;
}

const MAX_CACHED_THREADS = 64;
const BATCH_SIZE = 64;

/** Caches the vectors and clusters of recently active threads (D25). */
export function createVectorCache(embedder: Embedder) {
  const cache = new Map<string, PoolVectors>();

  /** The vectors that a step may need, all from one embedder: if the embedder changed, all are computed again. */
  async function loadVectors(
    thread: string,
    pool: ThoughtPool,
    signal: AbortSignal,
    extraThoughts: readonly number[] = [],
  ): Promise<PoolVectors | undefined> {
    let cached = cache.get(thread);
    const missing = [...new Set([...thoughtsNeedingVectors(pool), ...extraThoughts])].filter(
      (thought) => !cached?.vectors.has(thought),
    );
    for (let from = 0; from < missing.length && !signal.aborted; from += BATCH_SIZE) {
      const batch = missing.slice(from, from + BATCH_SIZE);
      const embeddings = await embedder.embed(batch.map((thought) => thoughtOf(pool, thought)?.text ?? ''));
      if (isRefusal(embeddings)) throw new Error(embeddings.refusal.message);
      const embedderName = embeddings[0]?.embedder ?? embedder.id;
      if (cached && cached.embedder !== embedderName) {
        cache.delete(thread);
        return loadVectors(thread, pool, signal, extraThoughts);
      }
      cached ??= { clusters: createClusterIndex(), embedder: embedderName, vectors: new Map() };
      for (const [i, thought] of batch.entries()) {
        const vector = embeddings[i];
        if (vector) cached.vectors.set(thought, toUnitVector(vector.values));
      }
      cacheVectors(thread, cached);
    }
    return cached;
  }

  function cacheVectors(thread: string, cached: PoolVectors) {
    cache.delete(thread);
    cache.set(thread, cached);
    if (cache.size > MAX_CACHED_THREADS) cache.delete(cache.keys().next().value as string);
  }

  return loadVectors;
}
