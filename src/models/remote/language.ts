import type { Capabilities, Chat, Chunk, Completion, Model, Sampling } from '../model.ts';
import { problemWith, refusedWith } from './check-request.ts';
import { estimateMessages, estimateTokens, keepEnd, keepNewest } from './estimate.ts';
import { capabilitiesOf, type RemoteOptions } from './options.ts';
import type { Asked } from './pieces.ts';
import { createQuirkBook, type QuirkBook, withQuirks } from './quirks/quirks.ts';
import { type Ask, playForgiving } from './quirks/retry-fields.ts';
import { asChat, asTranscript } from './templates.ts';

const DEFAULT_ANSWER = 1024;
const TEMPLATE_TOKENS = 200;

/** A model that answers conversations, and goes on from texts by way of a template. */
export function chatModel(options: RemoteOptions, ask: Ask<Chat>): Model {
  const can = capabilitiesOf(options);
  const book = options.quirks ?? createQuirkBook();

  function answer(request: Chat, about: Pick<Asked, 'dropped' | 'templated'>, signal?: AbortSignal) {
    const { n = 1 } = request;
    const asked = { n, promptTokens: estimateMessages(request.messages), answerTokens: n * can.context, ...about };
    return playForgiving(options, book, request, asked, signal, ask);
  }

  return withBasics(options, can, book, {
    chat: (request, signal) => {
      const wrong = problemWith(request, can);
      if (wrong) return refusedWith(wrong);
      if (request.truncate !== 'left') return answer(request, { dropped: 0 }, signal);
      const { messages, dropped } = keepNewest(request.messages, roomFor(request, can.context));
      return answer({ ...request, messages }, { dropped }, signal);
    },
    complete: (request, signal) => {
      const wrong = problemWith(request, can);
      if (wrong) return refusedWith(wrong);
      const { prompt, dropped } = shortened(request, can.context - TEMPLATE_TOKENS);
      return answer(asChat({ ...request, prompt }, options.template), { dropped, templated: true }, signal);
    },
  });
}

/** A model that goes on from texts, and answers conversations by way of a transcript. */
export function completionModel(options: RemoteOptions, ask: Ask<Completion>): Model {
  const can = capabilitiesOf(options);
  const book = options.quirks ?? createQuirkBook();

  function goOn(request: Completion, signal: AbortSignal | undefined, viaTranscript?: true): AsyncIterable<Chunk> {
    const wrong = problemWith(request, can);
    if (wrong) return refusedWith(wrong);
    const { prompt, dropped } = shortened(request, can.context);
    const { n = 1 } = request;
    const asked = {
      n,
      promptTokens: estimateTokens(prompt) + estimateTokens(request.suffix ?? ''),
      answerTokens: n * can.context,
      dropped,
      ...(viaTranscript && { templated: true as const, trim: true as const }),
    };
    return playForgiving(options, book, { ...request, prompt }, asked, signal, ask);
  }

  return withBasics(options, can, book, {
    complete: (request, signal) => goOn(request, signal),
    chat: (request, signal) => {
      const wrong = problemWith(request, can);
      return wrong ? refusedWith(wrong) : goOn(asTranscript(request), signal, true);
    },
  });
}

function withBasics(
  { id }: RemoteOptions,
  can: Capabilities,
  book: QuirkBook,
  ways: Pick<Model, 'chat' | 'complete'>,
): Model {
  return {
    id,
    ...ways,
    get capabilities() {
      return withQuirks(can, book.known);
    },
    countTokens: async (text) => estimateTokens(text),
    close: async () => {},
  };
}

function shortened(request: Completion, context: number): { readonly prompt: string; readonly dropped: number } {
  if (request.truncate !== 'left') return { prompt: request.prompt, dropped: 0 };
  const { text, dropped } = keepEnd(request.prompt, roomFor(request, context) - estimateTokens(request.suffix ?? ''));
  return { prompt: text, dropped };
}

function roomFor({ maxTokens }: Sampling, context: number): number {
  return Math.max(1, context - (maxTokens ?? Math.min(DEFAULT_ANSWER, Math.floor(context / 2))));
}
