import type { Scores } from '../small/transformer.ts';
import type { TokenRows } from '../small/weights.ts';

export interface Draw {
  readonly temperature: number;
  readonly topP: number;
  /** 0 for all. */
  readonly topK: number;
  /** How many likeliest tokens to tell beside the one drawn; undefined to tell no probabilities. */
  readonly alternatives: number | undefined;
}

export interface Drawn {
  readonly token: number;
  readonly logprob: number;
  readonly alternatives: readonly { readonly token: number; readonly logprob: number }[];
}

/** By row of `met`: 1 where a token may not be drawn. */
export type Mask = Uint8Array;

/** Beyond this a token is less likely than one in a million million of the likeliest. */
const FAR = -28;

/** Draws tokens. Those that training never met are not drawn: nothing is known of them. */
export function createSampler({ met, exactUnits }: TokenRows) {
  const unmetCount = exactUnits.length - met.length;
  const rows = new Int32Array(met.length);
  const shares = new Float64Array(met.length);

  function draw(scores: Scores, options: Draw, mask: Mask, random: () => number): Drawn {
    const row = options.temperature === 0 ? likeliest(scores, mask) : drawRow(scores, options, mask, random);
    const token = met[row]!;
    if (options.alternatives === undefined) return { token, logprob: 0, alternatives: [] };
    const total = logOfSum(scores);
    const alternatives = best(scores.met, options.alternatives).map((other) => ({
      token: met[other]!,
      logprob: scores.met[other]! - total,
    }));
    return { token, logprob: scores.met[row]! - total, alternatives };
  }

  function drawRow(scores: Scores, { temperature, topP, topK }: Draw, mask: Mask, random: () => number): number {
    const most = scores.met[likeliest(scores, mask)]!;
    let count = 0;
    let sum = 0;
    for (let row = 0; row < met.length; row++) {
      const distance = (scores.met[row]! - most) / temperature;
      if (mask[row] || distance < FAR) continue;
      rows[count] = row;
      shares[count] = Math.exp(distance);
      sum += shares[count++]!;
    }
    if ((topK > 0 && topK < count) || topP < 1) {
      const kept = narrow(count, topK, topP);
      return pick(
        kept.map((at) => [rows[at]!, shares[at]!]),
        random,
      );
    }
    let left = random() * sum;
    for (let at = 0; at < count; at++) {
      left -= shares[at]!;
      if (left < 0) return rows[at]!;
    }
    return rows[count - 1]!;
  }

  /** The likeliest `topK`, and of those the fewest that make up `topP`. */
  function narrow(count: number, topK: number, topP: number): readonly number[] {
    let least = 0;
    if (topK > 0 && topK < count) least = shares.slice(0, count).sort()[count - topK]!;
    const places: number[] = [];
    for (let at = 0; at < count; at++) if (shares[at]! >= least) places.push(at);
    places.sort((a, b) => shares[b]! - shares[a]! || a - b);
    if (topK > 0) places.length = Math.min(places.length, topK);
    const enough = topP * places.reduce((sum, at) => sum + shares[at]!, 0);
    let sum = 0;
    const last = places.findIndex((at) => {
      sum += shares[at]!;
      return sum >= enough;
    });
    return last < 0 ? places : places.slice(0, last + 1);
  }

  function logOfSum({ met: scores, unmet }: Scores): number {
    let most = unmet;
    for (const score of scores) if (score > most) most = score;
    let sum = unmetCount * Math.exp(unmet - most);
    for (const score of scores) if (score - most > FAR) sum += Math.exp(score - most);
    return most + Math.log(sum);
  }

  return { draw };
}

function pick(choices: readonly (readonly [row: number, share: number])[], random: () => number): number {
  let left = random() * choices.reduce((sum, [, share]) => sum + share, 0);
  for (const [row, share] of choices) {
    left -= share;
    if (left < 0) return row;
  }
  return choices[choices.length - 1]![0];
}

function likeliest({ met }: Scores, mask: Mask): number {
  let best = -1;
  for (let row = 0; row < met.length; row++) {
    if (!mask[row] && (best < 0 || met[row]! > met[best]!)) best = row;
  }
  if (best < 0) throw new Error('Every token is masked.');
  return best;
}

/** The rows of the `count` highest scores, highest first. */
function best(scores: Float64Array, count: number): readonly number[] {
  const found: number[] = [];
  for (let row = 0; row < scores.length; row++) {
    if (found.length === count && scores[row]! <= scores[found[count - 1]!]!) continue;
    let at = found.length;
    while (at > 0 && scores[found[at - 1]!]! < scores[row]!) at--;
    found.splice(at, 0, row);
    if (found.length > count) found.pop();
  }
  return found;
}
