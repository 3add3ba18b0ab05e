import type { Capabilities, Chat, Chunk, Completion, Model, SamplingOptions } from '../model.ts';
import { findRequestProblem, refusedStream } from './check-request.ts';
import { estimateMessages, estimateTokens, keepEnd, keepNewest } from './estimate.ts';
import { capabilitiesOf, type RemoteOptions } from './options.ts';
import type { CallSpec } from './pieces.ts';
import { createQuirkBook, type QuirkBook, withQuirks } from './quirks/quirks.ts';
import { type SendRequest, streamWithFieldRetries } from './quirks/retry-fields.ts';
import { asChat, asTranscript } from './templates.ts';

const DEFAULT_ANSWER_TOKENS = 1024;
const TEMPLATE_TOKENS = 200;

/** A chat model that also continues texts, using a template. */
export function chatModel(options: RemoteOptions, send: SendRequest<Chat>): Model {
  const declared = capabilitiesOf(options);
  const quirkBook = options.quirks ?? createQuirkBook();

  function streamChat(request: Chat, promptChanges: Pick<CallSpec, 'dropped' | 'templated'>, signal?: AbortSignal) {
    const { n = 1 } = request;
    const spec = {
      n,
      promptTokens: estimateMessages(request.messages),
      answerTokens: n * declared.context,
      ...promptChanges,
    };
    return streamWithFieldRetries(options, quirkBook, request, spec, signal, send);
  }

  return createModel(options, declared, quirkBook, {
    chat: (request, signal) => {
      const problem = findRequestProblem(request, declared);
      if (problem) return refusedStream(problem);
      if (request.truncate !== 'left') return streamChat(request, { dropped: 0 }, signal);
      const { messages, dropped } = keepNewest(request.messages, promptRoomFor(request, declared.context));
      return streamChat({ ...request, messages }, { dropped }, signal);
    },
    complete: (request, signal) => {
      const problem = findRequestProblem(request, declared);
      if (problem) return refusedStream(problem);
      const { prompt, dropped } = truncatePrompt(request, declared.context - TEMPLATE_TOKENS);
      return streamChat(asChat({ ...request, prompt }), { dropped, templated: true }, signal);
    },
  });
}

/** A completion model that also answers conversations, using a transcript. */
export function completionModel(options: RemoteOptions, send: SendRequest<Completion>): Model {
  const declared = capabilitiesOf(options);
  const quirkBook = options.quirks ?? createQuirkBook();

  function streamCompletion(
    request: Completion,
    signal: AbortSignal | undefined,
    isTranscript?: true,
  ): AsyncIterable<Chunk> {
    const problem = findRequestProblem(request, declared);
    if (problem) return refusedStream(problem);
    const { prompt, dropped } = truncatePrompt(request, declared.context);
    const { n = 1 } = request;
    const spec = {
      n,
      promptTokens: estimateTokens(prompt) + estimateTokens(request.suffix ?? ''),
      answerTokens: n * declared.context,
      dropped,
      ...(isTranscript && { templated: true as const, trim: true as const }),
    };
    return streamWithFieldRetries(options, quirkBook, { ...request, prompt }, spec, signal, send);
  }

  return createModel(options, declared, quirkBook, {
    complete: (request, signal) => streamCompletion(request, signal),
    chat: (request, signal) => {
      const problem = findRequestProblem(request, declared);
      return problem ? refusedStream(problem) : streamCompletion(asTranscript(request), signal, true);
    },
  });
}

function createModel(
  { id }: RemoteOptions,
  declared: Capabilities,
  quirkBook: QuirkBook,
  methods: Pick<Model, 'chat' | 'complete'>,
): Model {
  return {
    id,
    ...methods,
    get capabilities() {
      return withQuirks(declared, quirkBook.quirks);
    },
    countTokens: async (text) => estimateTokens(text),
    close: async () => {},
  };
}

function truncatePrompt(request: Completion, context: number): { readonly prompt: string; readonly dropped: number } {
  if (request.truncate !== 'left') return { prompt: request.prompt, dropped: 0 };
  const { text, dropped } = keepEnd(
    request.prompt,
    promptRoomFor(request, context) - estimateTokens(request.suffix ?? ''),
  );
  return { prompt: text, dropped };
}

function promptRoomFor({ maxTokens }: SamplingOptions, context: number): number {
  return Math.max(1, context - (maxTokens ?? Math.min(DEFAULT_ANSWER_TOKENS, Math.floor(context / 2))));
}
