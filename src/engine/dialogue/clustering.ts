import { isRefusal } from '../../core/refusal.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { PerformJob } from '../jobs.ts';
import { createVectorCache } from '../pool/vectors.ts';

/** Assigns new thoughts to clusters (D26). Vectors are only a cache; the assignment is recorded in the log. */
export function createClustering(embedder: Embedder): PerformJob<State, Command> {
  const loadVectors = createVectorCache(embedder);

  return async (job, context) => {
    const dialogue = modeState('dialogue', await context.state());
    if (!dialogue) return;
    const { pool, config } = dialogue;
    const poolVectors = await loadVectors(context.thread, pool, context.signal);
    if (!poolVectors || context.signal.aborted) return;
    const { after, assignments } = poolVectors.clusters.step(pool, (thought) => poolVectors.vectors.get(thought));
    const withEmbedder = assignments.map((assignment) => ({ ...assignment, embedder: poolVectors.embedder }));
    const input = { thread: context.thread, after, assignments: withEmbedder };
    const actor = { id: config.self, kind: 'agent' } as const;
    const result = await context.handle(actor, { name: 'report_clusters', input }, `${context.thread}/${job.key}`);
    if (isRefusal(result) && result.refusal.code !== 'lease_lost') throw new Error(result.refusal.message);
  };
}
