import { type Refusal, refuse } from '../../../core/refusal.ts';
import { isIntegerBetween } from '../../../core/util/integers.ts';
import {
  type Capabilities,
  type Completion,
  type FrameHole,
  type FramePart,
  type FrameText,
  isHole,
} from '../../model.ts';
import type { DrawOptions } from './sampler.ts';
import { BEGIN, type Tokenizer as FullTokenizer } from './tokenizer.ts';
import { withoutLastSpace } from './writer.ts';

type PlanTokenizer = Pick<FullTokenizer, 'encode' | 'isByte' | 'bytesOf'>;

/** A request after validation and token counting. */
export interface GenerationPlan {
  /** The prompt, read once for all choices. */
  readonly tokens: readonly number[];
  readonly dropped: number;
  readonly pendingSpace: string;
  readonly parts: readonly FramePart[];
  readonly framed: boolean;
  readonly n: number;
  readonly drawOptions: DrawOptions;
}

const DEFAULT_MAX_TOKENS = 50;
/** The minimum length of a long prompt after its beginning is dropped. */
const MIN_PROMPT_TOKENS = 64;

export function planGeneration(
  request: Completion,
  tokenizer: PlanTokenizer,
  limits: Capabilities,
): GenerationPlan | Refusal {
  const problem = findRequestProblem(request, limits);
  if (problem !== undefined) return refuse('malformed', problem);
  if (!request.prompt.isWellFormed()) {
    return refuse('unacceptable_text', 'The prompt contains half a character (a lone surrogate): remove it.');
  }
  const framed = request.frame !== undefined;
  const requestedParts: readonly FramePart[] = request.frame ?? [
    { maxTokens: request.maxTokens ?? DEFAULT_MAX_TOKENS, ...(request.stop && { stop: request.stop }) },
  ];
  const firstHole = requestedParts.findIndex(isHole);
  const [text, pendingSpace] = withoutLastSpace(
    request.prompt + requestedParts.slice(0, firstHole).map(readTextOf).join(''),
    requestedParts[firstHole],
  );
  const promptTokens = [BEGIN, ...tokenizer.encode(text)];
  const parts =
    request.truncate === 'left'
      ? shrinkHoles(requestedParts, firstHole, promptTokens.length, tokenizer, limits.context)
      : requestedParts;
  const maxPromptTokens =
    limits.context - parts.slice(firstHole).reduce((sum, part) => sum + countPartTokens(part, tokenizer), 0);
  const fittedPrompt = shortenPrompt(promptTokens, maxPromptTokens, request.truncate, tokenizer, limits.context);
  if ('refusal' in fittedPrompt) return fittedPrompt;
  return {
    ...fittedPrompt,
    pendingSpace,
    parts: parts.map((part, i) => (i < firstHole ? { write: (part as FrameText).write, read: '' } : part)),
    framed,
    n: request.n ?? 1,
    drawOptions: {
      temperature: request.temperature ?? 1,
      topP: request.topP ?? 1,
      topK: request.topK ?? 0,
      alternatives: request.logprobs,
    },
  };
}

/** A caller that allows truncation wants an answer in any case, so holes too large for the context are made smaller. */
function shrinkHoles(
  parts: readonly FramePart[],
  firstHole: number,
  promptLength: number,
  tokenizer: PlanTokenizer,
  context: number,
): readonly FramePart[] {
  const holes = parts.filter(isHole);
  const requestedTokens = holes.reduce((sum, hole) => sum + hole.maxTokens, 0);
  const frameTokens = parts
    .slice(firstHole)
    .reduce((sum, part) => sum + (isHole(part) ? 0 : countPartTokens(part, tokenizer)), 0);
  const holeTokens = Math.max(holes.length, context - frameTokens - Math.min(promptLength, MIN_PROMPT_TOKENS));
  if (requestedTokens <= holeTokens) return parts;
  const shareOf = (hole: FrameHole) => Math.max(1, Math.floor((hole.maxTokens / requestedTokens) * holeTokens));
  return parts.map((part) => (isHole(part) ? { ...part, maxTokens: shareOf(part) } : part));
}

/** Drops the oldest tokens until the rest fits, never splitting a character. */
function shortenPrompt(
  promptTokens: readonly number[],
  maxTokens: number,
  truncate: 'left' | undefined,
  tokenizer: PlanTokenizer,
  context: number,
): Pick<GenerationPlan, 'tokens' | 'dropped'> | Refusal {
  if (promptTokens.length <= maxTokens) return { tokens: promptTokens, dropped: 0 };
  if (truncate !== 'left' || maxTokens < 1) {
    const answerTokens = context - maxTokens;
    return refuse(
      'context_too_small',
      `The prompt is ${promptTokens.length} tokens and the answer may take ${answerTokens}, but this model's context is ${context} ` +
        'tokens: shorten one of them, or let the beginning of the prompt be dropped.',
      { context, promptTokens: promptTokens.length, answerTokens: answerTokens },
    );
  }
  let start = promptTokens.length - (maxTokens - 1);
  while (start < promptTokens.length && isContinuation(tokenizer, promptTokens[start]!)) start++;
  return { tokens: [BEGIN, ...promptTokens.slice(start)], dropped: start - 1 };
}

function isContinuation(tokenizer: PlanTokenizer, token: number): boolean {
  return tokenizer.isByte(token) && (tokenizer.bytesOf(token)[0]! & 0xc0) === 0x80;
}

function readTextOf(part: FramePart): string {
  return isHole(part) ? '' : (part.read ?? part.write);
}

function countPartTokens(part: FramePart, tokenizer: PlanTokenizer): number {
  return isHole(part) ? part.maxTokens : tokenizer.encode(readTextOf(part), true).length;
}

function findRequestProblem(request: Completion, limits: Capabilities): string | undefined {
  const { n = 1, temperature = 1, topP = 1, topK = 0, logprobs = 0, seed = 0, frame } = request;
  const holes = frame?.filter(isHole);
  const lengths = holes?.map((hole) => hole.maxTokens) ?? [request.maxTokens ?? 1];
  const stops = [...(request.stop ?? []), ...(holes?.flatMap((hole) => hole.stop ?? []) ?? [])];
  if (request.suffix !== undefined) return 'This model does not fill in the middle: leave out "suffix".';
  if (!isIntegerBetween(n, 1, limits.n)) return `"n" is ${n}: it can be 1 to ${limits.n}.`;
  if (!(temperature >= 0 && temperature <= 100)) return `"temperature" is ${temperature}: it can be 0 to 100.`;
  if (!(topP > 0 && topP <= 1)) return `"topP" is ${topP}: it can be more than 0, up to 1.`;
  if (!isIntegerBetween(topK, 0, Number.MAX_SAFE_INTEGER)) return `"topK" is ${topK}: it can be 0 (all) or more.`;
  if (!isIntegerBetween(logprobs, 0, limits.logprobs))
    return `"logprobs" is ${logprobs}: it can be 0 to ${limits.logprobs}.`;
  if (!isIntegerBetween(seed, 0, Number.MAX_SAFE_INTEGER))
    return `"seed" is ${seed}: it can be any whole number from 0 on.`;
  if (holes?.length === 0) return 'The frame has no hole for the model to fill.';
  if (lengths.some((length) => !isIntegerBetween(length, 1, Number.MAX_SAFE_INTEGER)))
    return '"maxTokens" must be 1 or more.';
  if (stops.includes('')) return 'A stop text is empty: it would stop before the first word.';
  return undefined;
}
