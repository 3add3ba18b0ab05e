import { type Matrix, multiply } from '../kernel/matrix.ts';
import { LARGEST_16, quantise, split, splitFor } from '../kernel/numbers.ts';
import { bandBytes, putColumn, putRow } from '../kernel/tiles.ts';
import { type Cache, LANES, type WorkingMemory } from './memory.ts';
import type { Layer, Weights } from './weights.ts';

/*
 * A Llama-shaped transformer. A lane is one token of one text at one position; lanes pass through together, so that
 * weights are read once for all of them. They may belong to siblings that grow side by side or be consecutive tokens of
 * a prompt: keys and values of all are stored before any looks back, and each looks back no further than itself.
 *
 * Every product of many numbers is made of integers by the kernel. What a lane comes to therefore depends on nothing but
 * its own text: not on the lanes beside it, the thread it runs on or the instructions the machine has.
 */

export interface Lane {
  readonly cache: Cache;
  readonly position: number;
  readonly token: number;
}

export interface Transformer {
  /** Takes the lanes (at most LANES of them) through all layers. */
  step(lanes: readonly Lane[]): void;
  /** What may follow those lanes of the last step; good until the next call. */
  scores(lanes: readonly number[]): readonly Scores[];
}

/** Logarithms of how likely tokens are, up to a common constant. */
export interface Scores {
  /** Of each token that training met, in the order of `TokenRows.met`. */
  readonly met: Float64Array;
  /** Of any other token. */
  readonly unmet: number;
}

/** What was found roughly is computed exactly when it lies this near the likeliest. */
const NEAR = 1;

