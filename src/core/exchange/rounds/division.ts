import { type Assignment, clusterOf } from '../../pool/members.ts';
import { activeThoughts, type Thought, type ThoughtPool } from '../../pool/state.ts';

/** The division of the active pool into clusters. */
export interface PoolDivision {
  readonly active: readonly Thought[];
  /** The number of distinct iterations among the active thoughts. */
  readonly iterations: number;
  /** The number of thoughts without a cluster. */
  readonly unclustered: number;
  readonly clusters: ReadonlyMap<number, ClusterShare>;
  readonly clusterIdOf: ClusterLookup;
}

export interface ClusterShare {
  size: number;
  iterations: number;
  last: number;
}

/** A thought's cluster: null for noise, undefined if not clustered yet. */
type ClusterLookup = (thought: number) => number | null | undefined;

/** The division after these assignments. The pool itself is not changed: only its events append to it. */
export function divisionOf(pool: ThoughtPool, assignments: readonly Assignment[] = []): PoolDivision {
  const clusterIdOf = createClusterLookup(pool, assignments);
  const active = activeThoughts(pool);
  const clusters = new Map<number, ClusterShare>();
  let [iterations, last, unclustered] = [0, -1, 0];
  // Thoughts are sorted by iteration, so a change of `iter` marks a new one.
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
