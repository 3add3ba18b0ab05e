import type { OpenAI } from 'openai';
import type { Chat, ChatImage, Completion, Model, SamplingOptions } from '../../model.ts';
import { PLACEHOLDER_KEY, type ProviderCall } from '../call.ts';
import { withWireMessages } from '../images.ts';
import { chatModel, completionModel } from '../language.ts';
import { capabilitiesOf, DEFAULT_URLS, type RemoteOptions } from '../options.ts';
import type { ProviderPiece } from '../pieces.ts';
import { fitBody, type WireBody } from '../quirks/body.ts';
import type { Quirks } from '../quirks/quirks.ts';
import { createPieceReader } from './wire.ts';

const DONE_LINE = /\ndata: ?\[DONE\]\s*$/;

/**
 * A model behind an OpenAI-compatible server: OpenAI itself, llama.cpp, Ollama, vLLM, OpenRouter. The client library
 * is loaded at the first request; it never sees the key, never retries and logs nothing.
 */
export function createOpenAiModel(options: RemoteOptions): Model {
  const { context } = capabilitiesOf(options);

  async function* complete(request: Completion, call: ProviderCall, signal: AbortSignal, quirks: Quirks) {
    const { prompt, suffix, logprobs } = request;
    const body = {
      ...samplingFields(request, options, 'max_tokens'),
      prompt,
      ...(suffix !== undefined && { suffix }),
      ...(logprobs !== undefined && { logprobs }),
    };
    const client = await clientFor(options, call);
    const wireBody = wireBodyFor(body, request, quirks);
    yield* readResponse(
      call,
      await client.completions.create(wireBody as unknown as OpenAI.CompletionCreateParams, { signal }),
    );
  }

  async function* chat(request: Chat, call: ProviderCall, signal: AbortSignal, quirks: Quirks) {
    const { messages, logprobs } = request;
    // OpenAI's newer models accept only the new name, most other servers only the old one.
    const isOpenAi = (options.baseUrl ?? DEFAULT_URLS[options.provider]).startsWith('https://api.openai.com');
    const body = {
      ...samplingFields(request, options, isOpenAi ? 'max_completion_tokens' : 'max_tokens'),
      messages,
      ...(logprobs !== undefined && { logprobs: true, top_logprobs: logprobs }),
    };
    const client = await clientFor(options, call);
    const wireBody = await withWireMessages(wireBodyFor(body, request, quirks), toImagePart);
    yield* readResponse(
      call,
      await client.chat.completions.create(wireBody as unknown as OpenAI.ChatCompletionCreateParams, { signal }),
    );
  }

  /** The fields that the server accepts, plus the user's additional fields, unchanged. */
  function wireBodyFor(body: WireBody, { extra }: SamplingOptions, quirks: Quirks): WireBody {
    return { ...fitBody(body, quirks, context), ...options.extra, ...extra };
  }

  async function* readResponse(call: ProviderCall, response: unknown): AsyncGenerator<ProviderPiece> {
    const readPieces = createPieceReader();
    if (!isStream(response)) yield* readPieces(response);
    else for await (const value of response) yield* readPieces(value);
    // A whole body sent where events were requested is complete by itself.
    if (!call.isStream || DONE_LINE.test(call.raw().body.slice(-40))) yield { isLast: true };
  }

  return options.provider === 'openai-completions' ? completionModel(options, complete) : chatModel(options, chat);
}

function toImagePart({ type }: ChatImage, data: string): object {
  return { type: 'image_url', image_url: { url: `data:${type};base64,${data}` } };
}

function isStream(response: unknown): response is AsyncIterable<unknown> {
  return typeof response === 'object' && response !== null && Symbol.asyncIterator in response;
}

async function clientFor(
  { baseUrl = DEFAULT_URLS['openai-chat'] }: RemoteOptions,
  call: ProviderCall,
): Promise<OpenAI> {
  const { OpenAI } = await import('openai');
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: PLACEHOLDER_KEY,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    fetch: call.fetch as typeof fetch,
  });
}

function samplingFields(
  request: SamplingOptions,
  options: RemoteOptions,
  limitName: 'max_tokens' | 'max_completion_tokens',
) {
  const { maxTokens, n, temperature, topP, topK, seed, stop } = request;
  const { streaming } = capabilitiesOf(options);
  return {
    model: options.model,
    stream: streaming,
    ...(streaming && { stream_options: { include_usage: true } }),
    ...(maxTokens !== undefined && { [limitName]: maxTokens }),
    ...(n !== undefined && n > 1 && { n }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(topK !== undefined && topK > 0 && { top_k: topK }),
    ...(seed !== undefined && { seed }),
    ...(stop?.length && { stop }),
  };
}
