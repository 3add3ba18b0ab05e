import type { Actor } from '../../core/events/event.ts';
import { distances, LOOKED_AT } from '../../core/exchange/rounds/drift.ts';
import { nextRound } from '../../core/exchange/state.ts';
import { activeThoughts } from '../../core/pool/state.ts';
import { isRefusal } from '../../core/refusal.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { Perform, Work } from '../jobs.ts';
import { createKnown, type Known } from '../pool/vectors.ts';

/** Does what is nobody's to decide: it ends rounds, and says that they wait. */
export const CLOCKWORK: Actor = { id: 'exchange', kind: 'automation' };

/** Ends a round: where its thoughts belong, and how far they are from the others (X1, X11). */
export function createSettle(embedder: Embedder): Perform<State, Command> {
  const knownOf = createKnown(embedder);

  return async (job, work) => {
    const wanted = job.input as unknown as { readonly round: number; readonly run: number };
    const exchange = modeState('exchange', await work.state());
    if (!exchange || nextRound(exchange) !== wanted.round) return;
    const { pool, current } = exchange;
    const ids = activeThoughts(pool)
      .slice(-LOOKED_AT)
      .map(({ id }) => id);
    // Without vectors the round is over all the same: its thoughts wait for theirs, and nothing else does (D25).
    const known = await knownOf(work.thread, pool, work.signal, ids).catch((error: Error) => error);
    if (work.signal.aborted) return;
    const found = known && !(known instanceof Error) ? placesOf(known) : NOWHERE;
    const problem = known instanceof Error ? { problem: `Clusters could not be found: ${known.message}` } : {};
    const input = { thread: work.thread, ...wanted, after: pool.members.length, ...found, ...problem };
    await send(work, job.key, { name: 'round_settled', input });

    function placesOf({ clusters, vectors, embedder: by }: Known) {
      const vectorOf = (thought: number) => vectors.get(thought);
      const { assignments } = clusters.step(pool, vectorOf);
      return {
        assignments: assignments.map((each) => ({ ...each, embedder: by })),
        ...distances(pool, current.pool.thoughts.length, vectorOf),
      };
    }
  };
}

const NOWHERE = { assignments: [], diversity: null, novelty: null };

/** Carries out what the terms said beforehand (X8). */
export const branchByPolicy: Perform<State, Command> = async (job, work) => {
  const { restart } = job.input as { restart: number };
  await send(work, job.key, { name: 'branch_by_policy', input: { thread: work.thread, restart } });
};

async function send(work: Work<State, Command>, key: string, command: Command): Promise<void> {
  const handled = await work.handle(CLOCKWORK, command, `${work.thread}/${key}`);
  if (isRefusal(handled) && handled.refusal.code !== 'lease_lost') throw new Error(handled.refusal.message);
}
