import type { Vector } from './vectors.ts';

/** A point between -1 and 1 both ways. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const ROUNDS = 30;

/**
 * A map in two dimensions: the two directions in which the vectors differ most, found by power iteration from a fixed
 * start with a fixed number of rounds, so that equal vectors give equal maps. Give it a few thousand at most.
 */
export function mapOf(vectors: readonly Vector[]): readonly Point[] {
  const width = vectors[0]?.length ?? 0;
  const middle = new Float64Array(width);
  for (const vector of vectors) for (let i = 0; i < width; i++) middle[i]! += (vector[i] as number) / vectors.length;
  const rows = vectors.map((vector) => Float64Array.from(middle, (value, i) => (vector[i] as number) - value));
  const across = direction(rows, width);
  const up = direction(rows, width, across);
  const [xs, ys] = [rows.map((row) => product(row, across)), rows.map((row) => product(row, up))];
  // One scale for both, or distances would mean something else in each.
  const scale = [...xs, ...ys].reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return xs.map((x, i) => ({ x: x / scale, y: (ys[i] as number) / scale }));
}

function direction(rows: readonly Float64Array[], width: number, other?: Float64Array): Float64Array {
  // Anything will do that leans a little towards every side.
  let axis = unit(Float64Array.from({ length: width }, (_, i) => 1 + ((i * 7919) % 101) / 101));
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(width);
    for (const row of rows) {
      const along = product(row, axis);
      for (let i = 0; i < width; i++) next[i]! += along * (row[i] as number);
    }
    const shared = other ? product(next, other) : 0;
    axis = unit(other ? next.map((value, i) => value - shared * (other[i] as number)) : next);
  }
  return faced(axis);
}

/** Both ways along an axis are as good: the one where its largest part is positive. */
function faced(axis: Float64Array): Float64Array {
  const largest = axis.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
  return largest < 0 ? axis.map((value) => -value) : axis;
}

function unit(axis: Float64Array): Float64Array {
  const length = Math.sqrt(product(axis, axis));
  return length === 0 ? axis : axis.map((value) => value / length);
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
