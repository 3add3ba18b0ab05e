import type { Said } from './tokens.ts';

/** How a wire format writes what is said. The parts of an answer are events of a stream, or one body. */
export interface Format {
  readonly contentType: string;
  begin(): string;
  piece(choice: number, said: Said): string;
  finish(choice: number, reason: 'stop' | 'length'): string;
  end(usage: { readonly prompt: number; readonly generated: number }): string;
  /** An event that is no JSON. */
  broken(): string;
  error(message: string, code: string): string;
}

const ID = { id: 'scripted', created: 0, model: 'scripted' };

export const completions: Format = openAi(
  'text_completion',
  (text) => ({ text }),
  (said) => ({
    tokens: said.map(({ text }) => text),
    token_logprobs: said.map(({ logprob }) => logprob),
    top_logprobs: said.map(({ text, logprob, alternatives }) => ({ [text]: logprob, ...alternatives })),
  }),
);

export const chat: Format = openAi(
  'chat.completion.chunk',
  (content) => ({ delta: { content } }),
  (said) => ({
    content: said.map(({ text, logprob, alternatives = {} }) => ({
      token: text,
      logprob,
      top_logprobs: Object.entries({ [text]: logprob, ...alternatives }).map(([token, logprob]) => ({
        token,
        logprob,
      })),
    })),
  }),
);

function openAi(
  object: string,
  words: (text: string) => object,
  probabilities: (said: readonly Said[]) => object,
): Format {
  const event = (value: object) => `data: ${JSON.stringify({ ...ID, object, ...value })}\n\n`;
  const one = (index: number, said: Said | undefined, finish_reason: string | null) => ({
    choices: [
      {
        index,
        ...words(said?.text ?? ''),
        ...(said?.logprob !== undefined && { logprobs: probabilities([said]) }),
        finish_reason,
      },
    ],
  });
  return {
    contentType: 'text/event-stream',
    begin: () => '',
    piece: (choice, said) => event(one(choice, said, null)),
    finish: (choice, reason) => event(one(choice, undefined, reason)),
    end: ({ prompt, generated }) =>
      `${event({ choices: [], usage: { prompt_tokens: prompt, completion_tokens: generated } })}data: [DONE]\n\n`,
    broken: () => 'data: {"choices": [{"index": 0, "text": \n\n',
    error: (message, code) => JSON.stringify({ error: { message, type: code, code } }),
  };
}
