import { useEffect, useState } from 'react';
import { oneAtATime, useStore } from '../../../data/store.ts';
import type { Pool } from '../../pool/pool.ts';
import type { Talk } from '../live-dialogue.ts';
import type { Thought } from '../queries.ts';

/** How far back the panel looks, in iterations and in thoughts. */
const ITERATIONS = 60;
const FEW = 5;
const THOUGHTS = 200;
/** A mind may be quick; the panel needs not be. */
const REST_MS = 1_000;

/** The latest thoughts with their clusters, as they come; read only while somebody looks at them. */
export function usePool(talk: Talk): Pool | undefined {
  const [pool, setPool] = useState<Pool>();
  const changed = useStore(talk.thoughts);
  const [refresh] = useState(() => {
    const known = new Map<number, Thought>();
    let last = 0;
    /** Iterations not read yet, newest first; a quick mind may have had many. */
    const since = async (known: number) => {
      const { iterations } = await talk.reads.iterations({ limit: known === 0 ? ITERATIONS : FEW });
      const oldest = iterations.at(-1)?.iter ?? 0;
      const missing = Math.min(ITERATIONS, oldest - known - 1);
      if (known === 0 || missing <= 0) return iterations;
      return [...iterations, ...(await talk.reads.iterations({ before: oldest, limit: missing })).iterations];
    };
    return oneAtATime(async () => {
      try {
        const [iterations, clusters] = await Promise.all([since(last), talk.reads.clusters(THOUGHTS)]);
        for (const { thoughts } of iterations) for (const thought of thoughts) known.set(thought.id, thought);
        last = iterations[0]?.iter ?? last;
        const placed = new Map(
          clusters.timeline.flatMap(({ thoughts }) => thoughts.map(({ id, cluster }) => [id, cluster])),
        );
        const thoughts = [...known.values()]
          .filter(({ id }) => placed.has(id))
          .map((thought) => ({ ...thought, cluster: placed.get(thought.id) ?? null }))
          .sort((a, b) => a.id - b.id);
        setPool({ thoughts, clusters });
      } catch {
        // The next thought asks again.
      }
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
    });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again whenever there are new thoughts
  useEffect(() => void refresh(), [refresh, changed]);
  return pool;
}
