import { type Refusal, refuse } from '../../../core/refusal.ts';
import { type Capabilities, type Completion, type FramePart, type FrameText, type Hole, isHole } from '../../model.ts';
import type { Draw } from './sampler.ts';
import { BEGIN, type Tokenizer as WholeTokenizer } from './tokenizer.ts';
import { withoutLastSpace } from './writer.ts';

type Tokenizer = Pick<WholeTokenizer, 'encode' | 'isByte' | 'bytesOf'>;

/** A request, checked and measured. */
export interface Work {
  /** What is read once, for all choices. */
  readonly tokens: readonly number[];
  readonly dropped: number;
  readonly owed: string;
  readonly parts: readonly FramePart[];
  readonly framed: boolean;
  readonly n: number;
  readonly draw: Draw;
}

const DEFAULT_MAX_TOKENS = 50;
/** What is left of a long prompt at the least, when its beginning may be dropped. */
const KEPT = 64;

export function planWork(request: Completion, tokenizer: Tokenizer, limits: Capabilities): Work | Refusal {
  const wrong = problemWith(request, limits);
  if (wrong !== undefined) return refuse('malformed', wrong);
  if (!request.prompt.isWellFormed()) {
    return refuse('unacceptable_text', 'The prompt has half a character (a lone surrogate) in it: remove it.');
  }
  const framed = request.frame !== undefined;
  const asked: readonly FramePart[] = request.frame ?? [
    { maxTokens: request.maxTokens ?? DEFAULT_MAX_TOKENS, ...(request.stop && { stop: request.stop }) },
  ];
  const lead = asked.findIndex(isHole);
  const [text, owed] = withoutLastSpace(request.prompt + asked.slice(0, lead).map(readOf).join(''), asked[lead]);
  const all = [BEGIN, ...tokenizer.encode(text)];
  const parts = request.truncate === 'left' ? narrow(asked, lead, all.length, tokenizer, limits.context) : asked;
  const room = limits.context - parts.slice(lead).reduce((sum, part) => sum + tokensOf(part, tokenizer), 0);
  const fitting = shorten(all, room, request.truncate, tokenizer, limits.context);
  if ('refusal' in fitting) return fitting;
  return {
    ...fitting,
    owed,
    parts: parts.map((part, i) => (i < lead ? { write: (part as FrameText).write, read: '' } : part)),
    framed,
    n: request.n ?? 1,
    draw: {
      temperature: request.temperature ?? 1,
      topP: request.topP ?? 1,
      topK: request.topK ?? 0,
      alternatives: request.logprobs,
    },
  };
}

/** Whoever lets the prompt be cut wants an answer in any case: holes too large for the context become smaller. */
function narrow(
  parts: readonly FramePart[],
  lead: number,
  prompt: number,
  tokenizer: Tokenizer,
  context: number,
): readonly FramePart[] {
  const holes = parts.filter(isHole);
  const wanted = holes.reduce((sum, hole) => sum + hole.maxTokens, 0);
  const written = parts.slice(lead).reduce((sum, part) => sum + (isHole(part) ? 0 : tokensOf(part, tokenizer)), 0);
  const room = Math.max(holes.length, context - written - Math.min(prompt, KEPT));
  if (wanted <= room) return parts;
  const share = (hole: Hole) => Math.max(1, Math.floor((hole.maxTokens / wanted) * room));
  return parts.map((part) => (isHole(part) ? { ...part, maxTokens: share(part) } : part));
}

/** Drops the oldest tokens until the rest fits, never in the middle of a character. */
function shorten(
  all: readonly number[],
  room: number,
  truncate: 'left' | undefined,
  tokenizer: Tokenizer,
  context: number,
): Pick<Work, 'tokens' | 'dropped'> | Refusal {
  if (all.length <= room) return { tokens: all, dropped: 0 };
  if (truncate !== 'left' || room < 1) {
    const answer = context - room;
    return refuse(
      'context_too_small',
      `The prompt is ${all.length} tokens and the answer may take ${answer}, but this model's context is ${context} ` +
        'tokens: shorten one of them, or let the beginning of the prompt be dropped.',
      { context, promptTokens: all.length, answerTokens: answer },
    );
  }
  let from = all.length - (room - 1);
  while (from < all.length && isContinuation(tokenizer, all[from]!)) from++;
  return { tokens: [BEGIN, ...all.slice(from)], dropped: from - 1 };
}

function isContinuation(tokenizer: Tokenizer, token: number): boolean {
  return tokenizer.isByte(token) && (tokenizer.bytesOf(token)[0]! & 0xc0) === 0x80;
}

function readOf(part: FramePart): string {
  return isHole(part) ? '' : (part.read ?? part.write);
}

function tokensOf(part: FramePart, tokenizer: Tokenizer): number {
  return isHole(part) ? part.maxTokens : tokenizer.encode(readOf(part), true).length;
}

function problemWith(request: Completion, limits: Capabilities): string | undefined {
  const { n = 1, temperature = 1, topP = 1, topK = 0, logprobs = 0, seed = 0, frame } = request;
  const holes = frame?.filter(isHole);
  const lengths = holes?.map((hole) => hole.maxTokens) ?? [request.maxTokens ?? 1];
  const stops = [...(request.stop ?? []), ...(holes?.flatMap((hole) => hole.stop ?? []) ?? [])];
  if (request.suffix !== undefined) return 'This model does not fill in the middle: leave out "suffix".';
  if (!isWhole(n, 1, limits.n)) return `"n" is ${n}: it can be 1 to ${limits.n}.`;
  if (!(temperature >= 0 && temperature <= 100)) return `"temperature" is ${temperature}: it can be 0 to 100.`;
  if (!(topP > 0 && topP <= 1)) return `"topP" is ${topP}: it can be more than 0, up to 1.`;
  if (!isWhole(topK, 0, Number.MAX_SAFE_INTEGER)) return `"topK" is ${topK}: it can be 0 (all) or more.`;
  if (!isWhole(logprobs, 0, limits.logprobs)) return `"logprobs" is ${logprobs}: it can be 0 to ${limits.logprobs}.`;
  if (!isWhole(seed, 0, Number.MAX_SAFE_INTEGER)) return `"seed" is ${seed}: it can be any whole number from 0 on.`;
  if (holes?.length === 0) return 'The frame has no hole for the model to fill.';
  if (lengths.some((length) => !isWhole(length, 1, Number.MAX_SAFE_INTEGER))) return '"maxTokens" is to be 1 or more.';
  if (stops.includes('')) return 'A stop text is empty: it would stop before the first word.';
  return undefined;
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}
