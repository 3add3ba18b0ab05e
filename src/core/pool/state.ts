import { append, type GrowingList } from '../util/growing-list.ts';
import { type Assignment, addAssignment, clusterOf, type Members } from './members.ts';

export interface Thought {
  /** The thought's number in the thread, from 1. It is never reused, and others cite it. */
  readonly id: number;
  readonly iter: number;
  readonly text: string;
  readonly author: string;
}

/** All thoughts of a thread. The last `activeSize` are active (D23); the others are kept. */
export interface ThoughtPool {
  readonly activeSize: number;
  readonly thoughts: GrowingList<Thought>;
  readonly members: Members;
}

export const emptyPool: ThoughtPool = { activeSize: 50, thoughts: [], members: [] };

export function addThoughts(pool: ThoughtPool, thoughts: readonly Omit<Thought, 'id'>[]): ThoughtPool {
  let id = pool.thoughts.length;
  // Copies field by field: the input may have more fields, and the state must not keep them.
  const numbered = thoughts.map(({ iter, text, author }) => ({ id: ++id, iter, text, author }));
  return { ...pool, thoughts: append(pool.thoughts, ...numbered) };
}

/** Total: a missing thought, or one that already has a cluster, changes nothing. */
export function assign(pool: ThoughtPool, { thought, cluster }: Assignment): ThoughtPool {
  if (!thoughtOf(pool, thought)) return pool;
  const members = addAssignment(pool.members, { thought, cluster });
  return members === pool.members ? pool : { ...pool, members };
}

export function thoughtOf(pool: ThoughtPool, id: number): Thought | undefined {
  return id >= 1 ? pool.thoughts.at(id - 1) : undefined;
}

/** Active thoughts, in the order they were thought. */
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

/** Age in iterations (D24). */
export function ageOf(thought: Thought, iter: number): number {
  return iter - thought.iter;
}
