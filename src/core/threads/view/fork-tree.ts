import type { ThreadSummary } from './view.ts';

/** The thread that a thread's forks go back to, and all that go back to it, parents first. */
export function familyOf(rows: readonly ThreadSummary[], thread: string): readonly ThreadSummary[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  let root = byId.get(thread);
  for (let up = root; up; up = up.forked_from && byId.get(up.forked_from.thread)) root = up;
  const children = Map.groupBy(rows, ({ forked_from }) => forked_from?.thread);
  const found: ThreadSummary[] = root ? [root] : [];
  for (let i = 0; i < found.length; i++) found.push(...(children.get((found[i] as ThreadSummary).id) ?? []));
  return found;
}
