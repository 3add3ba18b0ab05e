import type { ThreadRow } from '../../src/client/index.ts';
import { createStore } from '../data/store.ts';

/** The kinds of threads that the inbox leaves out, until the page is loaded again. */
export const hiddenKinds = createStore<ReadonlySet<string>>(new Set());

export function toggleKind(kind: string): void {
  hiddenKinds.set((hidden) => {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    return next;
  });
}

/** Something that belongs to no thread, such as the budget of the workspace, is always shown. */
export function isShownKind(hidden: ReadonlySet<string>, row: Pick<ThreadRow, 'kind'> | undefined): boolean {
  return row === undefined || !hidden.has(row.kind);
}
