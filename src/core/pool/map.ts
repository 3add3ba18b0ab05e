import type { UnitVector } from './vectors.ts';

/** A point with both coordinates between -1 and 1. */
export interface MapPoint {
  readonly x: number;
  readonly y: number;
}

const ITERATIONS = 30;

/**
 * Projects vectors to a two-dimensional map: the two directions in which they differ most, found by power iteration
 * from a fixed start with a fixed number of rounds, so that equal vectors give equal maps. Call it with a few thousand
 * vectors at most.
 */
export function projectToMap(vectors: readonly UnitVector[]): readonly MapPoint[] {
  const width = vectors[0]?.length ?? 0;
  const mean = new Float64Array(width);
  for (const vector of vectors) for (let i = 0; i < width; i++) mean[i]! += (vector[i] as number) / vectors.length;
  const rows = vectors.map((vector) => Float64Array.from(mean, (value, i) => (vector[i] as number) - value));
  const xAxis = principalAxis(rows, width);
  const yAxis = principalAxis(rows, width, xAxis);
  const [xs, ys] = [rows.map((row) => dotProduct(row, xAxis)), rows.map((row) => dotProduct(row, yAxis))];
  // Both axes share one scale, so that distances are comparable.
  const scale = [...xs, ...ys].reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return xs.map((x, i) => ({ x: x / scale, y: (ys[i] as number) / scale }));
}

function principalAxis(rows: readonly Float64Array[], width: number, other?: Float64Array): Float64Array {
  // Any start vector works that has a part in every direction.
  let axis = normalize(Float64Array.from({ length: width }, (_, i) => 1 + ((i * 7919) % 101) / 101));
  for (let round = 0; round < ITERATIONS; round++) {
    const next = new Float64Array(width);
    for (const row of rows) {
      const projection = dotProduct(row, axis);
      for (let i = 0; i < width; i++) next[i]! += projection * (row[i] as number);
    }
    const overlap = other ? dotProduct(next, other) : 0;
    axis = normalize(other ? next.map((value, i) => value - overlap * (other[i] as number)) : next);
  }
  return orientAxis(axis);
}

/** Both directions of an axis are equivalent; this picks the one where the largest component is positive. */
function orientAxis(axis: Float64Array): Float64Array {
  const largest = axis.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
  return largest < 0 ? axis.map((value) => -value) : axis;
}

function normalize(axis: Float64Array): Float64Array {
  const length = Math.sqrt(dotProduct(axis, axis));
  return length === 0 ? axis : axis.map((value) => value / length);
}

function dotProduct(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
