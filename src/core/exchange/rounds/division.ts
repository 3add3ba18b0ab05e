import { type Assignment, clusterOf } from '../../pool/members.ts';
import { activeThoughts, type Pool, type Thought } from '../../pool/state.ts';

/** How the active pool is divided among clusters. */
export interface Division {
  readonly active: readonly Thought[];
  /** Different iterations the active thoughts come from. */
  readonly iterations: number;
  /** Thoughts without a cluster. */
  readonly without: number;
  readonly clusters: ReadonlyMap<number, Share>;
  readonly placeOf: PlaceOf;
}

export interface Share {
  size: number;
  iterations: number;
  last: number;
}

/** A thought's cluster, null for noise, undefined for one nobody has looked at. */
type PlaceOf = (thought: number) => number | null | undefined;

/** As it will be with these assignments. They are not made here: a pool is appended to by its events alone. */
export function divisionOf(pool: Pool, assignments: readonly Assignment[] = []): Division {
  const placeOf = placesIn(pool, assignments);
  const active = activeThoughts(pool);
  const clusters = new Map<number, Share>();
  let [iterations, last, without] = [0, -1, 0];
  // Thoughts stand in the order of their iterations, so a new one shows by itself.
  for (const { id, iter } of active) {
    if (iter !== last) iterations++;
    last = iter;
    const cluster = placeOf(id);
    if (typeof cluster !== 'number') {
      without++;
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
  return { active, iterations, without, clusters, placeOf };
}

function placesIn({ members }: Pool, assignments: readonly Assignment[]): PlaceOf {
  if (assignments.length === 0) return (thought) => clusterOf(members, thought);
  const fresh = new Map(assignments.map(({ thought, cluster }) => [thought, cluster]));
  return (thought) => {
    const known = clusterOf(members, thought);
    return typeof known === 'number' ? known : (fresh.get(thought) ?? known);
  };
}
