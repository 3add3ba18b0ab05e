import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { Capabilities, Chat, Chunk, Completion, Model } from '../model.ts';
import { refusedWith } from '../remote/check-request.ts';
import { createOpenAiModel } from '../remote/openai/openai.ts';
import type { RemoteOptions } from '../remote/options.ts';
import type { Time } from '../resilience/time.ts';
import { chat as chatFormat, completions } from './format.ts';
import { createPicker } from './pick.ts';
import { playAnswer } from './play.ts';
import { readScript } from './read.ts';
import { type Answer, type Script, type ScriptInput, script as schema } from './script.ts';
import { wordsOf } from './tokens.ts';

export interface ScriptedOptions {
  readonly id: string;
  /** A file, YAML or JSON. */
  readonly path?: string;
  readonly script?: ScriptInput;
  readonly time?: Time;
}

/**
 * A model that says what it was given to say, faults included. It is played as a server would, through the same reader as
 * any other, so that a scripted fault is a real one. Which answers were used is remembered as long as the model is open.
 */
export function createScriptedModel(options: ScriptedOptions): Model {
  const { id, time } = options;
  const loaded: Script | Refusal = options.path === undefined ? schema.parse(options.script) : readScript(options.path);
  const script = isRefusal(loaded) ? undefined : loaded;
  const pick = script && createPicker(script);
  const can = { n: script?.n ?? 1, logprobs: script?.logprobs ?? 0, streaming: true, fillInTheMiddle: true };
  const context = script?.context ?? 8192;

  async function* play(
    provider: RemoteOptions['provider'],
    request: Completion | Chat,
    ask: (model: Model) => AsyncIterable<Chunk>,
  ): AsyncGenerator<Chunk> {
    if (isRefusal(loaded)) return yield* refusedWith(loaded);
    const text = 'prompt' in request ? request.prompt : (request.messages.at(-1)?.content ?? '');
    const answer = pick?.(text);
    if (!answer) return yield* refusedWith(refuse('model_unavailable', nothingLeft(id), { model: id }));
    const transport = wireFor(answer, provider, request, time);
    yield* ask(
      createOpenAiModel({
        id,
        provider,
        model: id,
        context,
        capabilities: can,
        baseUrl: 'http://script/v1',
        transport,
      }),
    );
  }

  const capabilities: Capabilities = { ...can, context, frame: false };
  return {
    id,
    capabilities,
    complete: (request, signal) => play('openai-completions', request, (model) => model.complete(request, signal)),
    chat: (request, signal) => play('openai-chat', request, (model) => model.chat(request, signal)),
    countTokens: async (text) => wordsOf(text).length,
    close: async () => {},
  };
}

function wireFor(
  answer: Answer,
  provider: RemoteOptions['provider'],
  request: Completion | Chat,
  time: Time | undefined,
): NonNullable<RemoteOptions['transport']> {
  const texts = 'prompt' in request ? [request.prompt] : request.messages.map(({ content }) => content);
  return async ({ signal }) =>
    playAnswer(request.logprobs === undefined ? withoutLogprobs(answer) : answer, {
      format: provider === 'openai-chat' ? chatFormat : completions,
      limits: { n: request.n ?? 1, maxTokens: request.maxTokens, stop: request.stop ?? [] },
      promptTokens: texts.reduce((sum, text) => sum + wordsOf(text).length, 0),
      signal,
      ...(time && { time }),
    });
}

function withoutLogprobs(answer: Answer): Answer {
  if (!answer.tokens) return answer;
  const { tokens, ...rest } = answer;
  return { ...rest, text: tokens.map(({ text }) => text).join('') };
}

function nothingLeft(id: string): string {
  return `The script of "${id}" has no answer left for this. Add one, or let it start again with "loop: true".`;
}
