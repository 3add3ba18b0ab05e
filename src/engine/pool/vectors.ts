import { type Clusters, openClusters, vectorsWanted } from '../../core/pool/clusters.ts';
import { type Pool, thoughtOf } from '../../core/pool/state.ts';
import { type Vector, vectorFrom } from '../../core/pool/vectors.ts';
import { isRefusal } from '../../core/refusal.ts';
import type { Embedder } from '../../models/embedder.ts';

/** What is known of a thread's thoughts; all of it can be found again from the log. */
export interface Known {
  readonly clusters: Clusters;
  readonly embedder: string;
  /** By thought; thoughts never change. */
  readonly vectors: Map<number, Vector>;
}

const KEPT_THREADS = 64;
const AT_ONCE = 64;

/** Vectors of thoughts, and the clusters found with them: a cache of the threads that were at work last (D25). */
export function createKnown(embedder: Embedder) {
  const kept = new Map<string, Known>();

  /** The vectors a step may ask for, all by one embedder: where that changed, everything is looked at again. */
  async function withVectors(
    thread: string,
    pool: Pool,
    signal: AbortSignal,
    also: readonly number[] = [],
  ): Promise<Known | undefined> {
    let known = kept.get(thread);
    const missing = [...new Set([...vectorsWanted(pool), ...also])].filter((thought) => !known?.vectors.has(thought));
    for (let from = 0; from < missing.length && !signal.aborted; from += AT_ONCE) {
      const asked = missing.slice(from, from + AT_ONCE);
      const made = await embedder.embed(asked.map((thought) => thoughtOf(pool, thought)?.text ?? ''));
      if (isRefusal(made)) throw new Error(made.refusal.message);
      const name = made[0]?.embedder ?? embedder.id;
      if (known && known.embedder !== name) {
        kept.delete(thread);
        return withVectors(thread, pool, signal, also);
      }
      known ??= { clusters: openClusters(), embedder: name, vectors: new Map() };
      for (const [i, thought] of asked.entries()) {
        const vector = made[i];
        if (vector) known.vectors.set(thought, vectorFrom(vector.values));
      }
      keep(thread, known);
    }
    return known;
  }

  function keep(thread: string, known: Known) {
    kept.delete(thread);
    kept.set(thread, known);
    if (kept.size > KEPT_THREADS) kept.delete(kept.keys().next().value as string);
  }

  return withVectors;
}
