import { z } from 'zod';

/** The answers and faults of a scripted model. The fake server of the tests uses the same vocabulary. */
export const scriptFaults = [
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

const textSchema = z.string().max(1_000_000);
const tokenSchema = z.strictObject({
  text: textSchema,
  logprob: z.number().max(0),
  alternatives: z.record(z.string(), z.number().max(0)).default({}),
});
const answerSchema = z
  .strictObject({
    when: z.union([textSchema, z.array(textSchema)]).optional(),
    repeat: z.union([z.literal('always'), z.number().int().min(1)]).default(1),
    text: textSchema.optional(),
    choices: z.array(textSchema).min(1).optional(),
    tokens: z.array(tokenSchema).min(1).optional(),
    finish: z.enum(['stop', 'length']).default('stop'),
    pace: z.number().int().min(0).max(60_000).default(0),
    fault: z.enum(scriptFaults).optional(),
    after: z.number().int().min(0).default(0),
    status: z.number().int().min(300).max(599).optional(),
    message: textSchema.optional(),
    retry_after: z.union([z.number().min(0), z.string()]).optional(),
  })
  .refine(
    ({ text, choices, tokens, fault }) => {
      const givenCount = [text, choices, tokens].filter((field) => field !== undefined).length;
      return givenCount === 1 || (givenCount === 0 && fault !== undefined);
    },
    { message: 'An answer has exactly one of "text", "choices" and "tokens", or a "fault".' },
  );

export const scriptSchema = z.strictObject({
  context: z.number().int().min(1).default(8192),
  n: z.number().int().min(1).max(64).default(16),
  logprobs: z.number().int().min(0).max(20).default(20),
  loop: z.boolean().default(false),
  answers: z.array(answerSchema).min(1),
});

export type Script = z.infer<typeof scriptSchema>;
export type ScriptInput = z.input<typeof scriptSchema>;
export type ScriptedAnswer = z.infer<typeof answerSchema>;
export type ScriptedAnswerInput = z.input<typeof answerSchema>;

export function parseAnswer(input: ScriptedAnswerInput): ScriptedAnswer {
  return answerSchema.parse(input);
}
