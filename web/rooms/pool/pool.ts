import type { RouteResponse } from '../../../src/protocol/routes.ts';

export type PoolClusters = RouteResponse<'GET /api/threads/:thread/clusters'>;

export interface PoolThought {
  readonly id: number;
  readonly iter: number;
  readonly text: string;
  readonly cluster: number | null;
  readonly active: boolean;
}

/** The latest thoughts of a pool with their clusters. */
export interface PoolSnapshot {
  readonly thoughts: readonly PoolThought[];
  readonly clusters: PoolClusters;
}

/** The thoughts that the clusters know, in order, each with its cluster. */
export function joinClusters(
  thoughts: Iterable<Omit<PoolThought, 'cluster'>>,
  { timeline }: Pick<PoolClusters, 'timeline'>,
): readonly PoolThought[] {
  const clusterByThought = new Map(timeline.flatMap((step) => step.thoughts.map(({ id, cluster }) => [id, cluster])));
  return [...thoughts]
    .filter(({ id }) => clusterByThought.has(id))
    .map((thought) => ({ ...thought, cluster: clusterByThought.get(thought.id) ?? null }))
    .sort((a, b) => a.id - b.id);
}
