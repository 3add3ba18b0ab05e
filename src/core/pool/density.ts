/*
 * Density clustering in the manner of HDBSCAN (Campello, Moulavi, Sander): points are as far apart as they are or as
 * they are lonely, whichever is more; a minimum spanning tree over those distances is taken apart from its longest edge
 * down; of the groups that appear, those are kept that last longest.
 *
 * Distances are whole-number gaps until the very end and ties go to the earlier point, so the answer is the same
 * everywhere. The time is that of all pairs: call it for a neighbourhood, not for a pool.
 */
import { distanceOf, dot, SQUARE, type Vector } from './vectors.ts';

export interface DensityOptions {
  /** The fewest points that make a group. */
  readonly least: number;
  /** A point is as lonely as its distance to the neighbour of this rank. */
  readonly neighbour: number;
  /** Points further apart than this gap are never alike. Without it everything is one whole, which is no group. */
  readonly reach?: number;
  /** Gaps below this one are all the same: repeating a thought word for word makes no group of its own. */
  readonly blur?: number;
}

export interface Group {
  readonly points: readonly number[];
  /** The distance at which each of them would leave the group. */
  readonly leaves: readonly number[];
}

export function densityGroups(vectors: readonly Vector[], options: DensityOptions): readonly Group[] {
  const { least, neighbour, reach, blur = 1 } = options;
  if (vectors.length < Math.max(2, least)) return [];
  const edges = spanningTree(vectors, loneliness(vectors, neighbour), blur);
  const tree = mergers(vectors.length, edges);
  return reach === undefined
    ? pick(condense(tree, least, [tree.root], 0), false)
    : pick(condense(tree, least, tree.below(reach), 1 / distanceOf(reach)), true);
}

/** For each point the gap to its neighbour of the given rank. */
function loneliness(vectors: readonly Vector[], rank: number): Float64Array {
  const count = vectors.length;
  const kept = Math.max(1, Math.min(rank, count - 1));
  // The smallest gaps of each point so far, in order.
  const nearest = new Float64Array(count * kept).fill(Number.POSITIVE_INFINITY);
  const note = (point: number, gap: number): void => {
    let at = point * kept + kept - 1;
    if (gap >= (nearest[at] as number)) return;
    for (; at > point * kept && (nearest[at - 1] as number) > gap; at--) nearest[at] = nearest[at - 1] as number;
    nearest[at] = gap;
  };
  for (let i = 0; i < count; i++) {
    const vector = vectors[i] as Vector;
    for (let j = i + 1; j < count; j++) {
      const gap = SQUARE - dot(vector, vectors[j] as Vector);
      note(i, gap);
      note(j, gap);
    }
  }
  return Float64Array.from(vectors, (_, i) => nearest[i * kept + kept - 1] as number);
}

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly gap: number;
}

/** Prim's: the tree grows by the point nearest to it. */
function spanningTree(vectors: readonly Vector[], lonely: Float64Array, blur: number): Edge[] {
  const count = vectors.length;
  const best = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const by = new Int32Array(count);
  const outside = Int32Array.from({ length: count - 1 }, (_, i) => i + 1);
  const edges: Edge[] = [];
  let current = 0;
  for (let left = count - 1; left > 0; left--) {
    const vector = vectors[current] as Vector;
    const alone = Math.max(blur, lonely[current] as number);
    let next = 0;
    for (let k = 0; k < left; k++) {
      const j = outside[k] as number;
      const gap = Math.max(alone, lonely[j] as number, SQUARE - dot(vector, vectors[j] as Vector));
      if (gap < (best[j] as number)) {
        best[j] = gap;
        by[j] = current;
      }
      if (closer(best, j, outside[next] as number)) next = k;
    }
    current = outside[next] as number;
    outside[next] = outside[left - 1] as number;
    edges.push({ from: by[current] as number, to: current, gap: best[current] as number });
  }
  return edges;
}

function closer(best: Float64Array, a: number, b: number): boolean {
  const [x, y] = [best[a] as number, best[b] as number];
  return x < y || (x === y && a < b);
}

/** Points are 0 to count-1; the numbers after them are mergers of two, in the order of their gaps. */
interface Mergers {
  readonly count: number;
  readonly root: number;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly gap: Float64Array;
  readonly size: Int32Array;
  /** The largest parts in which nothing is joined over more than the gap. */
  below(gap: number): readonly number[];
  pointsOf(node: number): number[];
}

