import { type Assignment, clusterOf } from '../../pool/members.ts';
import { activeThoughts, type Thought, type ThoughtPool } from '../../pool/state.ts';

/** How the active pool is divided among clusters. */
export interface PoolDivision {
  readonly active: readonly Thought[];
  /** Different iterations the active thoughts come from. */
  readonly iterations: number;
  /** Thoughts without a cluster. */
  readonly unclustered: number;
  readonly clusters: ReadonlyMap<number, ClusterShare>;
  readonly clusterIdOf: ClusterLookup;
}

export interface ClusterShare {
  size: number;
  iterations: number;
  last: number;
}

/** A thought's cluster, null for noise, undefined for one nobody has looked at. */
type ClusterLookup = (thought: number) => number | null | undefined;

/** As it will be with these assignments. They are not made here: a pool is appended to by its events alone. */
export function divisionOf(pool: ThoughtPool, assignments: readonly Assignment[] = []): PoolDivision {
  const clusterIdOf = createClusterLookup(pool, assignments);
  const active = activeThoughts(pool);
  const clusters = new Map<number, ClusterShare>();
  let [iterations, last, unclustered] = [0, -1, 0];
  // Thoughts stand in the order of their iterations, so a new one shows by itself.
  for (const { id, iter } of active) {
    if (iter !== last) iterations++;
    last = iter;
    const cluster = clusterIdOf(id);
    if (typeof cluster !== 'number') {
      unclustered++;
      continue;
    }
    const share = clusters.get(cluster);
    if (!share) clusters.set(cluster, { size: 1, iterations: 1, last: iter });
    else {
      share.size++;
      if (share.last !== iter) share.iterations++;
      share.last = iter;
    }
  }
  return { active, iterations, unclustered, clusters, clusterIdOf };
}

function createClusterLookup({ members }: ThoughtPool, assignments: readonly Assignment[]): ClusterLookup {
  if (assignments.length === 0) return (thought) => clusterOf(members, thought);
  const newClusters = new Map(assignments.map(({ thought, cluster }) => [thought, cluster]));
  return (thought) => {
    const existing = clusterOf(members, thought);
    return typeof existing === 'number' ? existing : (newClusters.get(thought) ?? existing);
  };
}
