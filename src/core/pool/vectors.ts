/**
 * The embedding of a text: a vector of length one in steps of 1/32767. The values are whole numbers, because their sums
 * and products are exact: in any order and on any machine, equal thoughts get equal clusters. They are stored as floats
 * because those multiply fastest.
 */
export type UnitVector = Float32Array;

export const SCALE = 32767;

/** The dot product of two equal vectors. */
export const SCALE_SQUARED = SCALE * SCALE;

export function toUnitVector(values: ArrayLike<number>): UnitVector {
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] as number) ** 2;
  const length = Math.sqrt(squares);
  const vector = new Float32Array(values.length);
  if (!(length > 0 && Number.isFinite(length))) return vector;
  for (let i = 0; i < values.length; i++) vector[i] = Math.round(((values[i] as number) / length) * SCALE);
  return vector;
}

/** Exact, as everything stays far below 2^53. Handles four at a time, which accounts for most of the pool's speed. */
export function dot(a: UnitVector, b: UnitVector): number {
  const whole = b.length & ~3;
  let p = 0;
  let q = 0;
  let r = 0;
  let s = 0;
  let i = 0;
  for (; i < whole; i += 4) {
    p += (a[i] as number) * (b[i] as number);
    q += (a[i + 1] as number) * (b[i + 1] as number);
    r += (a[i + 2] as number) * (b[i + 2] as number);
    s += (a[i + 3] as number) * (b[i + 3] as number);
  }
  for (; i < b.length; i++) p += (a[i] as number) * (b[i] as number);
  return p + q + r + s;
}

/** The gap between two vectors: a whole number that grows with the angle between them, 0 for equal ones. */
export function gapOf(a: UnitVector, b: UnitVector): number {
  return Math.max(0, SCALE_SQUARED - dot(a, b));
}

/** The Euclidean distance, 0 to 2, that corresponds to a gap. */
export function distanceOf(gap: number): number {
  return Math.sqrt((2 * gap) / SCALE_SQUARED);
}
