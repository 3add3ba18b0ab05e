import type { Dot, Floats, Kernel } from './kernel.ts';
import { columnOffset, rowStart } from './tiles.ts';

/** The same kernel with plain loops, for engines without vector instructions and as a reference in tests. */
export function plainKernel(bytes: number): Kernel {
  const buffer = new ArrayBuffer(Math.ceil(bytes / 8) * 8);
  const words = new Int16Array(buffer);
  const sums = new Int32Array(buffer);
  const dots =
    (weights: Int8Array | Int16Array): Dot =>
    (at, bandBytes, rows, columns, x, vectors, out) => {
      const rowSize = bandBytes / weights.BYTES_PER_ELEMENT / 4;
      for (let row = 0; row < rows; row++) {
        const start = at / weights.BYTES_PER_ELEMENT + rowStart(row, rowSize);
        for (let vector = 0; vector < vectors; vector++) {
          const from = x / 2 + vector * columns;
          let sum = 0;
          for (let c = 0; c < columns; c++) sum = (sum + weights[start + columnOffset(c)]! * words[from + c]!) | 0;
          sums[out / 4 + vector * rows + row] = sum;
        }
      }
    };
  return { name: 'plain', buffer, dots16: dots(words), dots8: dots(new Int8Array(buffer)), ...plainFloats(buffer) };
}

const { fround } = Math;

/** Φ(x) − ½ by odd powers of x ÷ 4.2, the highest first. */
const GELU_COEFFICIENTS = [
  1.9386930465698242, -10.704459190368652, 26.224918365478516, -37.94476318359375, 36.533233642578125,
  -25.047008514404297, 12.73052978515625, -4.906259059906006, 1.6751052141189575,
];
/** Adding and subtracting this rounds a 32-bit float to an integer, ties to even. */
const ROUNDING_OFFSET = 12_582_912;

/** Every step is rounded to 32 bits, as the vector instructions do. */
function plainFloats(buffer: ArrayBuffer): Floats {
  const floats = new Float32Array(buffer);
  const integers = new Int32Array(buffer);
  const words = new Int16Array(buffer);
  return {
    settle(sums, count, unit, units, bias, y) {
      for (let i = 0; i < count; i++) {
        const scaled = fround(fround(integers[sums / 4 + i]!) * fround(unit));
        floats[y / 4 + i] = fround(scaled * floats[units / 4 + i]!) + floats[bias / 4 + i]!;
      }
    },
    largest(x, count) {
      let largestValue = 0;
      for (let i = 0; i < count; i++) largestValue = Math.max(largestValue, Math.abs(floats[x / 4 + i]!));
      return largestValue;
    },
    round(x, count, each, into) {
      for (let i = 0; i < count; i++) {
        const value = fround(floats[x / 4 + i]! * fround(each));
        words[into / 2 + i] = fround(fround(value + ROUNDING_OFFSET) - ROUNDING_OFFSET);
      }
    },
    gelu(x, count) {
      for (let i = x / 4; i < x / 4 + count; i++) {
        const value = floats[i]!;
        const t = Math.max(-1, Math.min(1, fround(value * fround(1 / 4.2))));
        const square = fround(t * t);
        const sum = GELU_COEFFICIENTS.reduce((high, power) => fround(fround(high * square) + power), 0);
        floats[i] = fround(fround(sum * t) + 0.5) * value;
      }
    },
  };
}
