import { asText } from './fields.ts';
import type { Value } from './json.ts';
import type { Reporter } from './report.ts';
import type { TreeNode } from './tree.ts';

type Nothing<T> = { readonly [K in keyof T]: T[K] | undefined };

/** A node as read: its parent by place in the list, which may be anywhere, itself included. */
export interface Draft extends Partial<Nothing<Omit<TreeNode, 'id' | 'parent' | 'editedFrom' | 'content' | 'kind'>>> {
  readonly content: string;
  readonly kind: TreeNode['kind'];
  readonly id?: string | undefined;
  parent?: number | undefined;
  editedFrom?: number | undefined;
  /** Its place among its siblings, where the file tells; else the order of the file. */
  rank?: number | undefined;
}

/** Every id that stands for a parent, made into its place in the list. */
export function linkParents(drafts: readonly Draft[], parents: readonly (string | undefined)[], reporter: Reporter) {
  const places = new Map<string, number>();
  drafts.forEach(({ id }, index) => {
    if (id !== undefined && !places.has(id)) places.set(id, index);
  });
  drafts.forEach((draft, index) => {
    const id = parents[index];
    if (id === undefined) return;
    const parent = places.get(id);
    if (parent === undefined)
      reporter.problem('The parent of a node is not in the file; it follows the root.', draft.id);
    else draft.parent = parent;
  });
  return places;
}

/**
 * What a node's list of children says: their order, and their parent where they do not name one themselves.
 * Those it forgets come last, as they stand in the file.
 */
export function rankChildren(
  drafts: readonly Draft[],
  places: ReadonlyMap<string, number>,
  childrenOf: (index: number) => readonly Value[] | undefined,
) {
  drafts.forEach((_, parent) => {
    childrenOf(parent)?.forEach((id, rank) => {
      const child = places.get(asText(id) ?? '');
      const draft = child === undefined ? undefined : drafts[child];
      if (draft === undefined || child === parent) return;
      draft.parent ??= parent;
      if (draft.parent === parent) draft.rank ??= rank;
    });
  });
}

export function linkEdits(
  drafts: readonly Draft[],
  places: ReadonlyMap<string, number>,
  originals: readonly (string | undefined)[],
  reporter: Reporter,
) {
  drafts.forEach((draft, index) => {
    const original = originals[index];
    if (original === undefined) return;
    const place = places.get(original);
    if (place === undefined) reporter.problem('The node a version was made from is not in the file.', draft.id);
    else draft.editedFrom = place;
  });
}

export function cutCircles(drafts: readonly Draft[], reporter: Reporter) {
  const seenIn = new Int32Array(drafts.length);
  drafts.forEach((_, start) => {
    let at: number | undefined = start;
    while (at !== undefined && seenIn[at] === 0) {
      seenIn[at] = start + 1;
      at = drafts[at]?.parent;
    }
    if (at === undefined || seenIn[at] !== start + 1) return;
    // Cut where the circle was met: the first of its nodes in the file, or the one a tail leads to.
    const draft = drafts[at] as Draft;
    draft.parent = undefined;
    reporter.problem('Nodes are each other’s parents in a circle; it was cut.', draft.id);
  });
}
