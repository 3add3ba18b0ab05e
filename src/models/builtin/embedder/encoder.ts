import { nearest } from '../kernel/numbers.ts';
import { bandBytes, columnOffset, rowStart, TILE_COLUMNS, TILE_ROWS } from '../kernel/tiles.ts';
import { type EncoderMatrix, type EncoderNorm, type EncoderWeights, HEADS, HIDDEN, WIDTH } from './weights.ts';

/*
 * A BERT-shaped encoder: turns the tokens of a text into one vector of length 1. Texts are encoded in batches, so
 * that weights are read once for several texts. Products use integers, scaled separately for each token or text, so
 * that no text depends on its neighbours: equal texts have equal vectors, to the last bit.
 */
export interface Encoder {
  encode(texts: readonly (readonly number[])[]): readonly Float32Array<ArrayBuffer>[];
}

/** Tokens encoded together; a single text may have more, up to MAX_TOKENS. */
const MAX_LANES = 240;
/** Rows of a matrix multiplied at a time. */
const ROW_BLOCK = 96;
/** Bytes of vectors multiplied at a time: they stay in the innermost cache while rows pass over them. */
const BLOCK_BYTES = 24_576;
export const MAX_TOKENS = 256;
const HEAD_WIDTH = WIDTH / HEADS;
/** Replaces zero, to avoid a division by zero. */
const TINY = 1e-30;
/** The largest integers for which no product overflows, even if all values of a head or a text are that large. */
const MAX_FIT_INTEGER = Math.floor(Math.sqrt((2 ** 31 - 1) / HEAD_WIDTH));
const MAX_MIX_INTEGER = Math.floor(Math.sqrt((2 ** 31 - 1) / MAX_TOKENS));

const INPUT_SIZE = MAX_TOKENS * HIDDEN;
const OUTPUT_SIZE = MAX_TOKENS * MAX_TOKENS;
const TILES_SIZE = MAX_TOKENS * HEAD_WIDTH;
export const WORKING_BYTES =
  4 * (OUTPUT_SIZE + 4 * MAX_TOKENS * WIDTH + MAX_TOKENS * HIDDEN) +
  2 * (INPUT_SIZE + TILES_SIZE + 3 * MAX_TOKENS * WIDTH);

/** Vectors as integers, and the value of one unit of each. */
interface QuantisedVectors {
  readonly integers: Int16Array;
  readonly units: Float64Array;
}

interface LaneRange {
  readonly from: number;
  readonly count: number;
}

