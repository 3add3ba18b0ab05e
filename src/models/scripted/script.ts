import { z } from 'zod';

/** What a scripted model answers, and how it fails. The same words are understood by the fake server of the tests. */
export const faults = [
  'rate_limited',
  'server_error',
  'unknown_model',
  'web_page',
  'unreachable',
  'hang',
  'cut',
  'malformed',
  'bad_json',
  'wrong_encoding',
  'long_line',
] as const;

const text = z.string().max(1_000_000);
const token = z.strictObject({
  text,
  logprob: z.number().max(0),
  alternatives: z.record(z.string(), z.number().max(0)).default({}),
});
const answer = z
  .strictObject({
    when: z.union([text, z.array(text)]).optional(),
    repeat: z.union([z.literal('always'), z.number().int().min(1)]).default(1),
    text: text.optional(),
    choices: z.array(text).min(1).optional(),
    tokens: z.array(token).min(1).optional(),
    finish: z.enum(['stop', 'length']).default('stop'),
    pace: z.number().int().min(0).max(60_000).default(0),
    fault: z.enum(faults).optional(),
    after: z.number().int().min(0).default(0),
    status: z.number().int().min(300).max(599).optional(),
    message: text.optional(),
    retry_after: z.union([z.number().min(0), z.string()]).optional(),
  })
  .refine(
    ({ text, choices, tokens, fault }) => {
      const given = [text, choices, tokens].filter((each) => each !== undefined).length;
      return given === 1 || (given === 0 && fault !== undefined);
    },
    { message: 'An answer has exactly one of "text", "choices" and "tokens", or a "fault".' },
  );

export const script = z.strictObject({
  context: z.number().int().min(1).default(8192),
  n: z.number().int().min(1).max(64).default(16),
  logprobs: z.number().int().min(0).max(20).default(20),
  loop: z.boolean().default(false),
  answers: z.array(answer).min(1),
});

export type Script = z.infer<typeof script>;
export type ScriptInput = z.input<typeof script>;
export type Answer = z.infer<typeof answer>;
export type AnswerInput = z.input<typeof answer>;

export function parseAnswer(input: AnswerInput): Answer {
  return answer.parse(input);
}
