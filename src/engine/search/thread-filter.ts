import { isInArchive } from '../../core/threads/view/archive.ts';
import type { ThreadSummary } from '../../core/threads/view/schema.ts';
import type { SearchParams } from './search.ts';

type ReadSummary = (thread: string) => Promise<ThreadSummary | undefined>;

/** Selects texts by facts of their thread, each of which is read once per search. */
export function createThreadFilter({ thread: only, tag, archived }: SearchParams, readSummary: ReadSummary) {
  const isWantedByThread = new Map<string, Promise<boolean>>();

  /** A search in one thread finds its texts wherever the thread is. */
  async function decideThread(thread: string): Promise<boolean> {
    const row = await readSummary(thread);
    if (!row || (tag !== undefined && !row.tags?.includes(tag))) return false;
    return archived || only !== undefined || !(await isArchived(row));
  }

  async function isArchived(row: ThreadSummary): Promise<boolean> {
    const ancestors = new Map<string, ThreadSummary>();
    for (let next = row.side_of; next !== undefined && !ancestors.has(next); ) {
      const parent = await readSummary(next);
      if (!parent) break;
      ancestors.set(next, parent);
      next = parent.side_of;
    }
    return isInArchive(row, (id) => ancestors.get(id));
  }

  function isWanted(thread: string): Promise<boolean> {
    const decision = isWantedByThread.get(thread) ?? decideThread(thread);
    isWantedByThread.set(thread, decision);
    return decision;
  }

  return async <Text extends { readonly event: { readonly thread: string } }>(
    texts: readonly Text[],
  ): Promise<readonly Text[]> => {
    const wanted = await Promise.all(texts.map(({ event }) => isWanted(event.thread)));
    return texts.filter((_, i) => wanted[i]);
  };
}