export function createTransformer(weights: Weights, { input, output }: WorkingMemory): Transformer {
  const { shape, kernel, tokens, cosines, sines } = weights;
  const { width, hidden, heads, headWidth, context } = shape;

  const stream = new Float64Array(LANES * width);
  const normed = new Float64Array(LANES * width);
  const asked = new Float64Array(LANES * 3 * width);
  const heard = new Float64Array(LANES * width);
  const gated = new Float64Array(LANES * 2 * hidden);
  const active = new Float64Array(LANES * hidden);
  const change = new Float64Array(LANES * width);
  const attention = new Float64Array(context);
  const integers = new Int16Array(headWidth);
  const whole = new Int16Array(width);
  const foundBy = Array.from({ length: LANES }, () => new Float64Array(tokens.met.length));
  const querySplit = splitFor(headWidth, LARGEST_16 * Math.sqrt(headWidth));
  const mixSplits = Array.from({ length: context / 8 + 1 }, (_, eights) =>
    splitFor(Math.max(eights, 1) * 8, LARGEST_16 * Math.sqrt(Math.max(eights, 1) * 8)),
  );

  function step(lanes: readonly Lane[]): void {
    lanes.forEach(({ token }, lane) => {
      const unit = tokens.exactUnits[token]!;
      for (let i = 0; i < width; i++) stream[lane * width + i] = tokens.exact[token * width + i]! * unit;
    });
    weights.layers.forEach((layer, depth) => {
      attend(layer, depth, lanes);
      consider(layer, lanes.length);
    });
  }

  /** Each lane asks the tokens before it, and adds what it hears. */
  function attend(layer: Layer, depth: number, lanes: readonly Lane[]): void {
    for (let lane = 0; lane < lanes.length; lane++) norm(stream, layer.attentionNorm, lane, normed);
    product(layer.attentionIn, normed, lanes.length, asked);
    lanes.forEach((lane, i) => {
      const queries = i * 3 * width;
      turn(queries, lane.position);
      turn(queries + width, lane.position);
      for (let head = 0; head < heads; head++) remember(lane, depth * heads + head, queries + head * headWidth);
    });
    lanes.forEach((lane, i) => {
      for (let head = 0; head < heads; head++) {
        const across = head * headWidth;
        listen(lane, depth * heads + head, i * 3 * width + across, i * width + across);
      }
    });
    product(layer.attentionOut, heard, lanes.length, change);
    for (let i = 0; i < lanes.length * width; i++) stream[i]! += change[i]!;
  }

  /** Each lane for itself: widen, gate, narrow, add. */
  function consider(layer: Layer, lanes: number): void {
    for (let lane = 0; lane < lanes; lane++) norm(stream, layer.hiddenNorm, lane, normed);
    product(layer.hiddenIn, normed, lanes, gated);
    for (let lane = 0; lane < lanes; lane++) {
      const gate = lane * 2 * hidden;
      for (let i = 0; i < hidden; i++) {
        const value = gated[gate + i]!;
        active[lane * hidden + i] = (value / (1 + Math.exp(-value))) * gated[gate + hidden + i]!;
      }
    }
    product(layer.hiddenOut, active, lanes, change);
    for (let i = 0; i < lanes * width; i++) stream[i]! += change[i]!;
  }

  /** Positions are angles: pairs of numbers are turned by how far along the text they are. */
  function turn(at: number, position: number): void {
    const half = headWidth / 2;
    for (let pair = 0; pair < half; pair++) {
      const cosine = cosines[position * half + pair]!;
      const sine = sines[position * half + pair]!;
      for (let i = at + 2 * pair; i < at + width; i += headWidth) {
        const real = asked[i]!;
        const imaginary = asked[i + 1]!;
        asked[i] = real * cosine - imaginary * sine;
        asked[i + 1] = real * sine + imaginary * cosine;
      }
    }
  }

  function remember({ cache, position }: Lane, head: number, query: number): void {
    const place = head * context + position;
    const start = head * context * headWidth;
    cache.keyUnits[place] = quantise(asked, query + width, integers, LARGEST_16);
    putRow(cache.keys, start, position, headWidth, integers);
    cache.valueUnits[place] = quantise(asked, query + 2 * width, integers, LARGEST_16);
    putColumn(cache.values, start, position, context, integers);
  }

  /** One head: how well the query fits every key so far, and the values mixed in that proportion. */
  function listen({ cache, position }: Lane, head: number, query: number, target: number): void {
    const count = position + 1;
    const first = head * context;
    const rows = Math.ceil(count / 4) * 4;
    const keys = cache.keys.byteOffset + 2 * first * headWidth;
    const unit = split(asked, query, querySplit, input, 0) / Math.sqrt(headWidth);
    kernel.dots16(keys, bandBytes(headWidth, 2), rows, headWidth, input.byteOffset, 2, output.byteOffset);
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const fit = (output[i]! * querySplit.step + output[rows + i]!) * unit * cache.keyUnits[first + i]!;
      attention[i] = fit;
      if (fit > most) most = fit;
    }
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const share = Math.exp(attention[i]! - most);
      attention[i] = share * cache.valueUnits[first + i]!;
      sum += share;
    }
    const mix = mixSplits[Math.ceil(count / 8)]!;
    attention.fill(0, count, mix.count);
    const values = cache.values.byteOffset + 2 * first * headWidth;
    const worth = split(attention, 0, mix, input, 0) / sum;
    kernel.dots16(values, bandBytes(context, 2), headWidth, mix.count, input.byteOffset, 2, output.byteOffset);
    for (let i = 0; i < headWidth; i++) heard[target + i] = (output[i]! * mix.step + output[headWidth + i]!) * worth;
  }

  function product(matrix: Matrix, x: Float64Array, lanes: number, y: Float64Array): void {
    multiply(kernel, input, output, matrix, x, lanes, y);
  }

  function norm(x: Float64Array, gain: Float64Array, lane: number, y: Float64Array): void {
    const at = lane * width;
    let squares = 0;
    for (let i = 0; i < width; i++) squares += x[at + i]! * x[at + i]!;
    const scale = 1 / Math.sqrt(squares / width + 1e-5);
    for (let i = 0; i < width; i++) y[at + i] = x[at + i]! * scale * gain[i]!;
  }

  function scores(lanes: readonly number[]): readonly Scores[] {
    const { met, unmet, roughAt, roughUnits } = tokens;
    const rows = roughUnits.length;
    const worth = lanes.map((lane, i) => {
      norm(stream, weights.lastNorm, lane, normed);
      const unit = quantise(normed, lane * width, whole, LARGEST_16);
      input.set(whole, i * width);
      return unit;
    });
    kernel.dots8(roughAt, bandBytes(width, 1), rows, width, input.byteOffset, lanes.length, output.byteOffset);
    return lanes.map((lane, i) => {
      const found = foundBy[i]!;
      const start = i * rows;
      const unit = worth[i]!;
      let most = Number.NEGATIVE_INFINITY;
      for (let row = 0; row < found.length; row++) {
        const score = output[start + row]! * roughUnits[row]! * unit;
        found[row] = score;
        if (score > most) most = score;
      }
      for (let row = 0; row < found.length; row++) {
        if (found[row]! > most - NEAR) found[row] = exactly(met[row]!, lane);
      }
      return { met: found, unmet: exactly(unmet, lane) };
    });
  }

  function exactly(token: number, lane: number): number {
    let sum = 0;
    for (let i = 0; i < width; i++) sum += tokens.exact[token * width + i]! * normed[lane * width + i]!;
    return sum * tokens.exactUnits[token]!;
  }

  return { step, scores };
}
