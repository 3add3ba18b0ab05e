import { useEffect, useState } from 'react';
import type { IterationThought } from '../../../../src/client/index.ts';
import { sleep } from '../../../data/sleep.ts';
import { coalesce, useStore } from '../../../data/store.ts';
import { joinClusters, type PoolSnapshot } from '../../pool/pool.ts';
import type { LiveDialogue } from '../live-dialogue.ts';

/** How far back the panel reads, in iterations and in thoughts. */
const MAX_ITERATIONS = 60;
const REFRESH_COUNT = 5;
const MAX_THOUGHTS = 200;
/** The panel need not refresh as fast as a mind thinks. */
const THROTTLE_MS = 1_000;

/** The latest thoughts with their clusters, kept up to date while the panel is visible. */
export function usePool(dialogue: LiveDialogue): PoolSnapshot | undefined {
  const [pool, setPool] = useState<PoolSnapshot>();
  const revision = useStore(dialogue.thoughtsRevision);
  const [refresh] = useState(() => {
    const thoughtsById = new Map<number, IterationThought>();
    let lastIter = 0;
    /** Fetches new iterations, newest first; a fast mind may have made many. */
    const fetchIterationsAfter = async (lastKnown: number) => {
      const { iterations } = await dialogue.queries.iterations({
        limit: lastKnown === 0 ? MAX_ITERATIONS : REFRESH_COUNT,
      });
      const oldest = iterations.at(-1)?.iter ?? 0;
      const missingCount = Math.min(MAX_ITERATIONS, oldest - lastKnown - 1);
      if (lastKnown === 0 || missingCount <= 0) return iterations;
      return [
        ...iterations,
        ...(await dialogue.queries.iterations({ before: oldest, limit: missingCount })).iterations,
      ];
    };
    return coalesce(async () => {
      try {
        const [iterations, clusters] = await Promise.all([
          fetchIterationsAfter(lastIter),
          dialogue.queries.clusters({ latest: MAX_THOUGHTS }),
        ]);
        for (const { thoughts } of iterations) for (const thought of thoughts) thoughtsById.set(thought.id, thought);
        lastIter = iterations[0]?.iter ?? lastIter;
        setPool({ thoughts: joinClusters(thoughtsById.values(), clusters), clusters });
      } catch {
        // The next thought triggers another try.
      }
      await sleep(THROTTLE_MS);
    });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again whenever there are new thoughts
  useEffect(() => void refresh(), [refresh, revision]);
  return pool;
}
