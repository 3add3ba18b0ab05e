import type { Kernel } from '../kernel/kernel.ts';
import type { Shape } from './checkpoint.ts';

/** Tokens that pass through the model together. */
export const LANES = 16;
/** Texts that can be under way at once. */
const SEQUENCES = 32;

/** What one text has left behind: the keys and values of its tokens so far, as integers and what each is worth. */
export interface Cache {
  /** By layer, head, position, then along the head. */
  readonly keys: Int16Array;
  readonly keyUnits: Float64Array;
  /** By layer, head, along the head, then position: a mix of values is then a row of products too. */
  readonly values: Int16Array;
  readonly valueUnits: Float64Array;
}

/** The part of the kernel's memory that is not weights. */
export interface WorkingMemory {
  /** Vectors going into a product, split. */
  readonly input: Int16Array;
  readonly output: Int32Array;
  readonly caches: readonly Cache[];
}

export function workingBytes(shape: Shape): number {
  return inputBytes(shape) + outputBytes(shape) + SEQUENCES * cacheBytes(shape);
}

export function workingMemory({ buffer }: Kernel, shape: Shape, at: number): WorkingMemory {
  const { layers, heads, context, width } = shape;
  const outputAt = at + inputBytes(shape);
  const cachesAt = outputAt + outputBytes(shape);
  const half = layers * context * width;
  return {
    input: new Int16Array(buffer, at, inputBytes(shape) / 2),
    output: new Int32Array(buffer, outputAt, outputBytes(shape) / 4),
    caches: Array.from({ length: SEQUENCES }, (_, i) => ({
      keys: new Int16Array(buffer, cachesAt + i * cacheBytes(shape), half),
      keyUnits: new Float64Array(layers * heads * context),
      values: new Int16Array(buffer, cachesAt + i * cacheBytes(shape) + half * 2, half),
      valueUnits: new Float64Array(layers * heads * context),
    })),
  };
}

/** Everything a text has left behind, for another that begins the same. */
export function copyCache(from: Cache, to: Cache): void {
  to.keys.set(from.keys);
  to.keyUnits.set(from.keyUnits);
  to.values.set(from.values);
  to.valueUnits.set(from.valueUnits);
}

function inputBytes({ width, hidden, context }: Shape): number {
  return 2 * 2 * LANES * Math.max(width, hidden, context);
}

function outputBytes({ width, hidden, vocabulary }: Shape): number {
  return 4 * LANES * Math.max(vocabulary, 2 * 2 * hidden, 2 * 3 * width);
}

function cacheBytes({ layers, context, width }: Shape): number {
  return 2 * 2 * layers * context * width;
}
