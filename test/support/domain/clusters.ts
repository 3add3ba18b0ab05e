import { type ClusterProposal, createClusterIndex } from '../../../src/core/pool/clusters.ts';
import { densityGroups } from '../../../src/core/pool/density.ts';
import { clusterOf } from '../../../src/core/pool/members.ts';
import { addThoughts, assign, emptyPool, type ThoughtPool } from '../../../src/core/pool/state.ts';
import { toUnitVector, type UnitVector } from '../../../src/core/pool/vectors.ts';
import { type SeededRandom, seededRandom } from '../../../src/core/util/random.ts';

const WIDTH = 384;

/** Vectors as an embedder might give them for thoughts on some topics, in the order they are thought. */
export interface Topics {
  readonly name: string;
  readonly vectors: readonly UnitVector[];
}

interface Shape {
  readonly name: string;
  /** For each topic how many thoughts, how far they stray from its centre, and in how many directions. */
  readonly topics: readonly { readonly size: number; readonly stray: number; readonly directions: number }[];
  readonly noise?: number;
  /** How much the centres have in common: 0.3 is the cosine between two of them. */
  readonly kinship?: number;
  /** One topic after the other instead of all at once. */
  readonly inTurn?: boolean;
}

/** Five sets that are hard in different ways. `size` is about how many thoughts each has. */
export function topicSets(size: number, seed: number): readonly Topics[] {
  const each = (count: number, shape: (i: number) => { size: number; stray: number; directions: number }) =>
    Array.from({ length: count }, (_, i) => shape(i));
  const even = Math.round(size / 12);
  const shapes: readonly Shape[] = [
    { name: 'akin', topics: each(12, () => ({ size: even, stray: 0.8, directions: WIDTH })), kinship: 0.4 },
    { name: 'a quarter noise', topics: each(9, () => ({ size: even, stray: 0.8, directions: 60 })), noise: 3 * even },
    {
      name: 'uneven sizes',
      topics: each(10, (i) => ({ size: Math.max(8, Math.round(size / 2 / 1.6 ** i)), stray: 0.8, directions: 100 })),
    },
    { name: 'uneven density', topics: each(12, (i) => ({ size: even, stray: 0.3 + 0.06 * i, directions: 60 })) },
    {
      name: 'one after the other, few directions',
      topics: each(12, () => ({ size: even, stray: 0.6, directions: 12 })),
      inTurn: true,
    },
  ];
  return shapes.map((shape, i) => ({ name: shape.name, vectors: drawTopics(shape, seed + i) }));
}

export function drawTopics(shape: Omit<Shape, 'name'>, seed: number): readonly UnitVector[] {
  const { topics, noise = 0, kinship = 0, inTurn } = shape;
  const chance = seededRandom(seed);
  const common = unit(chance);
  const drawn = topics.flatMap(({ size, stray, directions }) => {
    const own = unit(chance);
    const centre = own.map((value, i) => Math.sqrt(kinship) * (common[i] as number) + Math.sqrt(1 - kinship) * value);
    const axes = directions < WIDTH ? Array.from({ length: directions }, () => unit(chance)) : undefined;
    return Array.from({ length: size }, () => {
      const off = axes ? mixed(axes, chance) : Array.from({ length: WIDTH }, () => bell(chance) / Math.sqrt(WIDTH));
      return toUnitVector(centre.map((value, i) => value + stray * (off[i] as number)));
    });
  });
  for (let i = 0; i < noise; i++) drawn.push(toUnitVector(unit(chance)));
  if (inTurn) return drawn;
  for (let i = drawn.length - 1; i > 0; i--) {
    const other = chance.below(i + 1);
    [drawn[i], drawn[other]] = [drawn[other] as UnitVector, drawn[i] as UnitVector];
  }
  return drawn;
}

function mixed(axes: readonly (readonly number[])[], chance: SeededRandom): readonly number[] {
  const sum = new Array<number>(WIDTH).fill(0);
  for (const axis of axes) {
    const weight = bell(chance) / Math.sqrt(axes.length);
    axis.forEach((value, i) => {
      sum[i]! += weight * value;
    });
  }
  return sum;
}

function unit(chance: SeededRandom): readonly number[] {
  const values = Array.from({ length: WIDTH }, () => bell(chance));
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return values.map((value) => value / length);
}

/** Near enough to normal, and without logarithms, which machines round differently. */
function bell(chance: SeededRandom): number {
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += chance.below(2 ** 20) / 2 ** 20;
  return sum - 6;
}

/** One thought per iteration, each placed before the next comes. */
export function streamThoughts(
  vectors: readonly UnitVector[],
  activeSize = vectors.length,
  clusters = createClusterIndex(),
): ThoughtPool {
  let pool: ThoughtPool = { ...emptyPool, activeSize };
  for (let i = 1; i <= vectors.length; i++) {
    pool = addThoughts(pool, [{ iter: i, text: `thought ${i}`, author: 'mind' }]);
    pool = applyProposal(
      pool,
      clusters.step(pool, (thought) => vectors[thought - 1]),
    );
  }
  return pool;
}

export function applyProposal(pool: ThoughtPool, { assignments }: ClusterProposal): ThoughtPool {
  return assignments.reduce(assign, pool);
}

export function labelsOf(pool: ThoughtPool): readonly number[] {
  return Array.from({ length: pool.thoughts.length }, (_, i) => clusterOf(pool.members, i + 1) ?? 0);
}

/** Density clustering of everything at once; 0 is noise. */
export function fullDensity(vectors: readonly UnitVector[]): readonly number[] {
  const labels = new Array<number>(vectors.length).fill(0);
  densityGroups(vectors, { least: 5, neighbour: 4 }).forEach(({ points }, i) => {
    for (const point of points) labels[point] = i + 1;
  });
  return labels;
}

/** The adjusted Rand index: how far two groupings agree about pairs; 1 wholly, 0 as chance would. */
export function agreement(a: readonly number[], b: readonly number[]): number {
  const pairs = (count: number): number => (count * (count - 1)) / 2;
  const [rows, columns, cells] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  a.forEach((label, i) => {
    count(rows, `${label}`);
    count(columns, `${b[i]}`);
    count(cells, `${label} ${b[i]}`);
  });
  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, size) => total + pairs(size), 0);
  const [inRows, inColumns] = [sum(rows), sum(columns)];
  const expected = (inRows * inColumns) / pairs(a.length);
  const most = (inRows + inColumns) / 2;
  return most === expected ? 1 : (sum(cells) - expected) / (most - expected);
}
