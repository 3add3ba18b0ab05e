/*
 * How real numbers become the integers the kernel multiplies, and how the results are scaled back.
 *
 * A row of weights is 16-bit integers times one scale. A vector is split in two: `high · step + low`, both 16-bit,
 * times one scale, so that it keeps some twenty bits although each half is small. The halves must be small because
 * sums are 32-bit: by Cauchy and Schwarz |Σ w·x| ≤ ‖w‖·‖x‖, so a half no longer than 2³¹ ÷ (the longest row) cannot
 * overflow.
 */

export const LARGEST_16 = 32_767;
export const LARGEST_8 = 127;

/** Writes the numbers starting at `from` as integers no larger than `largest`, and returns the value of one unit. */
export function quantise(
  values: Float32Array | Float64Array,
  from: number,
  into: Int16Array | Int8Array,
  largest: number,
): number {
  let largestValue = 0;
  for (let i = 0; i < into.length; i++) largestValue = Math.max(largestValue, Math.abs(values[from + i]!));
  if (largestValue === 0) largestValue = 1;
  const scale = largest / largestValue;
  for (let i = 0; i < into.length; i++) into[i] = nearest(values[from + i]! * scale);
  return largestValue / largest;
}

/** How to split a vector so that its product with given rows does not overflow. */
export interface Split {
  readonly count: number;
  /** No half of a vector may be longer than this. */
  readonly limit: number;
  /** The value of one unit of the high half in units of the low one: a power of two. */
  readonly step: number;
}

export function splitFor(count: number, longestRow: number): Split {
  const limit = Math.min(LARGEST_16, (2 ** 31 - 1) / Math.max(longestRow, 1));
  const step = 2 ** (Math.floor(Math.log2(limit / Math.sqrt(count))) + 1);
  if (step < 2) throw new Error(`Rows of ${count} weights as long as ${longestRow} leave no room for a vector.`);
  return { count, limit, step };
}

/**
 * Writes the high half at `start` and the low half `count` places later; returns the value of one unit of the low
 * half.
 */
export function split(
  values: Float64Array,
  from: number,
  { count, limit, step }: Split,
  into: Int16Array,
  start: number,
): number {
  let squares = 0;
  for (let i = 0; i < count; i++) squares += values[from + i]! * values[from + i]!;
  // Rounding can lengthen the high half by half a step in every direction.
  const scale = squares === 0 ? 0 : ((limit - Math.sqrt(count) / 2) * step) / Math.sqrt(squares);
  for (let i = 0; i < count; i++) {
    const value = values[from + i]! * scale;
    const high = nearest(value / step);
    into[start + i] = high;
    into[start + count + i] = nearest(value - high * step);
  }
  return scale === 0 ? 0 : 1 / scale;
}

/** The nearest 16-bit integer, using one conversion: Math.round takes several times as long. */
export function nearest(value: number): number {
  return ((value + 32_768.5) | 0) - 32_768;
}
