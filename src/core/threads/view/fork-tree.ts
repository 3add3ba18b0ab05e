import type { ThreadSummary } from './schema.ts';

/** The root of a thread's forks and all threads forked from it, parents first. */
export function forkTreeOf(rows: readonly ThreadSummary[], thread: string): readonly ThreadSummary[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  let root = byId.get(thread);
  for (let parent = root; parent; parent = parent.forked_from && byId.get(parent.forked_from.thread)) root = parent;
  const children = Map.groupBy(rows, ({ forked_from }) => forked_from?.thread);
  const tree: ThreadSummary[] = root ? [root] : [];
  for (let i = 0; i < tree.length; i++) tree.push(...(children.get((tree[i] as ThreadSummary).id) ?? []));
  return tree;
}