function mergers(count: number, edges: readonly Edge[]): Mergers {
  const sorted = edges.toSorted((a, b) => a.gap - b.gap || a.from - b.from || a.to - b.to);
  const all = 2 * count - 1;
  const [left, right, size] = [new Int32Array(all), new Int32Array(all), new Int32Array(all).fill(1)];
  const gap = new Float64Array(all);
  const parent = Int32Array.from({ length: all }, (_, i) => i);
  const topOf = (node: number): number => {
    let at = node;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at] as number] as number;
      at = parent[at] as number;
    }
    return at;
  };
  sorted.forEach((edge, i) => {
    const node = count + i;
    const [a, b] = [topOf(edge.from), topOf(edge.to)];
    left[node] = a;
    right[node] = b;
    gap[node] = edge.gap;
    size[node] = (size[a] as number) + (size[b] as number);
    parent[a] = node;
    parent[b] = node;
  });
  const root = all - 1;

  function walk(from: number, goOn: (node: number) => boolean): number[] {
    const ends: number[] = [];
    const open = [from];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node >= count && goOn(node)) open.push(right[node] as number, left[node] as number);
      else ends.push(node);
    }
    return ends;
  }

  return {
    ...{ count, root, left, right, gap, size },
    below: (most) => walk(root, (node) => (gap[node] as number) > most),
    pointsOf: (node) => walk(node, () => true),
  };
}

/** A group while the tree is taken apart. */
interface Stage {
  readonly parent: number;
  readonly whole: boolean;
  readonly born: number;
  readonly points: number[];
  readonly leaves: number[];
  /** How long its points stayed, added up. */
  stability: number;
}

/** From the tops down: a part too small to be a group leaves the one it was in; two large enough are new groups. */
function condense(tree: Mergers, least: number, tops: readonly number[], born: number): readonly Stage[] {
  const stages: Stage[] = [];
  const begin = (parent: number, whole: boolean, at: number): number =>
    stages.push({ parent, whole, born: at, points: [], leaves: [], stability: 0 }) - 1;
  const open: { node: number; stage: number }[] = [];
  for (const node of tops) {
    if ((tree.size[node] as number) >= least) open.push({ node, stage: begin(-1, true, born) });
  }
  for (let next = open.pop(); next; next = open.pop()) {
    const stage = stages[next.stage] as Stage;
    const distance = distanceOf(tree.gap[next.node] as number);
    const density = 1 / distance;
    const parts = [tree.left[next.node] as number, tree.right[next.node] as number];
    const large = parts.filter((part) => (tree.size[part] as number) >= least);
    for (const part of parts) {
      if (large.includes(part)) continue;
      for (const point of tree.pointsOf(part)) {
        stage.points.push(point);
        stage.leaves.push(distance);
        stage.stability += density - stage.born;
      }
    }
    if (large.length === 1) {
      open.push({ node: large[0] as number, stage: next.stage });
    } else {
      for (const node of large) {
        stage.stability += (density - stage.born) * (tree.size[node] as number);
        open.push({ node, stage: begin(next.stage, false, density) });
      }
    }
  }
  return stages;
}

/** A group is kept when it was more stable than all that came of it together. */
function pick(stages: readonly Stage[], wholesToo: boolean): readonly Group[] {
  const below = new Float64Array(stages.length);
  const kept = new Uint8Array(stages.length);
  for (let i = stages.length - 1; i >= 0; i--) {
    const stage = stages[i] as Stage;
    kept[i] = stage.stability >= (below[i] as number) && (wholesToo || !stage.whole) ? 1 : 0;
    if (stage.parent >= 0) below[stage.parent]! += kept[i] ? stage.stability : (below[i] as number);
  }
  // The highest kept one takes everything under it. Parents come before what came of them.
  const owner = new Int32Array(stages.length);
  const groups = new Map<number, { points: number[]; leaves: number[] }>();
  stages.forEach((stage, i) => {
    const above = stage.parent < 0 ? -1 : (owner[stage.parent] as number);
    owner[i] = above >= 0 ? above : kept[i] ? i : -1;
    if (owner[i] === -1) return;
    const group = groups.get(owner[i] as number) ?? { points: [], leaves: [] };
    groups.set(owner[i] as number, group);
    group.points.push(...stage.points);
    group.leaves.push(...stage.leaves);
  });
  return [...groups.values()];
}
