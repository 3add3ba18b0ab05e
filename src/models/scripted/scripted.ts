import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { Capabilities, Chat, Chunk, Completion, Model } from '../model.ts';
import { refusedStream } from '../remote/check-request.ts';
import { createOpenAiModel } from '../remote/openai/openai.ts';
import type { RemoteOptions } from '../remote/options.ts';
import type { Time } from '../resilience/time.ts';
import { openAiChatFormat as chatFormat, openAiCompletionsFormat } from './format.ts';
import { createAnswerPicker } from './pick.ts';
import { playAnswer } from './play.ts';
import { readScript } from './read.ts';
import { type Script, type ScriptedAnswer, type ScriptInput, scriptSchema } from './script.ts';
import { splitTokens } from './tokens.ts';

export interface ScriptedOptions {
  readonly id: string;
  /** The script file, YAML or JSON. */
  readonly path?: string;
  readonly script?: ScriptInput;
  readonly time?: Time;
}

/**
 * A model that gives scripted answers, including faults. It plays them as a server would, through the same reader as
 * any other model, so that a scripted fault is a real one. It remembers the used answers while it is open.
 */
export function createScriptedModel(options: ScriptedOptions): Model {
  const { id, time } = options;
  const scriptOrRefusal: Script | Refusal =
    options.path === undefined ? scriptSchema.parse(options.script) : readScript(options.path);
  const script = isRefusal(scriptOrRefusal) ? undefined : scriptOrRefusal;
  const pickAnswer = script && createAnswerPicker(script);
  const declared = { n: script?.n ?? 1, logprobs: script?.logprobs ?? 0, streaming: true, fillInTheMiddle: true };
  const context = script?.context ?? 8192;

  async function* playRequest(
    provider: RemoteOptions['provider'],
    request: Completion | Chat,
    send: (model: Model) => AsyncIterable<Chunk>,
  ): AsyncGenerator<Chunk> {
    if (isRefusal(scriptOrRefusal)) return yield* refusedStream(scriptOrRefusal);
    const text = 'prompt' in request ? request.prompt : (request.messages.at(-1)?.content ?? '');
    const answer = pickAnswer?.(text);
    if (!answer) return yield* refusedStream(refuse('model_unavailable', noAnswerMessage(id), { model: id }));
    const transport = transportFor(answer, provider, request, time);
    yield* send(
      createOpenAiModel({
        id,
        provider,
        model: id,
        context,
        capabilities: declared,
        baseUrl: 'http://script/v1',
        transport,
      }),
    );
  }

  const capabilities: Capabilities = { ...declared, context, frame: false };
  return {
    id,
    capabilities,
    complete: (request, signal) =>
      playRequest('openai-completions', request, (model) => model.complete(request, signal)),
    chat: (request, signal) => playRequest('openai-chat', request, (model) => model.chat(request, signal)),
    countTokens: async (text) => splitTokens(text).length,
    close: async () => {},
  };
}

function transportFor(
  answer: ScriptedAnswer,
  provider: RemoteOptions['provider'],
  request: Completion | Chat,
  time: Time | undefined,
): NonNullable<RemoteOptions['transport']> {
  const texts = 'prompt' in request ? [request.prompt] : request.messages.map(({ content }) => content);
  return async ({ signal }) =>
    playAnswer(request.logprobs === undefined ? withoutLogprobs(answer) : answer, {
      format: provider === 'openai-chat' ? chatFormat : openAiCompletionsFormat,
      limits: { n: request.n ?? 1, maxTokens: request.maxTokens, stop: request.stop ?? [] },
      promptTokens: texts.reduce((sum, text) => sum + splitTokens(text).length, 0),
      signal,
      ...(time && { time }),
    });
}

function withoutLogprobs(answer: ScriptedAnswer): ScriptedAnswer {
  if (!answer.tokens) return answer;
  const { tokens, ...rest } = answer;
  return { ...rest, text: tokens.map(({ text }) => text).join('') };
}

function noAnswerMessage(id: string): string {
  return `The script of "${id}" has no matching answer left. Add one, or repeat the script with "loop: true".`;
}
