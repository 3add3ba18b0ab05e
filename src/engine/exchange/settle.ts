import type { Actor } from '../../core/events/event.ts';
import { BranchJob, SettleJob } from '../../core/exchange/jobs.ts';
import { MAX_MEASURED, measureDistances } from '../../core/exchange/rounds/drift.ts';
import { nextRound } from '../../core/exchange/state.ts';
import { activeThoughts } from '../../core/pool/state.ts';
import { isRefusal } from '../../core/refusal.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { JobContext, PerformJob } from '../jobs.ts';
import { createVectorCache, type PoolVectors } from '../pool/vectors.ts';

/** The author of automatic events: it ends rounds and reports that they wait. */
export const CLOCKWORK: Actor = { id: 'exchange', kind: 'automation' };

/** Ends a round: assigns its thoughts to clusters and measures their distance from the others (X1, X11). */
export function createRoundSettler(embedder: Embedder): PerformJob<State, Command> {
  const loadVectors = createVectorCache(embedder);

  return async (job, context) => {
    const target = SettleJob.inputOf(job);
    const exchange = modeState('exchange', await context.state());
    if (!target || !exchange || nextRound(exchange) !== target.round) return;
    const { pool, current } = exchange;
    const ids = activeThoughts(pool)
      .slice(-MAX_MEASURED)
      .map(({ id }) => id);
    // The round ends even without vectors: only its thoughts wait for theirs (D25).
    const poolVectors = await loadVectors(context.thread, pool, context.signal, ids).catch((error: Error) => error);
    if (context.signal.aborted) return;
    const places = poolVectors && !(poolVectors instanceof Error) ? clusterPlaces(poolVectors) : NO_PLACES;
    const problem =
      poolVectors instanceof Error ? { problem: `Clusters could not be found: ${poolVectors.message}` } : {};
    const input = { thread: context.thread, ...target, after: pool.members.length, ...places, ...problem };
    await send(context, job.key, { name: 'settle_round', input });

    function clusterPlaces({ clusters, vectors, embedder: embedderName }: PoolVectors) {
      const vectorOf = (thought: number) => vectors.get(thought);
      const { assignments } = clusters.step(pool, vectorOf);
      return {
        assignments: assignments.map((each) => ({ ...each, embedder: embedderName })),
        ...measureDistances(pool, current.pool.thoughts.length, vectorOf),
      };
    }
  };
}

const NO_PLACES = { assignments: [], diversity: null, novelty: null };

/** Branches when the terms agreed beforehand say so (X8). */
export const branchByPolicy: PerformJob<State, Command> = async (job, context) => {
  const target = BranchJob.inputOf(job);
  if (!target) return;
  await send(context, job.key, { name: 'branch_by_policy', input: { thread: context.thread, ...target } });
};

async function send(context: JobContext<State, Command>, key: string, command: Command): Promise<void> {
  const result = await context.handle(CLOCKWORK, command, `${context.thread}/${key}`);
  if (isRefusal(result) && result.refusal.code !== 'lease_lost') throw new Error(result.refusal.message);
}
