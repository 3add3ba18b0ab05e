import type { ImportReporter } from './report.ts';
import type { TreeNode } from './tree.ts';

type OrUndefined<T> = { readonly [K in keyof T]: T[K] | undefined };

/** A node as read from a file. `parent` is an index in the list: any index, even the node's own. */
export interface NodeDraft
  extends Partial<OrUndefined<Omit<TreeNode, 'id' | 'parent' | 'editedFrom' | 'content' | 'kind'>>> {
  readonly content: string;
  readonly kind: TreeNode['kind'];
  readonly id?: string | undefined;
  parent?: number | undefined;
  /** The version it was made from, as the file names it; `linkEdits` finds its index. */
  readonly editedFromId?: string | undefined;
  editedFrom?: number | undefined;
  /** The order among siblings, if the file states it; otherwise file order applies. */
  rank?: number | undefined;
}

export function linkEdits(
  drafts: readonly NodeDraft[],
  indexById: ReadonlyMap<string, number>,
  reporter: ImportReporter,
) {
  for (const draft of drafts) {
    if (draft.editedFromId === undefined) continue;
    draft.editedFrom = indexById.get(draft.editedFromId);
    if (draft.editedFrom === undefined)
      reporter.noteProblem('The node a version was made from is not in the file.', draft.id);
  }
}

export function cutCycles(drafts: readonly NodeDraft[], reporter: ImportReporter) {
  const visitedFrom = new Int32Array(drafts.length);
  drafts.forEach((_, start) => {
    let current: number | undefined = start;
    while (current !== undefined && visitedFrom[current] === 0) {
      visitedFrom[current] = start + 1;
      current = drafts[current]?.parent;
    }
    if (current === undefined || visitedFrom[current] !== start + 1) return;
    // Cut the cycle where it was found: at its first node in the file, or at the node that a tail leads to.
    const draft = drafts[current] as NodeDraft;
    draft.parent = undefined;
    reporter.noteProblem('Nodes are each other’s parents in a circle; it was cut.', draft.id);
  });
}
