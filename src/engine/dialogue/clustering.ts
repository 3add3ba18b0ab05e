import { isRefusal } from '../../core/refusal.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { Perform } from '../jobs.ts';
import { createKnown } from '../pool/vectors.ts';

/** Finds where new thoughts belong (D26). Vectors are a cache; what they led to is written down. */
export function createClustering(embedder: Embedder): Perform<State, Command> {
  const knownOf = createKnown(embedder);

  return async (job, work) => {
    const dialogue = modeState('dialogue', await work.state());
    if (!dialogue) return;
    const { pool, config } = dialogue;
    const known = await knownOf(work.thread, pool, work.signal);
    if (!known || work.signal.aborted) return;
    const { after, assignments } = known.clusters.step(pool, (thought) => known.vectors.get(thought));
    const found = assignments.map((assignment) => ({ ...assignment, embedder: known.embedder }));
    const input = { thread: work.thread, after, assignments: found };
    const actor = { id: config.self, kind: 'agent' } as const;
    const handled = await work.handle(actor, { name: 'thoughts_clustered', input }, `${work.thread}/${job.key}`);
    if (isRefusal(handled) && handled.refusal.code !== 'lease_lost') throw new Error(handled.refusal.message);
  };
}
