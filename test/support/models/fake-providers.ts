import { type FakeModels, type FakeRequest, type FakeStep, startFakeModels } from './fake-models.ts';

/*
 * Servers of models as they are documented to behave, quirk by quirk. What they say is given by a test; how they say it,
 * what they refuse and what they ignore is in the table.
 */
export interface ProviderQuirks {
  readonly provider: 'openai-chat' | 'openai-completions' | 'anthropic';
  /** What it refuses, in its own words. */
  readonly refuses?: (body: FakeRequest['body']) => Refusal | undefined;
  /** It gives one choice, whatever `n` says. */
  readonly ignoresN?: true;
  /** Without a seed of its own, a request is answered like the one before. */
  readonly fixedSeed?: true;
  /** Thinks so many tokens, which count towards the limit: with less room there is no text at all. */
  readonly thinks?: number;
  /** How thinking is told, if it is. */
  readonly thinkingIn?: 'reasoning_content' | 'reasoning' | 'think-tags';
  /** Lines of its own between the events. */
  readonly comment?: string;
  readonly noUsage?: true;
}

interface Refusal {
  readonly status: number;
  readonly body: unknown;
}

const openAiRefusal = (message: string, param: string, code: string): Refusal => ({
  status: 400,
  body: { error: { message, type: 'invalid_request_error', param, code } },
});
const unsupported = (param: string, more = '') =>
  openAiRefusal(
    `Unsupported parameter: '${param}' is not supported with this model.${more}`,
    param,
    'unsupported_parameter',
  );
