import { type Matrix, multiply } from '../kernel/matrix.ts';
import { LARGEST_16, quantise, split, splitFor } from '../kernel/numbers.ts';
import { bandBytes, putColumn, putRow } from '../kernel/tiles.ts';
import { type KeyValueCache, LANES, type WorkingMemory } from './memory.ts';
import type { TransformerLayer, TransformerWeights } from './weights.ts';

/*
 * A Llama-shaped transformer. A lane is one token of one text at one position; lanes are processed together, so that
 * weights are read once for all of them. They may belong to siblings that grow in parallel or be consecutive tokens
 * of a prompt: the keys and values of all lanes are stored before any lane attends, and each attends only to
 * positions up to its own.
 *
 * The kernel computes every product of many numbers with integers. The result of a lane therefore depends only on its
 * own text: not on the other lanes, the thread it runs on or the instructions the machine has.
 */

export interface TransformerLane {
  readonly cache: KeyValueCache;
  readonly position: number;
  readonly token: number;
}

export interface Transformer {
  /** Runs the lanes (at most LANES of them) through all layers. */
  step(lanes: readonly TransformerLane[]): void;
  /** The scores of the next token for these lanes of the last step; valid until the next call. */
  scores(lanes: readonly number[]): readonly Scores[];
}

/** Log probabilities of tokens, up to a common constant. */
export interface Scores {
  /** The score of each token that occurred in training, in the order of `TokenRows.trained`. */
  readonly trained: Float64Array;
  /** The score of any other token. */
  readonly untrained: number;
}

/** Rough scores this close to the highest are recomputed exactly. */
const EXACT_MARGIN = 1;

