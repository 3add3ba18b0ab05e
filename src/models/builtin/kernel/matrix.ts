import type { Kernel } from './kernel.ts';
import { LARGEST_16, quantise, type Split, split, splitFor } from './numbers.ts';
import { bandBytes, putRow } from './tiles.ts';

/** Rows of 16-bit integers in the kernel's memory, with the value of one unit of each row. */
export interface Matrix {
  readonly at: number;
  readonly rows: number;
  readonly columns: number;
  readonly units: Float64Array;
  /** How to split a vector before multiplying it with these rows. */
  split: Split;
  put(row: number, values: Float32Array): void;
}

export function matrixBytes(rows: number, columns: number): number {
  return 2 * rows * columns;
}

export function matrixAt({ buffer }: Kernel, at: number, rows: number, columns: number): Matrix {
  const weights = new Int16Array(buffer, at, rows * columns);
  const units = new Float64Array(rows);
  const integers = new Int16Array(columns);
  let longestRow = 1;
  return {
    at,
    rows,
    columns,
    units,
    split: splitFor(columns, longestRow),
    put(row, values) {
      units[row] = quantise(values, 0, integers, LARGEST_16);
      putRow(weights, 0, row, columns, integers);
      longestRow = Math.max(longestRow, lengthOf(integers));
      this.split = splitFor(columns, longestRow);
    },
  };
}

/** `y = matrix · x` for `lanes` vectors at once, using the kernel's `input` and `output`. */
export function multiply(
  { dots16 }: Kernel,
  input: Int16Array,
  output: Int32Array,
  matrix: Matrix,
  x: Float64Array,
  lanes: number,
  y: Float64Array,
): void {
  const { at, rows, columns, units } = matrix;
  const { step } = matrix.split;
  const vectorUnits = new Float64Array(lanes);
  for (let lane = 0; lane < lanes; lane++) {
    vectorUnits[lane] = split(x, lane * columns, matrix.split, input, 2 * lane * columns);
  }
  dots16(at, bandBytes(columns, 2), rows, columns, input.byteOffset, 2 * lanes, output.byteOffset);
  for (let lane = 0; lane < lanes; lane++) {
    const unit = vectorUnits[lane]!;
    const high = 2 * lane * rows;
    for (let row = 0; row < rows; row++) {
      y[lane * rows + row] = (output[high + row]! * step + output[high + rows + row]!) * unit * units[row]!;
    }
  }
}

function lengthOf(integers: Int16Array): number {
  let squares = 0;
  for (const integer of integers) squares += integer * integer;
  return Math.sqrt(squares);
}