const anthropicRefusal = (message: string): Refusal => ({
  status: 400,
  body: { type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_1' },
});

export const PROVIDERS = {
  'llama.cpp': {
    provider: 'openai-chat',
    thinkingIn: 'reasoning_content',
    refuses: ({ n = 1 }) => {
      const message = 'Only one completion choice is allowed';
      return n > 1
        ? { status: 400, body: { error: { code: 400, message, type: 'invalid_request_error' } } }
        : undefined;
    },
  },
  Ollama: { provider: 'openai-chat', ignoresN: true, thinkingIn: 'reasoning' },
  vLLM: {
    provider: 'openai-chat',
    refuses: ({ n = 1, temperature }) => {
      const message = `n must be 1 when using greedy sampling, got ${n}.`;
      const isGreedy = n > 1 && temperature === 0;
      return isGreedy
        ? { status: 400, body: { object: 'error', message, type: 'BadRequestError', param: null, code: 400 } }
        : undefined;
    },
  },
  'LM Studio': { provider: 'openai-chat', ignoresN: true, thinkingIn: 'think-tags', noUsage: true },
  KoboldCpp: { provider: 'openai-completions', ignoresN: true, fixedSeed: true, noUsage: true },
  OpenRouter: { provider: 'openai-chat', ignoresN: true, comment: ': OPENROUTER PROCESSING', thinkingIn: 'reasoning' },
  'OpenAI with a reasoning model': {
    provider: 'openai-chat',
    thinks: 300,
    refuses: ({ max_tokens, n = 1, temperature = 1, logprobs, top_p, top_k, stop, stream }) => {
      if (top_k !== undefined)
        return openAiRefusal('Unrecognized request argument supplied: top_k', 'top_k', 'unknown_parameter');
      if (max_tokens !== undefined) return unsupported('max_tokens', " Use 'max_completion_tokens' instead.");
      if (logprobs !== undefined) return unsupported('logprobs');
      if (top_p !== undefined) return unsupported('top_p');
      if (stop !== undefined) return unsupported('stop');
      const value = temperature !== 1 ? 'temperature' : n > 1 ? 'n' : undefined;
      if (value !== undefined) {
        const message = `Unsupported value: '${value}' does not support ${value === 'n' ? n : temperature} with this model. Only the default (1) value is supported.`;
        return openAiRefusal(message, value, 'unsupported_value');
      }
      if (stream !== true) return undefined;
      return openAiRefusal('Your organization must be verified to stream this model.', 'stream', 'unsupported_value');
    },
  },
  Anthropic: {
    provider: 'anthropic',
    refuses: ({ temperature, top_p, max_tokens = 0, stop_sequences = [], messages = [], ...rest }) => {
      const known = ['model', 'system', 'stream', 'top_k'];
      const strange = Object.keys(rest).find((field) => !known.includes(field));
      if (strange !== undefined) return anthropicRefusal(`${strange}: Extra inputs are not permitted`);
      if (temperature !== undefined && top_p !== undefined)
        return anthropicRefusal(
          '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
        );
      if (max_tokens > 512)
        return anthropicRefusal(
          `max_tokens: ${max_tokens} > 512, which is the maximum allowed number of output tokens for there`,
        );
      if ((stop_sequences as string[]).some((text) => text.trim() === ''))
        return anthropicRefusal('stop_sequences: each stop sequence must contain non-whitespace');
      if (messages[0]?.role !== 'user' || messages.some(({ content }) => content.trim() === ''))
        return anthropicRefusal('messages: text content blocks must be non-empty');
      return undefined;
    },
  },
} as const satisfies Record<string, ProviderQuirks>;

export type ProviderName = keyof typeof PROVIDERS;

/** A server with these quirks; `say` gives the text of a choice, `way` is another one for each that should differ. */
export async function startProvider(
  quirks: ProviderQuirks,
  say: (request: FakeRequest, way: number) => string,
): Promise<FakeModels> {
  const models = await startFakeModels();
  let answers = 0;
  models.answer((request) => {
    const { body } = request;
    const refused = quirks.refuses?.(body);
    if (refused) return refusing(refused);
    answers++;
    const way = (choice: number) => (quirks.fixedSeed ? Number(body.seed ?? 0) : answers) * 100 + choice;
    const n = quirks.ignoresN ? 1 : (body.n ?? 1);
    const texts = Array.from({ length: n }, (_, choice) => say(request, way(choice)));
    return quirks.provider === 'anthropic' ? { text: texts[0] as string } : telling(quirks, body, texts);
  });
  return models;
}

function refusing({ status, body }: Refusal): FakeStep {
  return {
    write: async (response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    },
  };
}

function telling(quirks: ProviderQuirks, body: FakeRequest['body'], texts: readonly string[]): FakeStep {
  const limit = body.max_completion_tokens ?? body.max_tokens ?? Number.POSITIVE_INFINITY;
  const isStarved = quirks.thinks !== undefined && limit <= quirks.thinks;
  const usage = {
    prompt_tokens: 20,
    completion_tokens: (quirks.thinks ?? 0) + 5,
    ...(quirks.thinks && { completion_tokens_details: { reasoning_tokens: quirks.thinks } }),
  };
  const finish = isStarved ? 'length' : 'stop';
  const responses = texts.map((text) => {
    const thought = quirks.thinkingIn === 'think-tags' ? '<think>\nHm, what is it?\n</think>\n\n' : '';
    return isStarved ? '' : `${thought}${text}`;
  });
  if (body.stream !== true) {
    const choices = responses.map((content, index) => ({ index, message: { content }, finish_reason: finish }));
    return { type: 'application/json', wire: [JSON.stringify({ choices, usage })] };
  }
  const event = (value: object) => `${quirks.comment ? `${quirks.comment}\n\n` : ''}data: ${JSON.stringify(value)}\n\n`;
  const words = (content: string) =>
    quirks.provider === 'openai-completions' ? { text: content } : { delta: { content } };
  const thought = quirks.thinkingIn;
  return {
    type: 'text/event-stream',
    wire: [
      ...(thought === 'reasoning_content' || thought === 'reasoning'
        ? [event({ choices: [{ index: 0, delta: { content: null, [thought]: 'Hm, what is it?' } }] })]
        : []),
      ...responses.flatMap((text, index) =>
        (text.match(/.{1,5}/gs) ?? []).map((piece) =>
          event({ choices: [{ index, ...words(piece), logprobs: null, finish_reason: null }] }),
        ),
      ),
      ...responses.map((_, index) => event({ choices: [{ index, ...words(''), finish_reason: finish }] })),
      ...(quirks.noUsage ? [] : [event({ choices: [], usage })]),
      'data: [DONE]\n\n',
    ],
  };
}
