import { append, type GrowingList } from '../util/growing-list.ts';
import { type Assignment, addAssignment, clusterOf, type Members } from './members.ts';

export interface Thought {
  /** Its place in the thread, from 1: never given again, and what others cite. */
  readonly id: number;
  readonly iter: number;
  readonly text: string;
  readonly author: string;
}

/** All thoughts of a thread. The active ones are the last `activeSize` (D23); what is known of the others stays. */
export interface ThoughtPool {
  readonly activeSize: number;
  readonly thoughts: GrowingList<Thought>;
  readonly members: Members;
}

export const emptyPool: ThoughtPool = { activeSize: 50, thoughts: [], members: [] };

export function addThoughts(pool: ThoughtPool, thoughts: readonly Omit<Thought, 'id'>[]): ThoughtPool {
  let id = pool.thoughts.length;
  // Field by field: what is passed in may carry more, and a state holds no more than it says.
  const numbered = thoughts.map(({ iter, text, author }) => ({ id: ++id, iter, text, author }));
  return { ...pool, thoughts: append(pool.thoughts, ...numbered) };
}

/** Total: a thought that is not there, or already has its cluster, changes nothing. */
export function assign(pool: ThoughtPool, { thought, cluster }: Assignment): ThoughtPool {
  if (!thoughtOf(pool, thought)) return pool;
  const members = addAssignment(pool.members, { thought, cluster });
  return members === pool.members ? pool : { ...pool, members };
}

export function thoughtOf(pool: ThoughtPool, id: number): Thought | undefined {
  return id >= 1 ? pool.thoughts.at(id - 1) : undefined;
}

/** In the order they were thought. */
export function activeThoughts(pool: ThoughtPool): readonly Thought[] {
  return pool.thoughts.slice(Math.max(0, pool.thoughts.length - pool.activeSize));
}

export function isActive(pool: ThoughtPool, thought: number): boolean {
  return thought > pool.thoughts.length - pool.activeSize && thought <= pool.thoughts.length;
}

/** How many active thoughts each cluster has. */
export function activeSizes(pool: ThoughtPool): ReadonlyMap<number, number> {
  const sizes = new Map<number, number>();
  for (const { id } of activeThoughts(pool)) {
    const cluster = clusterOf(pool.members, id);
    if (typeof cluster === 'number') sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1);
  }
  return sizes;
}

/** Counted in iterations (D24). */
export function ageOf(thought: Thought, iter: number): number {
  return iter - thought.iter;
}
