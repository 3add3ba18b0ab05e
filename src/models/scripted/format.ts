import type { ScriptedToken } from './tokens.ts';

/** How a wire format encodes an answer: as events of a stream, or as one body. */
export interface WireFormat {
  readonly contentType: string;
  begin(): string;
  piece(choice: number, token: ScriptedToken): string;
  finish(choice: number, reason: 'stop' | 'length'): string;
  end(usage: { readonly prompt: number; readonly generated: number }): string;
  /** An event that is not valid JSON. */
  broken(): string;
  error(message: string, code: string): string;
}

const ID = { id: 'scripted', created: 0, model: 'scripted' };

export const openAiCompletionsFormat: WireFormat = createOpenAiFormat(
  'text_completion',
  (text) => ({ text }),
  (tokens) => ({
    tokens: tokens.map(({ text }) => text),
    token_logprobs: tokens.map(({ logprob }) => logprob),
    top_logprobs: tokens.map(({ text, logprob, alternatives }) => ({ [text]: logprob, ...alternatives })),
  }),
);

export const openAiChatFormat: WireFormat = createOpenAiFormat(
  'chat.completion.chunk',
  (content) => ({ delta: { content } }),
  (tokens) => ({
    content: tokens.map(({ text, logprob, alternatives = {} }) => ({
      token: text,
      logprob,
      top_logprobs: Object.entries({ [text]: logprob, ...alternatives }).map(([token, logprob]) => ({
        token,
        logprob,
      })),
    })),
  }),
);

function createOpenAiFormat(
  object: string,
  textFields: (text: string) => object,
  logprobFields: (tokens: readonly ScriptedToken[]) => object,
): WireFormat {
  const event = (value: object) => `data: ${JSON.stringify({ ...ID, object, ...value })}\n\n`;
  const choiceEvent = (index: number, token: ScriptedToken | undefined, finish_reason: string | null) => ({
    choices: [
      {
        index,
        ...textFields(token?.text ?? ''),
        ...(token?.logprob !== undefined && { logprobs: logprobFields([token]) }),
        finish_reason,
      },
    ],
  });
  return {
    contentType: 'text/event-stream',
    begin: () => '',
    piece: (choice, token) => event(choiceEvent(choice, token, null)),
    finish: (choice, reason) => event(choiceEvent(choice, undefined, reason)),
    end: ({ prompt, generated }) =>
      `${event({ choices: [], usage: { prompt_tokens: prompt, completion_tokens: generated } })}data: [DONE]\n\n`,
    broken: () => 'data: {"choices": [{"index": 0, "text": \n\n',
    error: (message, code) => JSON.stringify({ error: { message, type: code, code } }),
  };
}