export function createTransformer(weights: TransformerWeights, { input, output }: WorkingMemory): Transformer {
  const { shape, kernel, tokens, cosines, sines } = weights;
  const { width, hidden, heads, headWidth, context } = shape;

  const stream = new Float64Array(LANES * width);
  const normed = new Float64Array(LANES * width);
  const projections = new Float64Array(LANES * 3 * width);
  const attended = new Float64Array(LANES * width);
  const gateInputs = new Float64Array(LANES * 2 * hidden);
  const gateOutputs = new Float64Array(LANES * hidden);
  const delta = new Float64Array(LANES * width);
  const attention = new Float64Array(context);
  const integers = new Int16Array(headWidth);
  const quantised = new Int16Array(width);
  const scoresByLane = Array.from({ length: LANES }, () => new Float64Array(tokens.trained.length));
  const querySplit = splitFor(headWidth, LARGEST_16 * Math.sqrt(headWidth));
  const mixSplits = Array.from({ length: context / 8 + 1 }, (_, blocks) =>
    splitFor(Math.max(blocks, 1) * 8, LARGEST_16 * Math.sqrt(Math.max(blocks, 1) * 8)),
  );

  function step(lanes: readonly TransformerLane[]): void {
    lanes.forEach(({ token }, lane) => {
      const unit = tokens.exactUnits[token]!;
      for (let i = 0; i < width; i++) stream[lane * width + i] = tokens.exact[token * width + i]! * unit;
    });
    weights.layers.forEach((layer, depth) => {
      attend(layer, depth, lanes);
      feedForward(layer, lanes.length);
    });
  }

  /** Each lane attends to the tokens before it, and adds the result. */
  function attend(layer: TransformerLayer, depth: number, lanes: readonly TransformerLane[]): void {
    for (let lane = 0; lane < lanes.length; lane++) normalise(stream, layer.attentionNorm, lane, normed);
    project(layer.attentionIn, normed, lanes.length, projections);
    lanes.forEach((lane, i) => {
      const queries = i * 3 * width;
      rotate(queries, lane.position);
      rotate(queries + width, lane.position);
      for (let head = 0; head < heads; head++) storeKeyValue(lane, depth * heads + head, queries + head * headWidth);
    });
    lanes.forEach((lane, i) => {
      for (let head = 0; head < heads; head++) {
        const offset = head * headWidth;
        attendHead(lane, depth * heads + head, i * 3 * width + offset, i * width + offset);
      }
    });
    project(layer.attentionOut, attended, lanes.length, delta);
    for (let i = 0; i < lanes.length * width; i++) stream[i]! += delta[i]!;
  }

  /** Each lane separately: widen, gate, narrow, add. */
  function feedForward(layer: TransformerLayer, lanes: number): void {
    for (let lane = 0; lane < lanes; lane++) normalise(stream, layer.hiddenNorm, lane, normed);
    project(layer.hiddenIn, normed, lanes, gateInputs);
    for (let lane = 0; lane < lanes; lane++) {
      const gate = lane * 2 * hidden;
      for (let i = 0; i < hidden; i++) {
        const value = gateInputs[gate + i]!;
        gateOutputs[lane * hidden + i] = (value / (1 + Math.exp(-value))) * gateInputs[gate + hidden + i]!;
      }
    }
    project(layer.hiddenOut, gateOutputs, lanes, delta);
    for (let i = 0; i < lanes * width; i++) stream[i]! += delta[i]!;
  }

  /** Rotary positions: pairs of numbers are rotated by an angle that depends on the position. */
  function rotate(at: number, position: number): void {
    const half = headWidth / 2;
    for (let pair = 0; pair < half; pair++) {
      const cosine = cosines[position * half + pair]!;
      const sine = sines[position * half + pair]!;
      for (let i = at + 2 * pair; i < at + width; i += headWidth) {
        const real = projections[i]!;
        const imaginary = projections[i + 1]!;
        projections[i] = real * cosine - imaginary * sine;
        projections[i + 1] = real * sine + imaginary * cosine;
      }
    }
  }

  function storeKeyValue({ cache, position }: TransformerLane, head: number, query: number): void {
    const unitIndex = head * context + position;
    const start = head * context * headWidth;
    cache.keyUnits[unitIndex] = quantise(projections, query + width, integers, LARGEST_16);
    putRow(cache.keys, start, position, headWidth, integers);
    cache.valueUnits[unitIndex] = quantise(projections, query + 2 * width, integers, LARGEST_16);
    putColumn(cache.values, start, position, context, integers);
  }

  /** One head: matches the query with every key so far, and mixes the values in that proportion. */
  function attendHead({ cache, position }: TransformerLane, head: number, query: number, target: number): void {
    const count = position + 1;
    const first = head * context;
    const rows = Math.ceil(count / 4) * 4;
    const keys = cache.keys.byteOffset + 2 * first * headWidth;
    const unit = split(projections, query, querySplit, input, 0) / Math.sqrt(headWidth);
    kernel.dots16(keys, bandBytes(headWidth, 2), rows, headWidth, input.byteOffset, 2, output.byteOffset);
    let highest = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const fit = (output[i]! * querySplit.step + output[rows + i]!) * unit * cache.keyUnits[first + i]!;
      attention[i] = fit;
      if (fit > highest) highest = fit;
    }
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const share = Math.exp(attention[i]! - highest);
      attention[i] = share * cache.valueUnits[first + i]!;
      sum += share;
    }
    const mix = mixSplits[Math.ceil(count / 8)]!;
    attention.fill(0, count, mix.count);
    const values = cache.values.byteOffset + 2 * first * headWidth;
    const valueUnit = split(attention, 0, mix, input, 0) / sum;
    kernel.dots16(values, bandBytes(context, 2), headWidth, mix.count, input.byteOffset, 2, output.byteOffset);
    for (let i = 0; i < headWidth; i++)
      attended[target + i] = (output[i]! * mix.step + output[headWidth + i]!) * valueUnit;
  }

  function project(matrix: Matrix, x: Float64Array, lanes: number, y: Float64Array): void {
    multiply(kernel, input, output, matrix, x, lanes, y);
  }

  function normalise(x: Float64Array, gain: Float64Array, lane: number, y: Float64Array): void {
    const at = lane * width;
    let squares = 0;
    for (let i = 0; i < width; i++) squares += x[at + i]! * x[at + i]!;
    const scale = 1 / Math.sqrt(squares / width + 1e-5);
    for (let i = 0; i < width; i++) y[at + i] = x[at + i]! * scale * gain[i]!;
  }

  function scores(lanes: readonly number[]): readonly Scores[] {
    const { trained, untrained, roughAt, roughUnits } = tokens;
    const rows = roughUnits.length;
    const units = lanes.map((lane, i) => {
      normalise(stream, weights.lastNorm, lane, normed);
      const unit = quantise(normed, lane * width, quantised, LARGEST_16);
      input.set(quantised, i * width);
      return unit;
    });
    kernel.dots8(roughAt, bandBytes(width, 1), rows, width, input.byteOffset, lanes.length, output.byteOffset);
    return lanes.map((lane, i) => {
      const laneScores = scoresByLane[i]!;
      const start = i * rows;
      const unit = units[i]!;
      let highest = Number.NEGATIVE_INFINITY;
      for (let row = 0; row < laneScores.length; row++) {
        const score = output[start + row]! * roughUnits[row]! * unit;
        laneScores[row] = score;
        if (score > highest) highest = score;
      }
      for (let row = 0; row < laneScores.length; row++) {
        if (laneScores[row]! > highest - EXACT_MARGIN) laneScores[row] = exactScore(trained[row]!, lane);
      }
      return { trained: laneScores, untrained: exactScore(untrained, lane) };
    });
  }

  function exactScore(token: number, lane: number): number {
    let sum = 0;
    for (let i = 0; i < width; i++) sum += tokens.exact[token * width + i]! * normed[lane * width + i]!;
    return sum * tokens.exactUnits[token]!;
  }

  return { step, scores };
}
