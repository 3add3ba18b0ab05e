import type { Kernel } from '../kernel/kernel.ts';
import type { ModelShape } from './checkpoint.ts';

/** Tokens processed together. */
export const LANES = 16;
/** Texts that can be in progress at once. */
const MAX_SEQUENCES = 32;

/** The cached keys and values of a text's tokens so far, as integers with the unit of each. */
export interface KeyValueCache {
  /** By layer, head, position, then along the head. */
  readonly keys: Int16Array;
  readonly keyUnits: Float64Array;
  /** By layer, head, along the head, then position, so that mixing values is also a row of products. */
  readonly values: Int16Array;
  readonly valueUnits: Float64Array;
}

/** The part of the kernel's memory that is not weights. */
export interface WorkingMemory {
  /** Input vectors of a product, split. */
  readonly input: Int16Array;
  readonly output: Int32Array;
  readonly caches: readonly KeyValueCache[];
}

export function workingBytes(shape: ModelShape): number {
  return inputBytes(shape) + outputBytes(shape) + MAX_SEQUENCES * cacheBytes(shape);
}

export function workingMemory({ buffer }: Kernel, shape: ModelShape, start: number): WorkingMemory {
  const { layers, heads, context, width } = shape;
  const outputStart = start + inputBytes(shape);
  const cachesStart = outputStart + outputBytes(shape);
  const valueCount = layers * context * width;
  return {
    input: new Int16Array(buffer, start, inputBytes(shape) / 2),
    output: new Int32Array(buffer, outputStart, outputBytes(shape) / 4),
    caches: Array.from({ length: MAX_SEQUENCES }, (_, i) => ({
      keys: new Int16Array(buffer, cachesStart + i * cacheBytes(shape), valueCount),
      keyUnits: new Float64Array(layers * heads * context),
      values: new Int16Array(buffer, cachesStart + i * cacheBytes(shape) + valueCount * 2, valueCount),
      valueUnits: new Float64Array(layers * heads * context),
    })),
  };
}

/** Copies the cache of one text for another that starts the same. */
export function copyCache(from: KeyValueCache, to: KeyValueCache): void {
  to.keys.set(from.keys);
  to.keyUnits.set(from.keyUnits);
  to.values.set(from.values);
  to.valueUnits.set(from.valueUnits);
}

function inputBytes({ width, hidden, context }: ModelShape): number {
  return 2 * 2 * LANES * Math.max(width, hidden, context);
}

function outputBytes({ width, hidden, vocabulary }: ModelShape): number {
  return 4 * LANES * Math.max(vocabulary, 2 * 2 * hidden, 2 * 3 * width);
}

function cacheBytes({ layers, context, width }: ModelShape): number {
  return 2 * 2 * layers * context * width;
}
