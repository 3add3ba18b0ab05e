import { TextDecoder } from 'node:util';
import { z } from 'zod';
import type { ModelToken, TokenAlternative } from '../../model.ts';
import { WireFault } from '../errors/wire-fault.ts';
import type { ProviderPiece } from '../pieces.ts';
import { createThinkingFilter, type ThinkingFilter } from './thinking.ts';

/*
 * Answers and stream pieces of OpenAI and compatible servers: one schema for all, since servers differ in the fields
 * they omit. Probabilities come as parallel lists (completions) or as a list of tokens (chat); llama.cpp sends the
 * second form for both.
 */
const numberSchema = z.number().nullish();
const bytesSchema = z.array(z.number().int().min(0).max(255)).nullish();
const alternativeSchema = z.object({ token: z.string(), logprob: z.number(), bytes: bytesSchema });
const chatLogprobsSchema = z.object({
  content: z.array(
    z.object({
      token: z.string(),
      logprob: z.number(),
      bytes: bytesSchema,
      top_logprobs: z.array(alternativeSchema).nullish(),
    }),
  ),
});
const completionLogprobsSchema = z.object({
  tokens: z.array(z.string()),
  token_logprobs: z.array(numberSchema),
  top_logprobs: z.array(z.record(z.string(), z.number()).nullable()).nullish(),
});
/** Some servers send a list of parts, which may include thinking. */
const contentPartSchema = z.object({ type: z.string().nullish(), text: z.string().nullish() });
const reasoningSchema = z.unknown().optional();
const messageSchema = z.object({
  content: z.union([z.string(), z.array(contentPartSchema)]).nullish(),
  reasoning_content: reasoningSchema,
  reasoning: reasoningSchema,
});
const choiceSchema = z.object({
  index: z
    .number()
    .int()
    .nonnegative()
    .nullish()
    .transform((index) => index ?? 0),
  text: z.string().nullish(),
  delta: messageSchema.nullish(),
  message: messageSchema.nullish(),
  finish_reason: z.string().nullish(),
  logprobs: z.union([chatLogprobsSchema, completionLogprobsSchema]).nullish().catch(undefined),
});
/** An invalid count is ignored, without rejecting the rest. */
const countSchema = z.number().int().nonnegative().nullish().catch(undefined);
const usageDetailsSchema = z.object({ reasoning_tokens: countSchema }).nullish().catch(undefined);
const responseSchema = z.object({
  choices: z
    .array(choiceSchema)
    .nullish()
    .transform((choices) => choices ?? []),
  usage: z
    .object({
      prompt_tokens: countSchema,
      completion_tokens: countSchema,
      completion_tokens_details: usageDetailsSchema,
    })
    .nullish()
    .catch(undefined),
  object: z.unknown().optional(),
});

type OpenAiChoice = z.infer<typeof choiceSchema>;
type OpenAiUsage = NonNullable<z.infer<typeof responseSchema>['usage']>;

/** Reads the pieces of one answer; characters split over several tokens are joined across pieces. */
export function createPieceReader(): (value: unknown) => readonly ProviderPiece[] {
  const states = new Map<number, { readonly decoder: TextDecoder; readonly withoutThinking: ThinkingFilter }>();
  return (value) => {
    const parsed = responseSchema.safeParse(value);
    if (!parsed.success) throw new WireFault('wrong-shape', parsed.error.issues[0]?.path.join('.') || 'not an object');
    const { choices, usage, object } = parsed.data;
    // vLLM reports errors this way within a stream; the client library knows only `error`.
    if (object === 'error') throw Object.assign(new Error('reported'), { error: value });
    const pieces: ProviderPiece[] = choices.map((wireChoice) => {
      const state = states.get(wireChoice.index) ?? {
        decoder: new TextDecoder(),
        withoutThinking: createThinkingFilter(),
      };
      states.set(wireChoice.index, state);
      const piece = pieceOf(wireChoice, state.decoder);
      return wireChoice.text === undefined || wireChoice.text === null ? state.withoutThinking(piece) : piece;
    });
    const hasReasoning = (usage?.completion_tokens_details?.reasoning_tokens ?? 0) > 0;
    if (usage) pieces.push({ usage: usageOf(usage), ...(hasReasoning && { thinking: true }) });
    return pieces;
  };
}

function usageOf({
  prompt_tokens: promptTokens,
  completion_tokens: generatedTokens,
}: OpenAiUsage): NonNullable<ProviderPiece['usage']> {
  return {
    ...(typeof promptTokens === 'number' && { promptTokens: promptTokens }),
    ...(typeof generatedTokens === 'number' && { generatedTokens: generatedTokens }),
  };
}

function pieceOf(choice: OpenAiChoice, decoder: TextDecoder): ProviderPiece {
  const { content, reasoning_content, reasoning } = choice.delta ?? choice.message ?? {};
  const text = choice.text ?? textOf(content);
  const thinking = Boolean(reasoning_content || reasoning) || Array.isArray(content);
  const tokens = choice.logprobs ? tokensOf(choice.logprobs, decoder) : undefined;
  const finish = choice.finish_reason;
  return {
    choice: choice.index,
    text,
    // Tokens that differ from this text (because a stop text was removed) would mislead.
    ...(tokens && tokens.map((token) => token.text).join('') === text && { tokens }),
    ...(finish && { finish: finishOf(finish) }),
    ...(thinking && { thinking: true }),
  };
}

function textOf(content: NonNullable<OpenAiChoice['delta']>['content']): string {
  if (!Array.isArray(content)) return content ?? '';
  return content.map(({ type, text }) => (type === 'text' ? (text ?? '') : '')).join('');
}

function finishOf(reason: string): NonNullable<ProviderPiece['finish']> {
  if (reason === 'length') return { reason: 'length' };
  return { reason: 'stop', ...(reason === 'content_filter' && { withheld: true }) };
}

function tokensOf(logprobs: NonNullable<OpenAiChoice['logprobs']>, decoder: TextDecoder): readonly ModelToken[] {
  if ('content' in logprobs) {
    return logprobs.content.map(({ token, logprob, bytes, top_logprobs }) => ({
      text: decoder.decode(Uint8Array.from(bytes ?? Buffer.from(token)), { stream: true }),
      logprob,
      alternatives: (top_logprobs ?? [])
        .filter((other) => other.token !== token)
        .map((other): TokenAlternative => ({ text: other.token, logprob: other.logprob })),
    }));
  }
  return logprobs.tokens.flatMap((token, i) => {
    const logprob = logprobs.token_logprobs[i];
    if (logprob === undefined || logprob === null) return [];
    const others = Object.entries(logprobs.top_logprobs?.[i] ?? {}).filter(([text]) => text !== token);
    return {
      text: decoder.decode(bytesOf(token), { stream: true }),
      logprob,
      alternatives: others.map(([text, logprob]): TokenAlternative => ({ text, logprob })),
    };
  });
}

/** A token that is part of a character is written as `bytes:\xe2\x80`. */
function bytesOf(token: string): Uint8Array {
  if (!/^bytes:(\\x[0-9a-f]{2})+$/i.test(token)) return Buffer.from(token);
  return Uint8Array.from(token.slice('bytes:'.length).split('\\x').slice(1), (hex) => Number.parseInt(hex, 16));
}
