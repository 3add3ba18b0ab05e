import { asText } from './fields.ts';
import type { JsonValue } from './json.ts';
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
  editedFrom?: number | undefined;
  /** The order among siblings, if the file states it; otherwise file order applies. */
  rank?: number | undefined;
}

/** Resolves parent ids to indexes in the list. */
export function linkParents(
  drafts: readonly NodeDraft[],
  parents: readonly (string | undefined)[],
  reporter: ImportReporter,
) {
  const indexById = new Map<string, number>();
  drafts.forEach(({ id }, index) => {
    if (id !== undefined && !indexById.has(id)) indexById.set(id, index);
  });
  drafts.forEach((draft, index) => {
    const id = parents[index];
    if (id === undefined) return;
    const parent = indexById.get(id);
    if (parent === undefined)
      reporter.noteProblem('The parent of a node is not in the file; it follows the root.', draft.id);
    else draft.parent = parent;
  });
  return indexById;
}

/**
 * Applies a node's list of children: their order, and their parent if they do not name one themselves.
 * Children missing from the list come last, in file order.
 */
export function rankChildren(
  drafts: readonly NodeDraft[],
  indexById: ReadonlyMap<string, number>,
  childrenOf: (index: number) => readonly JsonValue[] | undefined,
) {
  drafts.forEach((_, parent) => {
    childrenOf(parent)?.forEach((id, rank) => {
      const child = indexById.get(asText(id) ?? '');
      const draft = child === undefined ? undefined : drafts[child];
      if (draft === undefined || child === parent) return;
      draft.parent ??= parent;
      if (draft.parent === parent) draft.rank ??= rank;
    });
  });
}

export function linkEdits(
  drafts: readonly NodeDraft[],
  indexById: ReadonlyMap<string, number>,
  originals: readonly (string | undefined)[],
  reporter: ImportReporter,
) {
  drafts.forEach((draft, index) => {
    const original = originals[index];
    if (original === undefined) return;
    const originalIndex = indexById.get(original);
    if (originalIndex === undefined)
      reporter.noteProblem('The node a version was made from is not in the file.', draft.id);
    else draft.editedFrom = originalIndex;
  });
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
