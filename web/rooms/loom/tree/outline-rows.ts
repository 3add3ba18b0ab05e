import { TREE_FLAGS } from '../../../../src/core/loom/tree.ts';
import type { TreeView } from '../../../../src/core/loom/view-schema.ts';
import { layoutTree } from './layout.ts';

export interface OutlineRow {
  readonly place: number;
  readonly depth: number;
  readonly isOnPath: boolean;
  /** How many branches follow that the row can show or hide; none on the path, where they always show. */
  readonly hidden: number;
  readonly isOpen: boolean;
  /** Among the branches at the last branch point of the path, counted from 1: the key that chooses it. */
  readonly number?: number;
}

type OutlineTree = Pick<TreeView, 'parent' | 'flags' | 'path'> & Partial<Pick<TreeView, 'shares'>>;

/**
 * The tree as lines of text: the path down the left edge; below each of its nodes the branches that were not taken,
 * indented; what follows those only where it was opened.
 */
export function outlineRows(tree: OutlineTree, root: number, opened: ReadonlySet<number>): OutlineRow[] {
  const { parent, row: level } = layoutTree(tree, root);
  const childrenByPlace = new Map<number, number[]>();
  for (let place = 1; place < parent.length; place++) {
    if (level[place]! < 0 || place === root) continue;
    const siblings = childrenByPlace.get(parent[place]!);
    if (siblings) siblings.push(place);
    else childrenByPlace.set(parent[place]!, [place]);
  }
  const childrenOf = (place: number) => childrenByPlace.get(place) ?? [];
  const isOnPath = (place: number) => place > 0 && (tree.flags[place - 1]! & TREE_FLAGS.onPath) !== 0;
  const lastBranchPoint = tree.path.findLast((place) => childrenOf(parent[place]!).length > 1);
  const numbered = lastBranchPoint === undefined ? [] : childrenOf(parent[lastBranchPoint]!);
  const rows: OutlineRow[] = [];

  function addRow(place: number, depth: number): void {
    const number = numbered.indexOf(place) + 1;
    const isPath = isOnPath(place);
    rows.push({
      place,
      depth,
      isOnPath: isPath,
      hidden: isPath ? 0 : childrenOf(place).length,
      isOpen: opened.has(place),
      ...(number > 0 && number < 10 && { number }),
    });
  }

  /** Branches off the path, without recursion: a loom can be very deep. */
  function addBranch(first: number, firstDepth: number): void {
    const pending = [{ place: first, depth: firstDepth }];
    for (let next = pending.pop(); next; next = pending.pop()) {
      addRow(next.place, next.depth);
      if (!opened.has(next.place)) continue;
      const children = childrenOf(next.place);
      // A text that only goes on stays at its depth.
      const depth = children.length > 1 ? next.depth + 1 : next.depth;
      for (const place of children.toReversed()) pending.push({ place, depth });
    }
  }

  if (root > 0) addRow(root, 0);
  for (let place: number | undefined = root; place !== undefined; ) {
    const children: number[] = childrenOf(place);
    const next: number | undefined = children.find(isOnPath);
    for (const child of children) if (child !== next) addBranch(child, 1);
    if (next !== undefined) addRow(next, 0);
    place = next;
  }
  return rows;
}
