import { TextDecoder } from 'node:util';
import { z } from 'zod';
import type { Alternative, Token } from '../../model.ts';
import { WireFault } from '../errors/wire-fault.ts';
import type { Piece } from '../pieces.ts';
import { createThinkingFilter, type ThinkingFilter } from './thinking.ts';

/*
 * Answers and pieces of answers as OpenAI and those who speak like it send them: one shape for all, since servers differ
 * in which fields they leave out. Probabilities come as parallel lists (completions) or as a list of tokens (chat);
 * llama.cpp sends the second form for both.
 */
const finite = z.number().nullish();
const bytes = z.array(z.number().int().min(0).max(255)).nullish();
const alternative = z.object({ token: z.string(), logprob: z.number(), bytes });
const tokens = z.object({
  content: z.array(
    z.object({ token: z.string(), logprob: z.number(), bytes, top_logprobs: z.array(alternative).nullish() }),
  ),
});
const lists = z.object({
  tokens: z.array(z.string()),
  token_logprobs: z.array(finite),
  top_logprobs: z.array(z.record(z.string(), z.number()).nullable()).nullish(),
});
/** Some send a list of parts, and thinking among them. */
const part = z.object({ type: z.string().nullish(), text: z.string().nullish() });
const thought = z.unknown().optional();
const words = z.object({
  content: z.union([z.string(), z.array(part)]).nullish(),
  reasoning_content: thought,
  reasoning: thought,
});
const choice = z.object({
  index: z
    .number()
    .int()
    .nonnegative()
    .nullish()
    .transform((index) => index ?? 0),
  text: z.string().nullish(),
  delta: words.nullish(),
  message: words.nullish(),
  finish_reason: z.string().nullish(),
  logprobs: z.union([tokens, lists]).nullish().catch(undefined),
});
/** What is none is not believed, and spoils nothing else. */
const count = z.number().int().nonnegative().nullish().catch(undefined);
const details = z.object({ reasoning_tokens: count }).nullish().catch(undefined);
const answer = z.object({
  choices: z
    .array(choice)
    .nullish()
    .transform((choices) => choices ?? []),
  usage: z
    .object({ prompt_tokens: count, completion_tokens: count, completion_tokens_details: details })
    .nullish()
    .catch(undefined),
  object: z.unknown().optional(),
});

type Choice = z.infer<typeof choice>;
type Usage = NonNullable<z.infer<typeof answer>['usage']>;

/** Reads the pieces of one answer; characters that come in several tokens are put together across them. */
export function createReader(): (value: unknown) => readonly Piece[] {
  const states = new Map<number, { readonly decoder: TextDecoder; readonly withoutThinking: ThinkingFilter }>();
  return (value) => {
    const parsed = answer.safeParse(value);
    if (!parsed.success) throw new WireFault('wrong-shape', parsed.error.issues[0]?.path.join('.') || 'not an object');
    const { choices, usage, object } = parsed.data;
    // vLLM says so in the middle of a stream; the client library knows only `error`.
    if (object === 'error') throw Object.assign(new Error('reported'), { error: value });
    const pieces: Piece[] = choices.map((each) => {
      const state = states.get(each.index) ?? { decoder: new TextDecoder(), withoutThinking: createThinkingFilter() };
      states.set(each.index, state);
      const piece = pieceOf(each, state.decoder);
      return each.text === undefined || each.text === null ? state.withoutThinking(piece) : piece;
    });
    const hasThought = (usage?.completion_tokens_details?.reasoning_tokens ?? 0) > 0;
    if (usage) pieces.push({ usage: usageOf(usage), ...(hasThought && { thinking: true }) });
    return pieces;
  };
}

function usageOf({ prompt_tokens: prompt, completion_tokens: generated }: Usage): NonNullable<Piece['usage']> {
  return {
    ...(typeof prompt === 'number' && { promptTokens: prompt }),
    ...(typeof generated === 'number' && { generatedTokens: generated }),
  };
}

function pieceOf(choice: Choice, decoder: TextDecoder): Piece {
  const { content, reasoning_content, reasoning } = choice.delta ?? choice.message ?? {};
  const text = choice.text ?? textOf(content);
  const thinking = Boolean(reasoning_content || reasoning) || Array.isArray(content);
  const tokens = choice.logprobs ? tokensOf(choice.logprobs, decoder) : undefined;
  const finish = choice.finish_reason;
  return {
    choice: choice.index,
    text,
    // Tokens that are not this text (a stop text was cut off it) would mislead.
    ...(tokens && tokens.map((token) => token.text).join('') === text && { tokens }),
    ...(finish && { finish: finishOf(finish) }),
    ...(thinking && { thinking: true }),
  };
}

function textOf(content: NonNullable<Choice['delta']>['content']): string {
  if (!Array.isArray(content)) return content ?? '';
  return content.map(({ type, text }) => (type === 'text' ? (text ?? '') : '')).join('');
}

function finishOf(reason: string): NonNullable<Piece['finish']> {
  if (reason === 'length') return { reason: 'length' };
  return { reason: 'stop', ...(reason === 'content_filter' && { withheld: true }) };
}

function tokensOf(given: NonNullable<Choice['logprobs']>, decoder: TextDecoder): readonly Token[] {
  if ('content' in given) {
    return given.content.map(({ token, logprob, bytes, top_logprobs }) => ({
      text: decoder.decode(Uint8Array.from(bytes ?? Buffer.from(token)), { stream: true }),
      logprob,
      alternatives: (top_logprobs ?? [])
        .filter((other) => other.token !== token)
        .map((other): Alternative => ({ text: other.token, logprob: other.logprob })),
    }));
  }
  return given.tokens.flatMap((token, i) => {
    const logprob = given.token_logprobs[i];
    if (logprob === undefined || logprob === null) return [];
    const others = Object.entries(given.top_logprobs?.[i] ?? {}).filter(([text]) => text !== token);
    return {
      text: decoder.decode(bytesOf(token), { stream: true }),
      logprob,
      alternatives: others.map(([text, logprob]): Alternative => ({ text, logprob })),
    };
  });
}

/** A token within a character is written out as `bytes:\xe2\x80`. */
function bytesOf(token: string): Uint8Array {
  if (!/^bytes:(\\x[0-9a-f]{2})+$/i.test(token)) return Buffer.from(token);
  return Uint8Array.from(token.slice('bytes:'.length).split('\\x').slice(1), (hex) => Number.parseInt(hex, 16));
}
