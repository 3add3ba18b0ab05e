import type { OpenAI } from 'openai';
import type { Chat, Completion, Model, Sampling } from '../../model.ts';
import { type Call, NO_KEY } from '../call.ts';
import { chatModel, completionModel } from '../language.ts';
import { capabilitiesOf, OWN_URLS, type RemoteOptions } from '../options.ts';
import type { Piece } from '../pieces.ts';
import { type Body, fitBody } from '../quirks/body.ts';
import type { Quirks } from '../quirks/quirks.ts';
import { createReader } from './wire.ts';

const LAST = /\ndata: ?\[DONE\]\s*$/;

/**
 * A model behind an OpenAI-compatible server: OpenAI itself, llama.cpp, Ollama, vLLM, OpenRouter. The client library is
 * loaded at the first request; it never sees the key, tries nothing again and logs nothing.
 */
export function createOpenAiModel(options: RemoteOptions): Model {
  const { context } = capabilitiesOf(options);

  async function* complete(request: Completion, call: Call, signal: AbortSignal, quirks: Quirks) {
    const { prompt, suffix, logprobs } = request;
    const body = {
      ...sampling(request, options, 'max_tokens'),
      prompt,
      ...(suffix !== undefined && { suffix }),
      ...(logprobs !== undefined && { logprobs }),
    };
    const client = await clientFor(options, call);
    const sent = bodyFor(body, request, quirks);
    yield* answer(call, await client.completions.create(sent as unknown as OpenAI.CompletionCreateParams, { signal }));
  }

  async function* chat(request: Chat, call: Call, signal: AbortSignal, quirks: Quirks) {
    const { messages, logprobs } = request;
    // OpenAI's newer models take only the new name, most other servers only the old one.
    const own = (options.baseUrl ?? OWN_URLS[options.provider]).startsWith('https://api.openai.com');
    const body = {
      ...sampling(request, options, own ? 'max_completion_tokens' : 'max_tokens'),
      messages,
      ...(logprobs !== undefined && { logprobs: true, top_logprobs: logprobs }),
    };
    const client = await clientFor(options, call);
    const sent = bodyFor(body, request, quirks);
    yield* answer(
      call,
      await client.chat.completions.create(sent as unknown as OpenAI.ChatCompletionCreateParams, { signal }),
    );
  }

  /** What the server takes of it, and then what the person wants sent besides, as it is. */
  function bodyFor(body: Body, { extra }: Sampling, quirks: Quirks): Body {
    return { ...fitBody(body, quirks, context), ...options.extra, ...extra };
  }

  async function* answer(call: Call, given: unknown): AsyncGenerator<Piece> {
    const read = createReader();
    if (!isStream(given)) yield* read(given);
    else for await (const value of given) yield* read(value);
    // A body where events were asked for is whole by itself.
    if (!call.isStream || LAST.test(call.raw().body.slice(-40))) yield { last: true };
  }

  return options.provider === 'openai-completions' ? completionModel(options, complete) : chatModel(options, chat);
}

function isStream(given: unknown): given is AsyncIterable<unknown> {
  return typeof given === 'object' && given !== null && Symbol.asyncIterator in given;
}

async function clientFor({ baseUrl = OWN_URLS['openai-chat'] }: RemoteOptions, call: Call): Promise<OpenAI> {
  const { OpenAI } = await import('openai');
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: NO_KEY,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    fetch: call.fetch as typeof fetch,
  });
}

function sampling(request: Sampling, options: RemoteOptions, most: 'max_tokens' | 'max_completion_tokens') {
  const { maxTokens, n, temperature, topP, topK, seed, stop } = request;
  const { streaming } = capabilitiesOf(options);
  return {
    model: options.model,
    stream: streaming,
    ...(streaming && { stream_options: { include_usage: true } }),
    ...(maxTokens !== undefined && { [most]: maxTokens }),
    ...(n !== undefined && n > 1 && { n }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(topK !== undefined && topK > 0 && { top_k: topK }),
    ...(seed !== undefined && { seed }),
    ...(stop?.length && { stop }),
  };
}
