import { type Clusters, openClusters, vectorsWanted } from '../../core/pool/clusters.ts';
import { type Pool, thoughtOf } from '../../core/pool/state.ts';
import { type Vector, vectorFrom } from '../../core/pool/vectors.ts';
import { isRefusal } from '../../core/refusal.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { Perform } from '../jobs.ts';

/** What is known of a thread's thoughts; all of it can be found again from the log. */
interface Known {
  readonly clusters: Clusters;
  readonly embedder: string;
  /** By thought; thoughts never change. */
  readonly vectors: Map<number, Vector>;
}

const KEPT_THREADS = 64;
const AT_ONCE = 64;

/** Finds where new thoughts belong (D26). Vectors are a cache; what they led to is written down. */
export function createClustering(embedder: Embedder): Perform<State, Command> {
  const kept = new Map<string, Known>();

  return async (job, work) => {
    const dialogue = modeState('dialogue', await work.state());
    if (!dialogue) return;
    const { pool, config } = dialogue;
    const known = await withVectors(work.thread, pool, work.signal);
    if (!known || work.signal.aborted) return;
    const { after, assignments } = known.clusters.step(pool, (thought) => known.vectors.get(thought));
    const found = assignments.map((assignment) => ({ ...assignment, embedder: known.embedder }));
    const input = { thread: work.thread, after, assignments: found };
    const actor = { id: config.self, kind: 'agent' } as const;
    const handled = await work.handle(actor, { name: 'thoughts_clustered', input }, `${work.thread}/${job.key}`);
    if (isRefusal(handled) && handled.refusal.code !== 'lease_lost') throw new Error(handled.refusal.message);
  };

  /** The vectors a step may ask for, all by one embedder: where that changed, everything is looked at again. */
  async function withVectors(thread: string, pool: Pool, signal: AbortSignal): Promise<Known | undefined> {
    let known = kept.get(thread);
    const missing = vectorsWanted(pool).filter((thought) => !known?.vectors.has(thought));
    for (let from = 0; from < missing.length && !signal.aborted; from += AT_ONCE) {
      const asked = missing.slice(from, from + AT_ONCE);
      const made = await embedder.embed(asked.map((thought) => thoughtOf(pool, thought)?.text ?? ''));
      if (isRefusal(made)) throw new Error(made.refusal.message);
      const name = made[0]?.embedder ?? embedder.id;
      if (known && known.embedder !== name) {
        kept.delete(thread);
        return withVectors(thread, pool, signal);
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
}
