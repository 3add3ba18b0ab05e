import { z } from 'zod';

/** The author of a text; `model` if a model wrote it and no participant stands behind it. */
const author = z.object({
  id: z.string(),
  kind: z.enum(['human', 'agent', 'automation', 'model', 'imported', 'unknown']),
  model: z.string().optional(),
  /** A small model wrote it; every text of a small model is labelled so (M3). */
  small: z.literal(true).optional(),
});

/** One sentence of the explanation, in chronological order, with a link to its source. */
const step = z.object({
  what: z.string(),
  ts: z.string().optional(),
  link: z.string().optional(),
  hash: z.string().optional(),
});

/** A part of the text that one author wrote; offsets are UTF-16 units of the text. */
const part = z.object({ from: z.number(), to: z.number(), author });

const call = z.object({
  what: z.string(),
  model: z.string(),
  small: z.literal(true).optional(),
  at: z.string().optional(),
  /** The sampling settings of the request. */
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])),
  usage: z.object({ prompt: z.number(), generated: z.number(), estimated: z.literal(true).optional() }).optional(),
  cost: z.number().optional(),
  latency_ms: z.number().optional(),
  /** The blob with the raw request and response, and whether it is present and intact. */
  raw: z.object({ hash: z.string(), kept: z.boolean() }).optional(),
  /** The raw response; only in a full explanation. */
  response: z.string().optional(),
});

const modelInput = z.object({
  what: z.string(),
  /** The parts of the prompt, each with its source. */
  pieces: z.array(step),
  /** The prompt's length, if it was kept, and its hash. */
  chars: z.number().optional(),
  hash: z.string().optional(),
  /** The whole prompt, message by message; only in a full explanation. */
  messages: z.array(z.object({ role: z.string(), text: z.string() })).optional(),
});

const terms = z.object({
  what: z.string(),
  link: z.string().optional(),
  version: z.number().optional(),
  hash: z.string().optional(),
});

const proof = z.object({
  what: z.string(),
  holds: z.boolean(),
  thread: z.string(),
  event: z.string(),
  seq: z.number(),
  hash: z.string(),
  previous: z.string(),
  /** How many hash links were followed up to this event, and whether those are all. */
  links: z.number(),
  whole: z.boolean(),
  /** Other events that the proof depends on. */
  rests: z.array(z.object({ what: z.string(), event: z.string(), seq: z.number(), hash: z.string() })),
  /** Other values that were recomputed. */
  checks: z.array(z.object({ what: z.string(), holds: z.boolean() })),
});

const account = z.object({
  link: z.string(),
  thread: z.object({ id: z.string(), title: z.string(), kind: z.string() }),
  /** A label of the text: "A message", "Draft #3 of turn 1" … */
  what: z.string(),
  text: z.string(),
  /** The author of the requested character, or of the whole text. */
  author,
  /** The part that contains the character. */
  at: z.object({ offset: z.number(), from: z.number(), to: z.number() }).optional(),
  /** The author of each part, if there are several. */
  parts: z.array(part).optional(),
  steps: z.array(step),
  call: call.optional(),
  shown: modelInput.optional(),
  terms: terms.optional(),
  proof,
});

export type WireAccount = z.infer<typeof account>;
export type AccountAuthor = z.infer<typeof author>;
export type AccountStep = z.infer<typeof step>;
export type AccountPart = z.infer<typeof part>;
export type AccountCall = z.infer<typeof call>;
export type AccountInput = z.infer<typeof modelInput>;
export type AccountTerms = z.infer<typeof terms>;

/** Routes that trace any character to its cause. */
export const explainRoutes = {
  'GET /api/explain': {
    summary:
      'Returns who wrote a text, in which model call, from which input, under which terms, and the proof. With an offset, for one character.',
    access: 'participant',
    status: 200,
    query: z.strictObject({
      link: z.string().min(1).max(2048).describe('An address on the page, or only its path: /threads/ID#EVENT.'),
      offset: z.coerce.number().int().min(0).optional().describe('Which character, in UTF-16 units from 0.'),
      whole: z.enum(['yes', 'no']).default('no').describe('Also return the whole input and the raw answer.'),
    }),
    response: account,
  },
} as const;
