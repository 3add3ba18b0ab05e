import type { Anthropic } from '@anthropic-ai/sdk';
import { z } from 'zod';
import type { Chat, Model } from '../../model.ts';
import { type Call, NO_KEY } from '../call.ts';
import { WireFault } from '../errors/wire-fault.ts';
import { chatModel } from '../language.ts';
import { capabilitiesOf, OWN_URLS, type RemoteOptions } from '../options.ts';
import type { Piece } from '../pieces.ts';
import { fitBody } from '../quirks/body.ts';
import type { Quirks } from '../quirks/quirks.ts';
import { isBlank } from '../stop-filter.ts';

/** Their protocol wants a number always. */
const DEFAULT_MAX_TOKENS = 4096;

/** A model behind Anthropic's messages. The client library is loaded at the first request and never sees the key. */
export function createAnthropicModel(options: RemoteOptions): Model {
  const { context, streaming } = capabilitiesOf(options);

  async function* chat(request: Chat, call: Call, signal: AbortSignal, quirks: Quirks): AsyncGenerator<Piece> {
    const { messages, maxTokens, temperature, topP, topK, stop } = request;
    const stops = (stop ?? []).filter((text) => !isBlank(text));
    const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
    const body = {
      model: options.model,
      max_tokens: maxTokens ?? Math.min(DEFAULT_MAX_TOKENS, Math.ceil(context / 2)),
      messages: messages.filter(({ role }) => role !== 'system') as Anthropic.MessageParam[],
      stream: streaming,
      ...(system.length > 0 && { system: system.join('\n\n') }),
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { top_p: topP }),
      ...(topK !== undefined && topK > 0 && { top_k: topK }),
      ...(stops.length > 0 && { stop_sequences: stops }),
    };
    const client = await clientFor(options, call);
    const fitted = { ...fitBody(body, quirks, context), ...options.extra, ...request.extra };
    const given: unknown = await client.messages.create(fitted as typeof body, { signal });
    if (!fitted.stream) yield* read(whole, given, piecesOfWhole);
    else for await (const value of given as AsyncIterable<unknown>) yield* read(event, value, piecesOfEvent);
  }

  return chatModel(options, chat);
}

async function clientFor({ baseUrl = OWN_URLS.anthropic }: RemoteOptions, call: Call): Promise<Anthropic> {
  const { Anthropic } = await import('@anthropic-ai/sdk');
  return new Anthropic({
    baseURL: baseUrl,
    apiKey: NO_KEY,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    fetch: call.fetch as typeof fetch,
  });
}

/** What is none is not believed, and spoils nothing else. */
const count = z.number().int().nonnegative().nullish().catch(undefined);
const usage = z
  .object({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  })
  .nullish()
  .catch(undefined);
const whole = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
  stop_reason: z.string().nullish(),
  usage,
});
const event = z.object({
  type: z.string(),
  message: z.object({ usage }).optional(),
  delta: z
    .object({ type: z.string().optional(), text: z.string().optional(), stop_reason: z.string().nullish() })
    .optional(),
  usage,
});

function read<Shape extends z.ZodType>(
  shape: Shape,
  value: unknown,
  pieces: (value: z.infer<Shape>) => readonly Piece[],
): readonly Piece[] {
  const parsed = shape.safeParse(value);
  if (parsed.success) return pieces(parsed.data);
  throw new WireFault('wrong-shape', parsed.error.issues[0]?.path.join('.') || 'not an object');
}

function piecesOfWhole({ content, stop_reason, usage }: z.infer<typeof whole>): readonly Piece[] {
  const text = content.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('');
  return [{ text, finish: finishOf(stop_reason ?? ''), usage: usageOf(usage) }];
}

function piecesOfEvent({ type, message, delta, usage }: z.infer<typeof event>): readonly Piece[] {
  if (type === 'message_start') return [{ usage: usageOf(message?.usage) }];
  if (type === 'content_block_delta' && delta?.type === 'text_delta') return [{ text: delta.text ?? '' }];
  if (type === 'message_stop') return [{ last: true }];
  if (type !== 'message_delta') return [];
  const finish = delta?.stop_reason ? finishOf(delta.stop_reason) : undefined;
  return [{ usage: usageOf(usage), ...(finish && { finish }) }];
}

function finishOf(reason: string): NonNullable<Piece['finish']> {
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return { reason: 'length' };
  return { reason: 'stop', ...(reason === 'refusal' && { withheld: true }) };
}

/** What was read from a cache was read all the same. */
function usageOf(given: z.infer<typeof usage>): NonNullable<Piece['usage']> {
  if (!given) return {};
  const { input_tokens: input, output_tokens: output } = given;
  const cached = (given.cache_read_input_tokens ?? 0) + (given.cache_creation_input_tokens ?? 0);
  return {
    ...(typeof input === 'number' && { promptTokens: input + cached }),
    ...(typeof output === 'number' && { generatedTokens: output }),
  };
}
