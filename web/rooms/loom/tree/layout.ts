import { TREE_FLAGS } from '../../../../src/core/loom/tree.ts';
import type { TreeView } from '../../../../src/core/loom/view-schema.ts';

/*
 * Where the places of a tree are drawn: a row for each step from the root, a
 * lane for each leaf; a place is in the middle between its first and its last
 * child. Places are numbered from 1, parents before children, so a few passes
 * over arrays suffice.
 * Children shared after a split or a merge are drawn below the place on the
 * path; in that case the order is computed first.
 */
export interface TreeLayout {
  /** Places shown, and how many lanes and rows they take. */
  readonly count: number;
  readonly lanes: number;
  readonly depth: number;
  /** By place, 0 for the root. A lane of -1 is not shown. */
  readonly lane: Float64Array;
  readonly row: Int32Array;
  readonly parent: Int32Array;
  /** Places by row, each row in the order of its lanes. */
  readonly rowStart: Int32Array;
  readonly rowPlaces: Int32Array;
}

const [ON_PATH, PRUNED] = [TREE_FLAGS.onPath, TREE_FLAGS.pruned];

type TreePlaces = Pick<TreeView, 'parent' | 'flags'> & Partial<Pick<TreeView, 'shares'>>;

/** Lays out only what follows `root`. */
export function layoutTree(tree: TreePlaces, root = 0): TreeLayout {
  const size = tree.parent.length + 1;
  const { parent, order } = parentsOf(tree);
  const row = new Int32Array(size).fill(-1);
  const leaves = new Int32Array(size);
  parent[root] = -1;
  row[root] = 0;
  let [count, depth] = [0, 0];
  for (const place of order) {
    if (place === root) continue;
    const parentPlace = parent[place]!;
    if (row[parentPlace]! < 0 || tree.flags[place - 1]! & PRUNED) continue;
    row[place] = row[parentPlace]! + 1;
    depth = Math.max(depth, row[place]!);
    count++;
  }
  for (const place of order.toReversed()) {
    if (row[place]! < 0) continue;
    leaves[place] ||= 1;
    if (place !== root) leaves[parent[place]!]! += leaves[place]!;
  }
  leaves[root] ||= 1;
  const lane = lanesOf(parent, order, row, leaves, root);
  return { count, lanes: leaves[root]!, depth, lane, row, parent, ...rowsOf(row, lane, depth) };
}

/** The place each one is drawn below (0 for the root), and all places in an order with parents before children. */
function parentsOf({ parent: parents, flags, shares = [] }: TreePlaces): { parent: Int32Array; order: Int32Array } {
  const parent = Int32Array.from([-1, ...parents]);
  const order = Int32Array.from({ length: parents.length }, (_, i) => i + 1);
  const replacements = new Map<number, number>();
  for (const { place, with: shared } of shares) if (flags[place - 1]! & ON_PATH) replacements.set(shared, place);
  if (replacements.size === 0) return { parent, order };
  for (const place of order) parent[place] = replacements.get(parent[place]!) ?? parent[place]!;
  const children = new Map<number, number[]>();
  for (const place of order) {
    const siblings = children.get(parent[place]!);
    if (siblings) siblings.push(place);
    else children.set(parent[place]!, [place]);
  }
  const ordered = [0];
  for (let i = 0; i < ordered.length; i++) for (const child of children.get(ordered[i]!) ?? []) ordered.push(child);
  return { parent, order: Int32Array.from(ordered.slice(1)) };
}

function lanesOf(
  parent: Int32Array,
  order: Int32Array,
  row: Int32Array,
  leaves: Int32Array,
  root: number,
): Float64Array {
  const lane = new Float64Array(row.length).fill(-1);
  const usedLanes = new Int32Array(row.length);
  lane[root] = 0;
  for (const place of order) {
    if (row[place]! < 0 || place === root) continue;
    const parentPlace = parent[place]!;
    lane[place] = lane[parentPlace]! + usedLanes[parentPlace]!;
    usedLanes[parentPlace]! += leaves[place]!;
  }
  // From the leaves back: each place between its first and its last child.
  const first = new Float64Array(row.length).fill(-1);
  const last = new Float64Array(row.length);
  const settle = (place: number) => {
    if (first[place]! >= 0) lane[place] = (first[place]! + last[place]!) / 2;
  };
  for (let at = order.length - 1; at >= 0; at--) {
    const place = order[at]!;
    if (row[place]! < 0 || place === root) continue;
    settle(place);
    const parentPlace = parent[place]!;
    if (first[parentPlace]! < 0) last[parentPlace] = lane[place]!;
    first[parentPlace] = lane[place]!;
  }
  settle(root);
  return lane;
}

function rowsOf(row: Int32Array, lane: Float64Array, depth: number) {
  const rowStart = new Int32Array(depth + 2);
  for (let place = 0; place < row.length; place++) if (row[place]! >= 0) rowStart[row[place]! + 1]!++;
  for (let at = 1; at < rowStart.length; at++) rowStart[at]! += rowStart[at - 1]!;
  const next = rowStart.slice();
  const rowPlaces = new Int32Array(rowStart.at(-1)!);
  for (let place = 0; place < row.length; place++) if (row[place]! >= 0) rowPlaces[next[row[place]!]!++] = place;
  for (let at = 0; at <= depth; at++) {
    const part = rowPlaces.subarray(rowStart[at]!, rowStart[at + 1]!);
    if (part.length > 1) part.sort((a, b) => lane[a]! - lane[b]!);
  }
  return { rowStart, rowPlaces };
}

/** The places of a row whose lane is between two, ends included. */
export function placesInRow(
  { rowStart, rowPlaces, lane }: TreeLayout,
  row: number,
  from: number,
  to: number,
): Int32Array {
  const end = rowStart[row + 1] ?? 0;
  let [low, high] = [rowStart[row] ?? 0, end];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lane[rowPlaces[middle]!]! < from) low = middle + 1;
    else high = middle;
  }
  let last = low;
  while (last < end && lane[rowPlaces[last]!]! <= to) last++;
  return rowPlaces.subarray(low, last);
}

/** The place nearest to a point, within a lane and a row of it. */
export function placeNear(layout: TreeLayout, lane: number, row: number): number | undefined {
  let [best, distance] = [undefined as number | undefined, 1];
  for (const at of [Math.round(row), Math.floor(row), Math.ceil(row)]) {
    if (at < 0 || at > layout.depth) continue;
    for (const place of placesInRow(layout, at, Math.floor(lane) - 1, Math.ceil(lane) + 1)) {
      const away = Math.hypot(layout.lane[place]! - lane, at - row);
      if (away < distance) [best, distance] = [place, away];
    }
  }
  return best;
}
