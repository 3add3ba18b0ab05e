import { clusterOf, clustersOf, totalsOf } from './members.ts';
import type { ClusterRow, ClusterTable, ThoughtView, TimelineMoment } from './schema.ts';
import { activeSizes, activeThoughts, ageOf, isActive, type Thought, type ThoughtPool, thoughtOf } from './state.ts';

export function clusterTable(pool: ThoughtPool): ClusterTable {
  const sizes = activeSizes(pool);
  const rows = [...clustersOf(pool.members)].map((id) => clusterRow(pool, id, sizes.get(id) ?? 0));
  const activeClusters = activeThoughts(pool).map(({ id }) => clusterOf(pool.members, id));
  return {
    clusters: rows.sort((a, b) => b.active - a.active || b.last - a.last || a.id - b.id),
    noise: activeClusters.filter((cluster) => cluster === null).length,
    waiting: activeClusters.filter((cluster) => cluster === undefined).length,
  };
}

function clusterRow(pool: ThoughtPool, id: number, active: number): ClusterRow {
  const { count, first, last } = totalsOf(pool.members, id) ?? { count: 0, first: 0, last: 0 };
  const latest = thoughtOf(pool, last);
  return {
    id,
    active,
    total: count,
    first: thoughtOf(pool, first)?.iter ?? 0,
    last: latest?.iter ?? 0,
    label: shortLabel(latest?.text ?? ''),
  };
}

const LABEL_WORDS = 8;
const LABEL_CHARS = 60;

/** The first words, with an ellipsis if there are more. */
function shortLabel(text: string): string {
  const words = text.slice(0, 1000).trim().split(/\s+/);
  const start = words.slice(0, LABEL_WORDS).join(' ');
  const label = [...start].slice(0, LABEL_CHARS).join('');
  return label.length < start.length || words.length > LABEL_WORDS || text.length > 1000 ? `${label} …` : label;
}

/** The clusters of the latest thoughts over time, oldest iteration first. */
export function clusterTimeline(pool: ThoughtPool, latest: number): readonly TimelineMoment[] {
  const moments = new Map<number, { id: number; cluster: number | null }[]>();
  for (const { id, iter } of latestThoughts(pool, latest)) {
    const thoughts = moments.get(iter) ?? [];
    thoughts.push({ id, cluster: clusterOf(pool.members, id) ?? null });
    moments.set(iter, thoughts);
  }
  return [...moments].map(([iter, thoughts]) => ({ iter, thoughts })).sort((a, b) => a.iter - b.iter);
}

/**
 * Each cluster's share of the thoughts in some moments; the shares sum to less than one if some thoughts have no
 * cluster.
 */
export function clusterShares(moments: readonly TimelineMoment[]): ReadonlyMap<number, number> {
  const allThoughts = moments.flatMap(({ thoughts }) => thoughts);
  const counts = new Map<number, number>();
  for (const { cluster } of allThoughts) if (cluster !== null) counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
  return new Map([...counts].map(([cluster, count]) => [cluster, count / allThoughts.length]));
}

/** One thought with the iteration it came from. */
export function viewThought(pool: ThoughtPool, id: number, iter: number): ThoughtView | undefined {
  const thought = thoughtOf(pool, id);
  if (!thought) return undefined;
  const cluster = clusterOf(pool.members, id) ?? null;
  return { ...thought, age: ageOf(thought, iter), active: isActive(pool, id), cluster };
}

function latestThoughts(pool: ThoughtPool, count: number): readonly Thought[] {
  return pool.thoughts.slice(Math.max(0, pool.thoughts.length - count));
}
