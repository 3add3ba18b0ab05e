/*
 * Density clustering in the manner of HDBSCAN (Campello, Moulavi, Sander). The distance of two points is the largest of
 * their actual distance and the core distances of both. A minimum spanning tree over those distances is split from its
 * longest edge down; of the groups that appear, the most stable ones are kept.
 *
 * Distances are whole-number gaps until the very end and ties go to the earlier point, so the result is the same
 * everywhere. The time is quadratic: call it for a neighbourhood, not for a whole pool.
 */
import { distanceOf, dot, SCALE_SQUARED, type UnitVector } from './vectors.ts';

export interface DensityOptions {
  /** The minimum size of a group. */
  readonly least: number;
  /** The core distance of a point is its distance to the neighbour of this rank. */
  readonly neighbour: number;
  /**
   * Points further apart than this gap never belong together. Without it all points form one whole, which is not a
   * group.
   */
  readonly reach?: number;
  /** Gaps below this one count as equal: repeating a thought word for word makes no group of its own. */
  readonly blur?: number;
}

export interface DensityGroup {
  readonly points: readonly number[];
  /** The distance at which each point would leave the group. */
  readonly leaves: readonly number[];
}

export function densityGroups(vectors: readonly UnitVector[], options: DensityOptions): readonly DensityGroup[] {
  const { least, neighbour, reach, blur = 1 } = options;
  if (vectors.length < Math.max(2, least)) return [];
  const edges = spanningTree(vectors, coreGapsOf(vectors, neighbour), blur);
  const tree = buildMergeTree(vectors.length, edges);
  return reach === undefined
    ? selectStable(condense(tree, least, [tree.root], 0), false)
    : selectStable(condense(tree, least, tree.below(reach), 1 / distanceOf(reach)), true);
}

/** For each point the gap to its neighbour of the given rank. */
function coreGapsOf(vectors: readonly UnitVector[], rank: number): Float64Array {
  const count = vectors.length;
  const neighbourCount = Math.max(1, Math.min(rank, count - 1));
  // The smallest gaps of each point so far, in order.
  const nearest = new Float64Array(count * neighbourCount).fill(Number.POSITIVE_INFINITY);
  const recordGap = (point: number, gap: number): void => {
    let at = point * neighbourCount + neighbourCount - 1;
    if (gap >= (nearest[at] as number)) return;
    for (; at > point * neighbourCount && (nearest[at - 1] as number) > gap; at--)
      nearest[at] = nearest[at - 1] as number;
    nearest[at] = gap;
  };
  for (let i = 0; i < count; i++) {
    const vector = vectors[i] as UnitVector;
    for (let j = i + 1; j < count; j++) {
      const gap = SCALE_SQUARED - dot(vector, vectors[j] as UnitVector);
      recordGap(i, gap);
      recordGap(j, gap);
    }
  }
  return Float64Array.from(vectors, (_, i) => nearest[i * neighbourCount + neighbourCount - 1] as number);
}

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly gap: number;
}

/** Prim's algorithm: each step adds the point nearest to the tree. */
function spanningTree(vectors: readonly UnitVector[], coreGaps: Float64Array, blur: number): Edge[] {
  const count = vectors.length;
  const best = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const nearestInTree = new Int32Array(count);
  const outside = Int32Array.from({ length: count - 1 }, (_, i) => i + 1);
  const edges: Edge[] = [];
  let current = 0;
  for (let left = count - 1; left > 0; left--) {
    const vector = vectors[current] as UnitVector;
    const minGap = Math.max(blur, coreGaps[current] as number);
    let next = 0;
    for (let k = 0; k < left; k++) {
      const j = outside[k] as number;
      const gap = Math.max(minGap, coreGaps[j] as number, SCALE_SQUARED - dot(vector, vectors[j] as UnitVector));
      if (gap < (best[j] as number)) {
        best[j] = gap;
        nearestInTree[j] = current;
      }
      if (isCloser(best, j, outside[next] as number)) next = k;
    }
    current = outside[next] as number;
    outside[next] = outside[left - 1] as number;
    edges.push({ from: nearestInTree[current] as number, to: current, gap: best[current] as number });
  }
  return edges;
}

function isCloser(best: Float64Array, a: number, b: number): boolean {
  const [x, y] = [best[a] as number, best[b] as number];
  return x < y || (x === y && a < b);
}

/** Nodes 0 to count-1 are points; the following ones are mergers of two nodes, ordered by gap. */
interface MergeTree {
  readonly count: number;
  readonly root: number;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly gap: Float64Array;
  readonly size: Int32Array;
  /** The largest subtrees without a merger over more than `gap`. */
  below(gap: number): readonly number[];
  pointsOf(node: number): number[];
}

