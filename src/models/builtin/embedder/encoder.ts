import { nearest } from '../kernel/numbers.ts';
import { bandBytes, columnOffset, rowStart, TILE_COLUMNS, TILE_ROWS } from '../kernel/tiles.ts';
import { HEADS, HIDDEN, type Matrix, type Norm, type Weights, WIDTH } from './weights.ts';

/*
 * A BERT-shaped encoder: from the tokens of a text to one vector of length 1. Texts pass through together, so that weights
 * are read once for several of them. But products are made of integers, scaled for each token or each text by itself, so
 * that nothing of a text depends on its neighbours: equal texts have equal vectors, to the last bit.
 */
export interface Encoder {
  encode(texts: readonly (readonly number[])[]): readonly Float32Array<ArrayBuffer>[];
}

/** Tokens that pass through together; a single text may have more, up to LONGEST. */
const LANES = 240;
/** Rows of a matrix that are multiplied at a time. */
const ROWS = 96;
/** Of vectors that are multiplied at a time: they stay in the innermost cache while rows pass over them. */
const BLOCK_BYTES = 24_576;
export const LONGEST = 256;
const HEAD = WIDTH / HEADS;
/** In the place of nothing, which cannot be divided by. */
const TINY = 1e-30;
/** How large integers may be for no product to overflow: all of a head, or of a text, could be as large as that. */
const FITTING = Math.floor(Math.sqrt((2 ** 31 - 1) / HEAD));
const MIXING = Math.floor(Math.sqrt((2 ** 31 - 1) / LONGEST));

const INPUT = LONGEST * HIDDEN;
const OUTPUT = LONGEST * LONGEST;
const TILES = LONGEST * HEAD;
export const WORKING_BYTES =
  4 * (OUTPUT + 4 * LONGEST * WIDTH + LONGEST * HIDDEN) + 2 * (INPUT + TILES + 3 * LONGEST * WIDTH);

/** Vectors as integers, and what one unit of each is worth. */
interface Vectors {
  readonly integers: Int16Array;
  readonly units: Float64Array;
}

interface Place {
  readonly from: number;
  readonly count: number;
}

