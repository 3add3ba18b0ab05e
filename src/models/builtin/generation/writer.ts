import {
  type Chunk,
  type EndChunk,
  type FrameHole,
  type FramePart,
  type FrameText,
  isHole,
  type ModelToken,
} from '../../model.ts';
import type { Scores } from '../small/transformer.ts';
import type { Masks } from './masks.ts';
import type { DrawOptions, Mask, SampledToken } from './sampler.ts';
import { createHoleOutput, type TextOutput } from './text-output.ts';
import { BEGIN, END, type Tokenizer } from './tokenizer.ts';

/** Writes one choice: samples tokens from scores, adds the frame's own text, and decides when to end. */
export interface ChoiceWriter {
  /** Goes as far as it can; returns the tokens the model must read to continue, or none when the choice has ended. */
  advance(scores: Scores): readonly number[];
  cancel(): void;
  readonly hasEnded: boolean;
  readonly generatedTokens: number;
}

export interface ChoicePlan {
  readonly choice: number;
  readonly parts: readonly FramePart[];
  /** Holes of a frame obey rules that free text does not. */
  readonly framed: boolean;
  /** The space the prompt ended with; it is left to the first token, where models expect it. */
  readonly pendingSpace: string;
  readonly drawOptions: DrawOptions;
}

interface WriterTools {
  readonly tokenizer: Tokenizer;
  readonly masks: Masks;
  readonly sample: (scores: Scores, draw: DrawOptions, mask: Mask, random: () => number) => SampledToken;
  readonly random: () => number;
  readonly send: (chunk: Chunk) => void;
}

export function createWriter(
  { choice, parts, framed, pendingSpace: initialSpace, drawOptions }: ChoicePlan,
  tools: WriterTools,
): ChoiceWriter {
  const { tokenizer, masks, sample, random, send } = tools;
  let partIndex = 0;
  let pendingSpace = initialSpace;
  let openHole: { readonly hole: FrameHole; readonly outlet: TextOutput; left: number } | undefined;
  let reason: EndChunk['reason'] = 'stop';
  let hasEnded = false;
  let generatedTokens = 0;

  function advance(scores: Scores): readonly number[] {
    const tokensToRead: number[] = [];
    while (!hasEnded && (tokensToRead.length === 0 || !openHole)) {
      const part = parts[partIndex];
      if (part === undefined) endChoice(reason);
      else if (!isHole(part)) tokensToRead.push(...writeText(part));
      else if (tokensToRead.length > 0) break;
      else tokensToRead.push(...fillHole(part, scores));
    }
    return hasEnded ? [] : tokensToRead;
  }

  function writeText(part: FrameText): readonly number[] {
    partIndex++;
    if (part.write !== '') send({ type: 'text', choice, text: part.write, framed: true });
    const readText = part.read ?? part.write;
    if (readText === '') return [];
    const [text, space] = withoutLastSpace(readText, parts[partIndex]);
    pendingSpace = space;
    return tokenizer.encode(text, true);
  }

  /** Samples one token for a hole; returns the tokens the model must read. */
  function fillHole(hole: FrameHole, scores: Scores): readonly number[] {
    openHole ??= { hole, outlet: outputFor(hole), left: hole.maxTokens };
    const isFirst = openHole.left === hole.maxTokens;
    const { token, ...rest } = sample(scores, drawOptions, maskFor(hole, isFirst), random);
    generatedTokens++;
    openHole.left--;
    if (token === BEGIN || token === END) return closeHole('stop', []);
    const { stopped, keptText: kept } = openHole.outlet.push(tokenizer.bytesOf(token), describeToken(rest));
    if (stopped) return closeHole('stop', tokenizer.encode(kept, true));
    return openHole.left === 0 ? closeHole('length', [token]) : [token];
  }

  function closeHole(endReason: 'stop' | 'length', unread: readonly number[]): readonly number[] {
    openHole?.outlet.flush();
    openHole = undefined;
    pendingSpace = '';
    if (endReason === 'length') reason = 'length';
    partIndex++;
    return unread;
  }

  function maskFor({ stop = [] }: FrameHole, isFirst: boolean): Mask {
    if (!framed) return masks.free(isFirst ? pendingSpace : '');
    return isFirst ? masks.holeStart(stop, pendingSpace) : masks.inHole;
  }

  function outputFor(hole: FrameHole): TextOutput {
    return createHoleOutput(hole, { framed, pendingSpace }, (text, tokens) =>
      send({ type: 'text', choice, text, ...(tokens && { tokens }) }),
    );
  }

  function describeToken({ logprob, alternatives }: Omit<SampledToken, 'token'>): Omit<ModelToken, 'text'> | undefined {
    if (drawOptions.alternatives === undefined) return undefined;
    const namedAlternatives = alternatives.map((other) => ({
      text: tokenizer.textOf(other.token),
      logprob: other.logprob,
    }));
    return { logprob, alternatives: namedAlternatives };
  }

  function endChoice(endReason: EndChunk['reason']): void {
    if (hasEnded) return;
    hasEnded = true;
    send({ type: 'end', choice, reason: endReason });
  }

  return {
    advance,
    cancel() {
      openHole?.outlet.flush();
      endChoice('cancelled');
    },
    get hasEnded() {
      return hasEnded;
    },
    get generatedTokens() {
      return generatedTokens;
    },
  };
}

/** A space before a hole belongs to the hole's first word, because pieces include their leading space. */
export function withoutLastSpace(text: string, next: FramePart | undefined): readonly [text: string, space: string] {
  return next && isHole(next) && text.endsWith(' ') ? [text.slice(0, -1), ' '] : [text, ''];
}
