import { asText } from './fields.ts';
import type { JsonValue } from './json.ts';
import type { ImportReporter } from './report.ts';
import type { TreeNode } from './tree.ts';

type OrUndefined<T> = { readonly [K in keyof T]: T[K] | undefined };

/** A node as read: its parent by place in the list, which may be anywhere, itself included. */
export interface NodeDraft
  extends Partial<OrUndefined<Omit<TreeNode, 'id' | 'parent' | 'editedFrom' | 'content' | 'kind'>>> {
  readonly content: string;
  readonly kind: TreeNode['kind'];
  readonly id?: string | undefined;
  parent?: number | undefined;
  editedFrom?: number | undefined;
  /** Its place among its siblings, where the file tells; else the order of the file. */
  rank?: number | undefined;
}

/** Every id that stands for a parent, made into its place in the list. */
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
 * What a node's list of children says: their order, and their parent where they do not name one themselves.
 * Those it forgets come last, as they stand in the file.
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
    // Cut where the circle was met: the first of its nodes in the file, or the one a tail leads to.
    const draft = drafts[current] as NodeDraft;
    draft.parent = undefined;
    reporter.noteProblem('Nodes are each other’s parents in a circle; it was cut.', draft.id);
  });
}