function buildMergeTree(count: number, edges: readonly Edge[]): MergeTree {
  const sorted = edges.toSorted((a, b) => a.gap - b.gap || a.from - b.from || a.to - b.to);
  const total = 2 * count - 1;
  const [left, right, size] = [new Int32Array(total), new Int32Array(total), new Int32Array(total).fill(1)];
  const gap = new Float64Array(total);
  const parent = Int32Array.from({ length: total }, (_, i) => i);
  const rootOf = (node: number): number => {
    let at = node;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at] as number] as number;
      at = parent[at] as number;
    }
    return at;
  };
  sorted.forEach((edge, i) => {
    const node = count + i;
    const [a, b] = [rootOf(edge.from), rootOf(edge.to)];
    left[node] = a;
    right[node] = b;
    gap[node] = edge.gap;
    size[node] = (size[a] as number) + (size[b] as number);
    parent[a] = node;
    parent[b] = node;
  });
  const root = total - 1;

  function walk(from: number, shouldDescend: (node: number) => boolean): number[] {
    const result: number[] = [];
    const stack = [from];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (node >= count && shouldDescend(node)) stack.push(right[node] as number, left[node] as number);
      else result.push(node);
    }
    return result;
  }

  return {
    ...{ count, root, left, right, gap, size },
    below: (maxGap) => walk(root, (node) => (gap[node] as number) > maxGap),
    pointsOf: (node) => walk(node, () => true),
  };
}

/** A group that appears while the tree is split. */
interface CondensedGroup {
  readonly parent: number;
  readonly whole: boolean;
  readonly born: number;
  readonly points: number[];
  readonly leaves: number[];
  /** The sum of how long its points stayed in the group. */
  stability: number;
}

/**
 * Works from the top down: a part too small to be a group leaves its group; two parts that are large enough become new
 * groups.
 */
function condense(tree: MergeTree, least: number, tops: readonly number[], born: number): readonly CondensedGroup[] {
  const stages: CondensedGroup[] = [];
  const addStage = (parent: number, whole: boolean, at: number): number =>
    stages.push({ parent, whole, born: at, points: [], leaves: [], stability: 0 }) - 1;
  const stack: { node: number; stage: number }[] = [];
  for (const node of tops) {
    if ((tree.size[node] as number) >= least) stack.push({ node, stage: addStage(-1, true, born) });
  }
  for (let next = stack.pop(); next; next = stack.pop()) {
    const stage = stages[next.stage] as CondensedGroup;
    const distance = distanceOf(tree.gap[next.node] as number);
    const density = 1 / distance;
    const parts = [tree.left[next.node] as number, tree.right[next.node] as number];
    const largeParts = parts.filter((part) => (tree.size[part] as number) >= least);
    for (const part of parts) {
      if (largeParts.includes(part)) continue;
      for (const point of tree.pointsOf(part)) {
        stage.points.push(point);
        stage.leaves.push(distance);
        stage.stability += density - stage.born;
      }
    }
    if (largeParts.length === 1) {
      stack.push({ node: largeParts[0] as number, stage: next.stage });
    } else {
      for (const node of largeParts) {
        stage.stability += (density - stage.born) * (tree.size[node] as number);
        stack.push({ node, stage: addStage(next.stage, false, density) });
      }
    }
  }
  return stages;
}

/** Keeps a group if it was more stable than all its descendants together. */
function selectStable(stages: readonly CondensedGroup[], includeWholes: boolean): readonly DensityGroup[] {
  const childStability = new Float64Array(stages.length);
  const selected = new Uint8Array(stages.length);
  for (let i = stages.length - 1; i >= 0; i--) {
    const stage = stages[i] as CondensedGroup;
    selected[i] = stage.stability >= (childStability[i] as number) && (includeWholes || !stage.whole) ? 1 : 0;
    if (stage.parent >= 0)
      childStability[stage.parent]! += selected[i] ? stage.stability : (childStability[i] as number);
  }
  // The highest kept group takes all points below it. Parents come before their children.
  const owner = new Int32Array(stages.length);
  const groups = new Map<number, { points: number[]; leaves: number[] }>();
  stages.forEach((stage, i) => {
    const ancestor = stage.parent < 0 ? -1 : (owner[stage.parent] as number);
    owner[i] = ancestor >= 0 ? ancestor : selected[i] ? i : -1;
    if (owner[i] === -1) return;
    const group = groups.get(owner[i] as number) ?? { points: [], leaves: [] };
    groups.set(owner[i] as number, group);
    group.points.push(...stage.points);
    group.leaves.push(...stage.leaves);
  });
  return [...groups.values()];
}
