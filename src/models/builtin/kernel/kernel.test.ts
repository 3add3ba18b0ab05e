import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kernelBinaries } from '../../../../scripts/kernel.ts';
import { fuzzRuns, seeded } from '../../../../test/support/random.ts';
import { type Kernel, openKernel } from './kernel.ts';
import { matrixAt, matrixBytes, multiply } from './matrix.ts';
import { split, splitFor } from './numbers.ts';
import { bandBytes, putRow } from './tiles.ts';

test('[M3] the committed kernel is what its source assembles to', async () => {
  expect(readFileSync('src/models/builtin/kernel/binaries.ts', 'utf8')).toBe(await kernelBinaries());
});

test('[M3] the vector kernel is used if available and gives the same bits as the plain one', () => {
  const kernels = [openKernel(1 << 20), openKernel(1 << 20, 'plain')];
  expect(kernels.map(({ name }) => name)).toEqual(['simd', 'plain']);
  const seed = Math.floor(Math.random() * 2 ** 31);
  const random = seeded(seed);
  for (let run = 0; run < fuzzRuns(60); run++) {
    const shape = { rows: 4 * (1 + random.below(9)), columns: 8 * (1 + random.below(40)) };
    const vectors = 2 * (1 + random.below(4));
    const room = shape.columns + 8 * random.below(3);
    // Sums may wrap here: even then both must agree.
    const integers = Array.from({ length: 40_000 }, () => random.below(65_536) - 32_768);
    const [one, other] = kernels.map((kernel) => [
      ...products(kernel, 'dots16', shape, room, vectors, integers),
      ...products(kernel, 'dots8', shape, room, vectors, integers),
    ]);
    expect(one, `seed ${seed}, run ${run}`).toEqual(other);
  }
});

test('[M8] elementwise operations give the same bits in both kernels', () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const random = seeded(seed);
  for (let run = 0; run < fuzzRuns(50); run++) {
    const count = 8 * (1 + random.below(30));
    const values = Array.from({ length: 3 * count }, () => (random.next() - 0.5) * 10 ** (random.below(5) - 2));
    const sums = Array.from({ length: count }, () => random.below(2 ** 32) - 2 ** 31);
    const unit = random.next();
    const [one, other] = (['simd', 'plain'] as const).map((name) =>
      floatsOf(openKernel(1 << 16, name), values, sums, unit),
    );
    expect(one, `seed ${seed}, run ${run}`).toEqual(other);
  }
});

test('[M8] gelu is x · Φ(x) to four digits', () => {
  const kernel = openKernel(65_536);
  const x = new Float32Array(kernel.buffer, 0, 1600).map((_, i) => (i - 800) / 100);
  new Float32Array(kernel.buffer).set(x);
  kernel.gelu(0, x.length);
  const found = new Float32Array(kernel.buffer, 0, x.length);
  x.forEach((value, i) => {
    expect(Math.abs(found[i]! - value * normalShare(value))).toBeLessThan(1.5e-4);
  });
});

test('[M3] a product keeps about twenty bits of its vector, and no sum overflows even if vector and row are equal', () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const random = seeded(seed);
  for (let run = 0; run < fuzzRuns(40); run++) {
    const columns = 8 * (1 + random.below(96));
    const peak = 10 ** (random.below(8) - 4);
    const values = Float32Array.from({ length: columns }, () =>
      random.below(4) === 0 ? peak : (random.next() - 0.5) * peak,
    );
    const kernel = openKernel(matrixBytes(4, columns) + 4 * columns + 32);
    const matrix = matrixAt(kernel, 0, 4, columns);
    for (let row = 0; row < 4; row++) matrix.put(row, row === 0 ? values : values.map(Math.abs));
    const input = new Int16Array(kernel.buffer, matrixBytes(4, columns), 2 * columns);
    const output = new Int32Array(kernel.buffer, matrixBytes(4, columns) + 4 * columns, 8);
    const y = new Float64Array(4);
    multiply(kernel, input, output, matrix, Float64Array.from(values), 1, y);
    const exact = values.reduce((sum, value) => sum + value * value, 0);
    expect(Math.abs(y[0]! - exact) / exact, `seed ${seed}, run ${run}`).toBeLessThan(1e-4);
  }
});

test('[M3] a vector of zeros works like any other', () => {
  const into = new Int16Array(16).fill(7);
  expect(split(new Float64Array(8), 0, splitFor(8, 1000), into, 0)).toBe(0);
  expect([...into]).toEqual(Array(16).fill(0));
});

function products(
  kernel: Kernel,
  name: 'dots16' | 'dots8',
  { rows, columns }: { rows: number; columns: number },
  room: number,
  vectors: number,
  integers: readonly number[],
): readonly number[] {
  const size = name === 'dots16' ? 2 : 1;
  const Row = size === 2 ? Int16Array : Int8Array;
  const weights = new Row(kernel.buffer);
  for (let row = 0; row < rows; row++) {
    putRow(weights, 0, row, room, Row.from(integers.slice(row * columns, (row + 1) * columns)));
  }
  const x = 1 << 19;
  new Int16Array(kernel.buffer, x, vectors * columns).set(integers.slice(0, vectors * columns));
  const out = x + 65_536;
  kernel[name](0, bandBytes(room, size), rows, columns, x, vectors, out);
  return [...new Int32Array(kernel.buffer, out, vectors * rows)];
}

function floatsOf(kernel: Kernel, values: readonly number[], sums: readonly number[], unit: number): readonly number[] {
  const { buffer } = kernel;
  const count = sums.length;
  new Float32Array(buffer).set(values);
  new Int32Array(buffer, 16_384, count).set(sums);
  kernel.settle(16_384, count, unit / 2 ** 31, 0, 4 * count, 4 * count);
  kernel.gelu(4 * count, 2 * count);
  const most = kernel.largest(0, 3 * count);
  kernel.round(0, 3 * count, 32_767 / most, 32_768);
  return [most, ...new Float32Array(buffer, 0, 3 * count), ...new Int16Array(buffer, 32_768, 3 * count)];
}

/** Φ by adding up the density in small steps. */
function normalShare(x: number): number {
  let sum = 0.5;
  const step = x / 2000;
  for (let i = 0; i < 2000; i++) sum += (step * Math.exp(-(((i + 0.5) * step) ** 2) / 2)) / Math.sqrt(2 * Math.PI);
  return sum;
}
