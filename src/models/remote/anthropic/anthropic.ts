import type { Anthropic } from '@anthropic-ai/sdk';
import { z } from 'zod';
import type { Chat, ChatImage, Model } from '../../model.ts';
import { PLACEHOLDER_KEY, type ProviderCall } from '../call.ts';
import { WireFault } from '../errors/wire-fault.ts';
import { withWireMessages } from '../images.ts';
import { chatModel } from '../language.ts';
import { capabilitiesOf, DEFAULT_URLS, type RemoteOptions } from '../options.ts';
import type { ProviderPiece } from '../pieces.ts';
import { fitBody } from '../quirks/body.ts';
import type { Quirks } from '../quirks/quirks.ts';
import { isBlank } from '../stop-filter.ts';

/** The protocol always requires a limit. */
const DEFAULT_MAX_TOKENS = 4096;

/**
 * A model behind Anthropic's messages API. The client library is loaded at the first request and never sees the key.
 */
export function createAnthropicModel(options: RemoteOptions): Model {
  const { context, streaming } = capabilitiesOf(options);

  async function* chat(
    request: Chat,
    call: ProviderCall,
    signal: AbortSignal,
    quirks: Quirks,
  ): AsyncGenerator<ProviderPiece> {
    const { messages, maxTokens, temperature, topP, topK, stop } = request;
    const stopTexts = (stop ?? []).filter((text) => !isBlank(text));
    const systemTexts = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
    const body = {
      model: options.model,
      max_tokens: maxTokens ?? Math.min(DEFAULT_MAX_TOKENS, Math.ceil(context / 2)),
      messages: messages.filter(({ role }) => role !== 'system') as unknown as Anthropic.MessageParam[],
      stream: streaming,
      ...(systemTexts.length > 0 && { system: systemTexts.join('\n\n') }),
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { top_p: topP }),
      ...(topK !== undefined && topK > 0 && { top_k: topK }),
      ...(stopTexts.length > 0 && { stop_sequences: stopTexts }),
    };
    const client = await clientFor(options, call);
    const fitted = { ...fitBody(body, quirks, context), ...options.extra, ...request.extra };
    const wireBody = await withWireMessages(fitted, toImagePart);
    const response: unknown = await client.messages.create(wireBody as unknown as typeof body, { signal });
    if (!wireBody.stream) yield* parsePieces(responseSchema, response, piecesOfResponse);
    else
      for await (const value of response as AsyncIterable<unknown>)
        yield* parsePieces(eventSchema, value, piecesOfEvent);
  }

  return chatModel(options, chat);
}

function toImagePart({ type }: ChatImage, data: string): object {
  return { type: 'image', source: { type: 'base64', media_type: type, data } };
}

async function clientFor({ baseUrl = DEFAULT_URLS.anthropic }: RemoteOptions, call: ProviderCall): Promise<Anthropic> {
  const { Anthropic } = await import('@anthropic-ai/sdk');
  return new Anthropic({
    baseURL: baseUrl,
    apiKey: PLACEHOLDER_KEY,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    fetch: call.fetch as typeof fetch,
  });
}

/** An invalid count is ignored, without rejecting the rest. */
const countSchema = z.number().int().nonnegative().nullish().catch(undefined);
const usageSchema = z
  .object({
    input_tokens: countSchema,
    output_tokens: countSchema,
    cache_read_input_tokens: countSchema,
    cache_creation_input_tokens: countSchema,
  })
  .nullish()
  .catch(undefined);
const responseSchema = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
  stop_reason: z.string().nullish(),
  usage: usageSchema,
});
const eventSchema = z.object({
  type: z.string(),
  message: z.object({ usage: usageSchema }).optional(),
  delta: z
    .object({ type: z.string().optional(), text: z.string().optional(), stop_reason: z.string().nullish() })
    .optional(),
  usage: usageSchema,
});

function parsePieces<PieceSchema extends z.ZodType>(
  schema: PieceSchema,
  value: unknown,
  toPieces: (value: z.infer<PieceSchema>) => readonly ProviderPiece[],
): readonly ProviderPiece[] {
  const parsed = schema.safeParse(value);
  if (parsed.success) return toPieces(parsed.data);
  throw new WireFault('wrong-shape', parsed.error.issues[0]?.path.join('.') || 'not an object');
}

function piecesOfResponse({ content, stop_reason, usage }: z.infer<typeof responseSchema>): readonly ProviderPiece[] {
  const text = content.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('');
  return [{ text, finish: finishOf(stop_reason ?? ''), usage: usageOf(usage) }];
}

function piecesOfEvent({ type, message, delta, usage }: z.infer<typeof eventSchema>): readonly ProviderPiece[] {
  if (type === 'message_start') return [{ usage: usageOf(message?.usage) }];
  if (type === 'content_block_delta' && delta?.type === 'text_delta') return [{ text: delta.text ?? '' }];
  if (type === 'message_stop') return [{ isLast: true }];
  if (type !== 'message_delta') return [];
  const finish = delta?.stop_reason ? finishOf(delta.stop_reason) : undefined;
  return [{ usage: usageOf(usage), ...(finish && { finish }) }];
}

function finishOf(reason: string): NonNullable<ProviderPiece['finish']> {
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return { reason: 'length' };
  return { reason: 'stop', ...(reason === 'refusal' && { withheld: true }) };
}

/** Tokens read from a cache count as prompt tokens too. */
function usageOf(reported: z.infer<typeof usageSchema>): NonNullable<ProviderPiece['usage']> {
  if (!reported) return {};
  const { input_tokens: input, output_tokens: output } = reported;
  const cached = (reported.cache_read_input_tokens ?? 0) + (reported.cache_creation_input_tokens ?? 0);
  return {
    ...(typeof input === 'number' && { promptTokens: input + cached }),
    ...(typeof output === 'number' && { generatedTokens: output }),
  };
}