export function createEncoder({ kernel, layers, norm: firstNorm, embed, freeAt }: Weights): Encoder {
  let at = freeAt;
  const take = <T>(
    Kind: new (buffer: ArrayBuffer, at: number, count: number) => T,
    count: number,
    bytes: number,
  ): T => {
    at += count * bytes;
    return new Kind(kernel.buffer, at - count * bytes, count);
  };
  const floats = (width: number) => take(Float32Array, LONGEST * width, 4);
  const output = take(Int32Array, OUTPUT, 4);
  const stream = floats(WIDTH);
  const asked = floats(WIDTH);
  const heard = floats(WIDTH);
  const change = floats(WIDTH);
  const hidden = floats(HIDDEN);
  const input = take(Int16Array, INPUT, 2);
  const tiles = take(Int16Array, TILES, 2);
  const vectors = (): Vectors => ({ integers: take(Int16Array, LONGEST * WIDTH, 2), units: new Float64Array(LONGEST) });
  const [queries, keys, values] = [vectors(), vectors(), vectors()];
  /** What goes into the next product. */
  const entering: Vectors = { integers: input, units: new Float64Array(LONGEST) };
  /** The same by twos, to be moved by twos. */
  const inPairs = ({ byteOffset, length }: Int16Array) => new Int32Array(kernel.buffer, byteOffset, length >> 1);
  const [inputPairs, tilePairs] = [inPairs(input), inPairs(tiles)];
  const [queryPairs, keyPairs] = [inPairs(queries.integers), inPairs(keys.integers)];
  const units = new Float64Array(LONGEST);
  const shares = new Float64Array(LONGEST);

  function encode(texts: readonly (readonly number[])[]): readonly Float32Array<ArrayBuffer>[] {
    const vectors: Float32Array<ArrayBuffer>[] = [];
    for (let from = 0; from < texts.length; ) {
      let [to, lanes] = [from, 0];
      while (to < texts.length && (to === from || lanes + texts[to]!.length <= LANES)) lanes += texts[to++]!.length;
      vectors.push(...pass(texts.slice(from, to)));
      from = to;
    }
    return vectors;
  }

  function pass(texts: readonly (readonly number[])[]): readonly Float32Array<ArrayBuffer>[] {
    let lanes = 0;
    const places = texts.map((tokens): Place => {
      for (const [position, token] of tokens.entries()) embed(token, position, stream, WIDTH * lanes++);
      return { from: lanes - tokens.length, count: tokens.length };
    });
    for (let lane = 0; lane < lanes; lane++) norm(stream, lane, firstNorm);
    for (const layer of layers) {
      const { query, key, value } = layer;
      quantise(stream, lanes, WIDTH, Math.min(query.largest, key.largest, value.largest), entering);
      multiply(query, lanes, asked);
      quantise(asked, lanes, WIDTH, FITTING, queries);
      multiply(key, lanes, asked);
      quantise(asked, lanes, WIDTH, FITTING, keys);
      multiply(value, lanes, asked);
      quantise(asked, lanes, WIDTH, MIXING, values);
      for (const place of places) for (let head = 0; head < WIDTH; head += HEAD) attend(place, head);
      quantise(heard, lanes, WIDTH, layer.attentionOut.largest, entering);
      multiply(layer.attentionOut, lanes, change);
      addAndNorm(change, lanes, layer.attentionNorm);
      quantise(stream, lanes, WIDTH, layer.hiddenIn.largest, entering);
      multiply(layer.hiddenIn, lanes, hidden, kernel.gelu);
      quantise(hidden, lanes, HIDDEN, layer.hiddenOut.largest, entering);
      multiply(layer.hiddenOut, lanes, change);
      addAndNorm(change, lanes, layer.hiddenNorm);
    }
    return places.map(average);
  }

  /** Every lane's vector as integers no larger than `most`. */
  function quantise(x: Float32Array, lanes: number, width: number, most: number, into: Vectors): void {
    for (let lane = 0; lane < lanes; lane++) {
      const from = x.byteOffset + 4 * lane * width;
      const each = most / Math.max(kernel.largest(from, width), TINY);
      into.units[lane] = 1 / each;
      kernel.round(from, width, each, into.integers.byteOffset + 2 * lane * width);
    }
  }

  /** `y = matrix · x + bias` for every lane, in blocks small enough that what they read and make stays at hand. */
  function multiply(matrix: Matrix, lanes: number, y: Float32Array, after?: (y: number, count: number) => void): void {
    const { at: weights, rows, columns, unitsAt, biasAt } = matrix;
    const block = evenly(Math.ceil(BLOCK_BYTES / (2 * columns)), 2);
    for (let row = 0; row < rows; row += ROWS) {
      const from = weights + 2 * row * columns;
      for (let first = 0; first < lanes; first += block) {
        const count = Math.min(block, lanes - first);
        const x = input.byteOffset + 2 * first * columns;
        kernel.dots16(from, bandBytes(columns, 2), ROWS, columns, x, evenly(count, 2), output.byteOffset);
        for (let lane = 0; lane < count; lane++) {
          const sums = output.byteOffset + 4 * lane * ROWS;
          const target = y.byteOffset + 4 * ((first + lane) * rows + row);
          kernel.settle(sums, ROWS, entering.units[first + lane]!, unitsAt + 4 * row, biasAt + 4 * row, target);
          after?.(target, ROWS);
        }
      }
    }
  }

  function addAndNorm(y: Float32Array, lanes: number, layer: Norm): void {
    for (let i = 0; i < lanes * WIDTH; i++) stream[i]! += y[i]!;
    for (let lane = 0; lane < lanes; lane++) norm(stream, lane, layer);
  }

  /** One head: every token of a text asks all of them, and hears their values in the proportion in which they fit. */
  function attend({ from, count }: Place, head: number): void {
    const [rows, columns, vectors] = [evenly(count, TILE_ROWS), evenly(count, TILE_COLUMNS), evenly(count, 2)];
    const [tilesAt, x, out] = [tiles.byteOffset, input.byteOffset, output.byteOffset];
    for (let lane = 0; lane < count; lane++) {
      const start = ((from + lane) * WIDTH + head) >> 1;
      const row = rowStart(lane, HEAD) >> 1;
      const to = (lane * HEAD) >> 1;
      for (let pair = 0; pair < HEAD >> 1; pair++) {
        inputPairs[to + pair] = queryPairs[start + pair]!;
        tilePairs[row + (columnOffset(2 * pair) >> 1)] = keyPairs[start + pair]!;
      }
    }
    kernel.dots16(tilesAt, bandBytes(HEAD, 2), rows, HEAD, x, vectors, out);

    const most = worthMost(values.units, from, count);
    for (let lane = 0; lane < count; lane++) {
      units[lane] = share(lane * rows, lane * columns, from, count, queries.units[from + lane]!, most) * most;
      input.fill(0, lane * columns + count, (lane + 1) * columns);
    }
    for (let lane = 0; lane < count; lane++) {
      const start = (from + lane) * WIDTH + head;
      const column = columnOffset(lane);
      const own = values.integers;
      for (let i = 0; i < HEAD; i += 4) {
        const at = i * columns + column;
        tiles[at] = own[start + i]!;
        tiles[at + 8] = own[start + i + 1]!;
        tiles[at + 16] = own[start + i + 2]!;
        tiles[at + 24] = own[start + i + 3]!;
      }
    }
    kernel.dots16(tilesAt, bandBytes(columns, 2), HEAD, columns, x, vectors, out);
    for (let lane = 0; lane < count; lane++) {
      const start = (from + lane) * WIDTH + head;
      const unit = units[lane]!;
      for (let i = 0; i < HEAD; i++) heard[start + i] = output[lane * HEAD + i]! * unit;
    }
  }

  /** How much each token is to be heard, as integers, values being worth what they are; returns what those are worth. */
  function share(fits: number, into: number, from: number, count: number, queryUnit: number, most: number): number {
    const unit = queryUnit / Math.sqrt(HEAD);
    let best = Number.NEGATIVE_INFINITY;
    for (let other = 0; other < count; other++) {
      const fit = output[fits + other]! * keys.units[from + other]! * unit;
      shares[other] = fit;
      if (fit > best) best = fit;
    }
    let sum = 0;
    for (let other = 0; other < count; other++) {
      const part = Math.exp(shares[other]! - best);
      sum += part;
      input[into + other] = nearest(part * (values.units[from + other]! / most) * MIXING);
    }
    return 1 / (sum * MIXING);
  }

  /** The text as a whole: the mean of its tokens, as a direction. */
  function average({ from, count }: Place): Float32Array<ArrayBuffer> {
    const mean = new Float64Array(WIDTH);
    for (let i = 0; i < count * WIDTH; i++) mean[i % WIDTH]! += stream[from * WIDTH + i]!;
    const length = Math.sqrt(mean.reduce((sum, value) => sum + value * value, 0));
    return Float32Array.from(mean, (value) => value / length);
  }

  return { encode };
}

function norm(x: Float32Array, lane: number, { gain, bias }: Norm): void {
  const at = lane * WIDTH;
  let sum = 0;
  for (let i = 0; i < WIDTH; i++) sum += x[at + i]!;
  const mean = sum / WIDTH;
  let squares = 0;
  for (let i = 0; i < WIDTH; i++) squares += (x[at + i]! - mean) * (x[at + i]! - mean);
  const scale = 1 / Math.sqrt(squares / WIDTH + 1e-12);
  for (let i = 0; i < WIDTH; i++) x[at + i] = (x[at + i]! - mean) * scale * gain[i]! + bias[i]!;
}

function worthMost(units: Float64Array, from: number, count: number): number {
  let most = units[from]!;
  for (let lane = from + 1; lane < from + count; lane++) if (units[lane]! > most) most = units[lane]!;
  return most;
}

function evenly(count: number, by: number): number {
  return Math.ceil(count / by) * by;
}
