import { dot, SCALE, SCALE_SQUARED, type UnitVector } from './vectors.ts';

/** The centre of some vectors: their sum in whole numbers, which is the same in any order of addition. */
export interface Centre {
  readonly vectors: readonly UnitVector[];
  readonly sum: Float64Array;
  readonly length: number;
  /** The mean similarity of two members; 1 for equal ones. */
  readonly similarity: number;
}

export function centreOf(vectors: readonly UnitVector[]): Centre {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (let i = 0; i < sum.length; i++) sum[i]! += vector[i] as number;
  return buildCentre(vectors, sum);
}

/** The mean similarity of a vector to the members. */
export function similarityTo({ sum, vectors }: Centre, vector: UnitVector): number {
  return sumProduct(sum, vector) / (vectors.length * SCALE_SQUARED);
}

/** The mean similarity of a member to the other members. */
export function similarityWithin({ sum, vectors }: Centre, member: UnitVector): number {
  return (sumProduct(sum, member) - dot(member, member)) / ((vectors.length - 1) * SCALE_SQUARED);
}

export function cosineTo({ sum, length }: Centre, vector: UnitVector): number {
  return length === 0 ? 0 : sumProduct(sum, vector) / (length * SCALE);
}

/** The mean similarity of a member of `a` to a member of `b`. */
export function similarityBetween(a: Centre, b: Centre): number {
  let total = 0;
  for (let i = 0; i < a.sum.length; i++) total += (a.sum[i] as number) * (b.sum[i] as number);
  return total / (a.vectors.length * b.vectors.length * SCALE_SQUARED);
}

function buildCentre(vectors: readonly UnitVector[], sum: Float64Array): Centre {
  const count = vectors.length;
  let squares = 0;
  for (const value of sum) squares += value * value;
  let selfProducts = 0;
  for (const vector of vectors) selfProducts += dot(vector, vector);
  return {
    vectors,
    sum,
    length: Math.sqrt(squares),
    similarity: count < 2 ? 1 : (squares - selfProducts) / (count * (count - 1) * SCALE_SQUARED),
  };
}

/** Exact: sums of a window of vectors stay far below 2^53. */
function sumProduct(sum: Float64Array, vector: UnitVector): number {
  let total = 0;
  for (let i = 0; i < sum.length; i++) total += (sum[i] as number) * (vector[i] as number);
  return total;
}
