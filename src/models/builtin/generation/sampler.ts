import type { Scores } from '../small/transformer.ts';
import type { TokenRows } from '../small/weights.ts';

export interface DrawOptions {
  readonly temperature: number;
  readonly topP: number;
  /** 0 means no limit. */
  readonly topK: number;
  /** How many of the likeliest tokens to report besides the sampled one; undefined to report no probabilities. */
  readonly alternatives: number | undefined;
}

export interface SampledToken {
  readonly token: number;
  readonly logprob: number;
  readonly alternatives: readonly { readonly token: number; readonly logprob: number }[];
}

/** By row of `trained`: 1 where a token must not be sampled. */
export type Mask = Uint8Array;

/** Below this a token is less than one in a million million as likely as the likeliest. */
const NEGLIGIBLE = -28;

/** Samples tokens. Tokens that never occurred in training are not sampled, because nothing is known about them. */
export function createSampler({ trained: trainedTokens, exactUnits }: TokenRows) {
  const untrainedCount = exactUnits.length - trainedTokens.length;
  const rows = new Int32Array(trainedTokens.length);
  const shares = new Float64Array(trainedTokens.length);

  function draw(scores: Scores, options: DrawOptions, mask: Mask, random: () => number): SampledToken {
    const row = options.temperature === 0 ? likeliestRow(scores, mask) : drawRow(scores, options, mask, random);
    const token = trainedTokens[row]!;
    if (options.alternatives === undefined) return { token, logprob: 0, alternatives: [] };
    const logTotal = logSumExp(scores);
    const alternatives = topRows(scores.trained, options.alternatives).map((other) => ({
      token: trainedTokens[other]!,
      logprob: scores.trained[other]! - logTotal,
    }));
    return { token, logprob: scores.trained[row]! - logTotal, alternatives };
  }

  function drawRow(scores: Scores, { temperature, topP, topK }: DrawOptions, mask: Mask, random: () => number): number {
    const topScore = scores.trained[likeliestRow(scores, mask)]!;
    let count = 0;
    let sum = 0;
    for (let row = 0; row < trainedTokens.length; row++) {
      const distance = (scores.trained[row]! - topScore) / temperature;
      if (mask[row] || distance < NEGLIGIBLE) continue;
      rows[count] = row;
      shares[count] = Math.exp(distance);
      sum += shares[count++]!;
    }
    if ((topK > 0 && topK < count) || topP < 1) {
      const candidates = narrowCandidates(count, topK, topP);
      return pickRow(
        candidates.map((index) => [rows[index]!, shares[index]!]),
        random,
      );
    }
    let remaining = random() * sum;
    for (let index = 0; index < count; index++) {
      remaining -= shares[index]!;
      if (remaining < 0) return rows[index]!;
    }
    return rows[count - 1]!;
  }

  /** The likeliest `topK`, and of those the fewest that make up `topP`. */
  function narrowCandidates(count: number, topK: number, topP: number): readonly number[] {
    let minShare = 0;
    if (topK > 0 && topK < count) minShare = shares.slice(0, count).sort()[count - topK]!;
    const indices: number[] = [];
    for (let index = 0; index < count; index++) if (shares[index]! >= minShare) indices.push(index);
    indices.sort((a, b) => shares[b]! - shares[a]! || a - b);
    if (topK > 0) indices.length = Math.min(indices.length, topK);
    const shareLimit = topP * indices.reduce((sum, index) => sum + shares[index]!, 0);
    let sum = 0;
    const last = indices.findIndex((index) => {
      sum += shares[index]!;
      return sum >= shareLimit;
    });
    return last < 0 ? indices : indices.slice(0, last + 1);
  }

  function logSumExp({ trained: trainedScores, untrained }: Scores): number {
    let topScore = untrained;
    for (const score of trainedScores) if (score > topScore) topScore = score;
    let sum = untrainedCount * Math.exp(untrained - topScore);
    for (const score of trainedScores) if (score - topScore > NEGLIGIBLE) sum += Math.exp(score - topScore);
    return topScore + Math.log(sum);
  }

  return { draw };
}

function pickRow(choices: readonly (readonly [row: number, share: number])[], random: () => number): number {
  let remaining = random() * choices.reduce((sum, [, share]) => sum + share, 0);
  for (const [row, share] of choices) {
    remaining -= share;
    if (remaining < 0) return row;
  }
  return choices[choices.length - 1]![0];
}

function likeliestRow({ trained: scores }: Scores, mask: Mask): number {
  let bestRow = -1;
  for (let row = 0; row < scores.length; row++) {
    if (!mask[row] && (bestRow < 0 || scores[row]! > scores[bestRow]!)) bestRow = row;
  }
  if (bestRow < 0) throw new Error('Every token is masked.');
  return bestRow;
}

/** The rows of the `count` highest scores, highest first. */
function topRows(scores: Float64Array, count: number): readonly number[] {
  const rows: number[] = [];
  for (let row = 0; row < scores.length; row++) {
    if (rows.length === count && scores[row]! <= scores[rows[count - 1]!]!) continue;
    let index = rows.length;
    while (index > 0 && scores[rows[index - 1]!]! < scores[row]!) index--;
    rows.splice(index, 0, row);
    if (rows.length > count) rows.pop();
  }
  return rows;
}
