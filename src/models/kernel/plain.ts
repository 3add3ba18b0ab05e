import type { Dots, Kernel } from './kernel.ts';
import { columnOffset, rowStart } from './tiles.ts';

/** The same sums by plain loops, for engines without vector instructions, and for the tests to hold the other against. */
export function plainKernel(bytes: number): Kernel {
  const buffer = new ArrayBuffer(Math.ceil(bytes / 8) * 8);
  const words = new Int16Array(buffer);
  const sums = new Int32Array(buffer);
  const dots =
    (weights: Int8Array | Int16Array): Dots =>
    (at, bandBytes, rows, columns, x, vectors, out) => {
      const room = bandBytes / weights.BYTES_PER_ELEMENT / 4;
      for (let row = 0; row < rows; row++) {
        const start = at / weights.BYTES_PER_ELEMENT + rowStart(row, room);
        for (let vector = 0; vector < vectors; vector++) {
          const from = x / 2 + vector * columns;
          let sum = 0;
          for (let c = 0; c < columns; c++) sum = (sum + weights[start + columnOffset(c)]! * words[from + c]!) | 0;
          sums[out / 4 + vector * rows + row] = sum;
        }
      }
    };
  return { name: 'plain', buffer, dots16: dots(words), dots8: dots(new Int8Array(buffer)) };
}
