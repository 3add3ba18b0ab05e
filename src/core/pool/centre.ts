import { dot, ONE, SQUARE, type Vector } from './vectors.ts';

/** Where some vectors are together: their sum, in whole numbers, and so the same in whatever order they are added. */
export interface Centre {
  readonly vectors: readonly Vector[];
  readonly sum: Float64Array;
  readonly length: number;
  /** The mean likeness of two members, 1 for equal ones. */
  readonly likeness: number;
}

export function centreOf(vectors: readonly Vector[]): Centre {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (let i = 0; i < sum.length; i++) sum[i]! += vector[i] as number;
  return measured(vectors, sum);
}

/** The mean likeness of a vector to the members. */
export function likenessTo({ sum, vectors }: Centre, vector: Vector): number {
  return product(sum, vector) / (vectors.length * SQUARE);
}

/** The mean likeness of a member to the other members. */
export function likenessWithin({ sum, vectors }: Centre, member: Vector): number {
  return (product(sum, member) - dot(member, member)) / ((vectors.length - 1) * SQUARE);
}

export function cosineTo({ sum, length }: Centre, vector: Vector): number {
  return length === 0 ? 0 : product(sum, vector) / (length * ONE);
}

/** The mean likeness of a member of one to a member of the other. */
export function likenessOf(a: Centre, b: Centre): number {
  let total = 0;
  for (let i = 0; i < a.sum.length; i++) total += (a.sum[i] as number) * (b.sum[i] as number);
  return total / (a.vectors.length * b.vectors.length * SQUARE);
}

function measured(vectors: readonly Vector[], sum: Float64Array): Centre {
  const count = vectors.length;
  let squares = 0;
  for (const value of sum) squares += value * value;
  let own = 0;
  for (const vector of vectors) own += dot(vector, vector);
  return {
    vectors,
    sum,
    length: Math.sqrt(squares),
    likeness: count < 2 ? 1 : (squares - own) / (count * (count - 1) * SQUARE),
  };
}

/** Exact: sums of a window of vectors stay far below 2^53. */
function product(sum: Float64Array, vector: Vector): number {
  let total = 0;
  for (let i = 0; i < sum.length; i++) total += (sum[i] as number) * (vector[i] as number);
  return total;
}