export function createEncoder({ kernel, layers, norm: firstNorm, embed, freeAt }: EncoderWeights): Encoder {
  let nextFree = freeAt;
  const allocate = <T>(
    ArrayType: new (buffer: ArrayBuffer, at: number, count: number) => T,
    count: number,
    bytes: number,
  ): T => {
    nextFree += count * bytes;
    return new ArrayType(kernel.buffer, nextFree - count * bytes, count);
  };
  const floats = (width: number) => allocate(Float32Array, MAX_TOKENS * width, 4);
  const output = allocate(Int32Array, OUTPUT_SIZE, 4);
  const stream = floats(WIDTH);
  const projected = floats(WIDTH);
  const attended = floats(WIDTH);
  const delta = floats(WIDTH);
  const hidden = floats(HIDDEN);
  const input = allocate(Int16Array, INPUT_SIZE, 2);
  const tiles = allocate(Int16Array, TILES_SIZE, 2);
  const allocateVectors = (): QuantisedVectors => ({
    integers: allocate(Int16Array, MAX_TOKENS * WIDTH, 2),
    units: new Float64Array(MAX_TOKENS),
  });
  const [queries, keys, values] = [allocateVectors(), allocateVectors(), allocateVectors()];
  /** The input of the next product. */
  const productInput: QuantisedVectors = { integers: input, units: new Float64Array(MAX_TOKENS) };
  /** A view of the same memory as pairs, so that values are moved two at a time. */
  const asPairs = ({ byteOffset, length }: Int16Array) => new Int32Array(kernel.buffer, byteOffset, length >> 1);
  const [inputPairs, tilePairs] = [asPairs(input), asPairs(tiles)];
  const [queryPairs, keyPairs] = [asPairs(queries.integers), asPairs(keys.integers)];
  const units = new Float64Array(MAX_TOKENS);
  const shares = new Float64Array(MAX_TOKENS);

  function encode(texts: readonly (readonly number[])[]): readonly Float32Array<ArrayBuffer>[] {
    const vectors: Float32Array<ArrayBuffer>[] = [];
    for (let from = 0; from < texts.length; ) {
      let [to, lanes] = [from, 0];
      while (to < texts.length && (to === from || lanes + texts[to]!.length <= MAX_LANES)) lanes += texts[to++]!.length;
      vectors.push(...runPass(texts.slice(from, to)));
      from = to;
    }
    return vectors;
  }

  function runPass(texts: readonly (readonly number[])[]): readonly Float32Array<ArrayBuffer>[] {
    let lanes = 0;
    const ranges = texts.map((tokens): LaneRange => {
      for (const [position, token] of tokens.entries()) embed(token, position, stream, WIDTH * lanes++);
      return { from: lanes - tokens.length, count: tokens.length };
    });
    for (let lane = 0; lane < lanes; lane++) normaliseLane(stream, lane, firstNorm);
    for (const layer of layers) {
      const { query, key, value } = layer;
      quantiseLanes(stream, lanes, WIDTH, Math.min(query.largest, key.largest, value.largest), productInput);
      multiply(query, lanes, projected);
      quantiseLanes(projected, lanes, WIDTH, MAX_FIT_INTEGER, queries);
      multiply(key, lanes, projected);
      quantiseLanes(projected, lanes, WIDTH, MAX_FIT_INTEGER, keys);
      multiply(value, lanes, projected);
      quantiseLanes(projected, lanes, WIDTH, MAX_MIX_INTEGER, values);
      for (const range of ranges) for (let head = 0; head < WIDTH; head += HEAD_WIDTH) attend(range, head);
      quantiseLanes(attended, lanes, WIDTH, layer.attentionOut.largest, productInput);
      multiply(layer.attentionOut, lanes, delta);
      addAndNorm(delta, lanes, layer.attentionNorm);
      quantiseLanes(stream, lanes, WIDTH, layer.hiddenIn.largest, productInput);
      multiply(layer.hiddenIn, lanes, hidden, kernel.gelu);
      quantiseLanes(hidden, lanes, HIDDEN, layer.hiddenOut.largest, productInput);
      multiply(layer.hiddenOut, lanes, delta);
      addAndNorm(delta, lanes, layer.hiddenNorm);
    }
    return ranges.map(averageVector);
  }

  /** Quantises every lane's vector to integers no larger than `largest`. */
  function quantiseLanes(x: Float32Array, lanes: number, width: number, largest: number, into: QuantisedVectors): void {
    for (let lane = 0; lane < lanes; lane++) {
      const from = x.byteOffset + 4 * lane * width;
      const scale = largest / Math.max(kernel.largest(from, width), TINY);
      into.units[lane] = 1 / scale;
      kernel.round(from, width, scale, into.integers.byteOffset + 2 * lane * width);
    }
  }

  /** `y = matrix · x + bias` for every lane, in blocks small enough that their input and output stay in the cache. */
  function multiply(
    matrix: EncoderMatrix,
    lanes: number,
    y: Float32Array,
    after?: (y: number, count: number) => void,
  ): void {
    const { at: weights, rows, columns, unitsAt, biasAt } = matrix;
    const block = roundUpTo(Math.ceil(BLOCK_BYTES / (2 * columns)), 2);
    for (let row = 0; row < rows; row += ROW_BLOCK) {
      const from = weights + 2 * row * columns;
      for (let first = 0; first < lanes; first += block) {
        const count = Math.min(block, lanes - first);
        const x = input.byteOffset + 2 * first * columns;
        kernel.dots16(from, bandBytes(columns, 2), ROW_BLOCK, columns, x, roundUpTo(count, 2), output.byteOffset);
        for (let lane = 0; lane < count; lane++) {
          const sums = output.byteOffset + 4 * lane * ROW_BLOCK;
          const target = y.byteOffset + 4 * ((first + lane) * rows + row);
          kernel.settle(
            sums,
            ROW_BLOCK,
            productInput.units[first + lane]!,
            unitsAt + 4 * row,
            biasAt + 4 * row,
            target,
          );
          after?.(target, ROW_BLOCK);
        }
      }
    }
  }

  function addAndNorm(y: Float32Array, lanes: number, layer: EncoderNorm): void {
    for (let i = 0; i < lanes * WIDTH; i++) stream[i]! += y[i]!;
    for (let lane = 0; lane < lanes; lane++) normaliseLane(stream, lane, layer);
  }

  /** One attention head: every token of a text attends to all tokens, weighted by how well query and key match. */
  function attend({ from, count }: LaneRange, head: number): void {
    const [rows, columns, vectors] = [roundUpTo(count, TILE_ROWS), roundUpTo(count, TILE_COLUMNS), roundUpTo(count, 2)];
    const [tilesAt, x, outputAt] = [tiles.byteOffset, input.byteOffset, output.byteOffset];
    for (let lane = 0; lane < count; lane++) {
      const start = ((from + lane) * WIDTH + head) >> 1;
      const row = rowStart(lane, HEAD_WIDTH) >> 1;
      const to = (lane * HEAD_WIDTH) >> 1;
      for (let pair = 0; pair < HEAD_WIDTH >> 1; pair++) {
        inputPairs[to + pair] = queryPairs[start + pair]!;
        tilePairs[row + (columnOffset(2 * pair) >> 1)] = keyPairs[start + pair]!;
      }
    }
    kernel.dots16(tilesAt, bandBytes(HEAD_WIDTH, 2), rows, HEAD_WIDTH, x, vectors, outputAt);

    const largestUnit = findLargestUnit(values.units, from, count);
    for (let lane = 0; lane < count; lane++) {
      units[lane] =
        writeShares(lane * rows, lane * columns, from, count, queries.units[from + lane]!, largestUnit) * largestUnit;
      input.fill(0, lane * columns + count, (lane + 1) * columns);
    }
    for (let lane = 0; lane < count; lane++) {
      const start = (from + lane) * WIDTH + head;
      const column = columnOffset(lane);
      const valueIntegers = values.integers;
      for (let i = 0; i < HEAD_WIDTH; i += 4) {
        const at = i * columns + column;
        tiles[at] = valueIntegers[start + i]!;
        tiles[at + 8] = valueIntegers[start + i + 1]!;
        tiles[at + 16] = valueIntegers[start + i + 2]!;
        tiles[at + 24] = valueIntegers[start + i + 3]!;
      }
    }
    kernel.dots16(tilesAt, bandBytes(columns, 2), HEAD_WIDTH, columns, x, vectors, outputAt);
    for (let lane = 0; lane < count; lane++) {
      const start = (from + lane) * WIDTH + head;
      const unit = units[lane]!;
      for (let i = 0; i < HEAD_WIDTH; i++) attended[start + i] = output[lane * HEAD_WIDTH + i]! * unit;
    }
  }

  /**
   * Writes the attention weight of each token as an integer, scaled by the unit of its value; returns the resulting
   * unit.
   */
  function writeShares(
    fitStart: number,
    into: number,
    from: number,
    count: number,
    queryUnit: number,
    maxUnit: number,
  ): number {
    const unit = queryUnit / Math.sqrt(HEAD_WIDTH);
    let best = Number.NEGATIVE_INFINITY;
    for (let other = 0; other < count; other++) {
      const fit = output[fitStart + other]! * keys.units[from + other]! * unit;
      shares[other] = fit;
      if (fit > best) best = fit;
    }
    let sum = 0;
    for (let other = 0; other < count; other++) {
      const weight = Math.exp(shares[other]! - best);
      sum += weight;
      input[into + other] = nearest(weight * (values.units[from + other]! / maxUnit) * MAX_MIX_INTEGER);
    }
    return 1 / (sum * MAX_MIX_INTEGER);
  }

  /** The vector of a whole text: the mean of its tokens, normalised. */
  function averageVector({ from, count }: LaneRange): Float32Array<ArrayBuffer> {
    const mean = new Float64Array(WIDTH);
    for (let i = 0; i < count * WIDTH; i++) mean[i % WIDTH]! += stream[from * WIDTH + i]!;
    const length = Math.sqrt(mean.reduce((sum, value) => sum + value * value, 0));
    return Float32Array.from(mean, (value) => value / length);
  }

  return { encode };
}

function normaliseLane(x: Float32Array, lane: number, { gain, bias }: EncoderNorm): void {
  const at = lane * WIDTH;
  let sum = 0;
  for (let i = 0; i < WIDTH; i++) sum += x[at + i]!;
  const mean = sum / WIDTH;
  let squares = 0;
  for (let i = 0; i < WIDTH; i++) squares += (x[at + i]! - mean) * (x[at + i]! - mean);
  const scale = 1 / Math.sqrt(squares / WIDTH + 1e-12);
  for (let i = 0; i < WIDTH; i++) x[at + i] = (x[at + i]! - mean) * scale * gain[i]! + bias[i]!;
}

function findLargestUnit(units: Float64Array, from: number, count: number): number {
  let maxUnit = units[from]!;
  for (let lane = from + 1; lane < from + count; lane++) if (units[lane]! > maxUnit) maxUnit = units[lane]!;
  return maxUnit;
}

function roundUpTo(count: number, multiple: number): number {
  return Math.ceil(count / multiple) * multiple;
}
