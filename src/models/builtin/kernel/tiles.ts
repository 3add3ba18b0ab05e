/*
 * A matrix in the kernel's memory consists of tiles of four rows by eight columns, tile after tile along a band of
 * four rows, then the next band. `columns` is the allocated row length, of which a product may use less.
 */

type Integers = Int8Array | Int16Array;

export const TILE_ROWS = 4;
export const TILE_COLUMNS = 8;

export function bandBytes(columns: number, weights: 1 | 2): number {
  return TILE_ROWS * columns * weights;
}

/** The offset of the first number of a row; the others follow in groups of eight, one tile apart. */
export function rowStart(row: number, columns: number): number {
  return (row >> 2) * TILE_ROWS * columns + (row & 3) * TILE_COLUMNS;
}

/** The offset of a column from the start of its row. */
export function columnOffset(column: number): number {
  return (column >> 3) * TILE_ROWS * TILE_COLUMNS + (column & 7);
}

export function putRow(into: Integers, at: number, row: number, columns: number, values: Integers): void {
  const start = at + rowStart(row, columns);
  for (let i = 0; i < values.length; i++) into[start + columnOffset(i)] = values[i]!;
}

export function putColumn(into: Integers, at: number, column: number, columns: number, values: Integers): void {
  const start = at + columnOffset(column);
  for (let i = 0; i < values.length; i++) into[start + rowStart(i, columns)] = values[i]!;
}
