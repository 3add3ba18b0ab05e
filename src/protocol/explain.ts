import { z } from 'zod';

/** Who wrote a text: `model` where a model wrote it and no participant of its own stands behind it. */
const author = z.object({
  id: z.string(),
  kind: z.enum(['human', 'agent', 'automation', 'model', 'imported', 'unknown']),
  model: z.string().optional(),
  /** The model is a small one, and says so wherever it speaks (M3). */
  small: z.literal(true).optional(),
});

/** One sentence of the account, in the order of what happened, with where it leads. */
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
  /** Sampling as it was asked for. */
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])),
  usage: z.object({ prompt: z.number(), generated: z.number(), estimated: z.literal(true).optional() }).optional(),
  cost: z.number().optional(),
  latency_ms: z.number().optional(),
  /** The blob with everything that was sent and came back, and whether it is there and whole. */
  raw: z.object({ hash: z.string(), kept: z.boolean() }).optional(),
  /** What came back, as it came; only of a whole account. */
  response: z.string().optional(),
});

const modelInput = z.object({
  what: z.string(),
  /** What it was made of, each with where it stands. */
  pieces: z.array(step),
  /** How long it was, where it was kept; and what it hashes to. */
  chars: z.number().optional(),
  hash: z.string().optional(),
  /** All of it, message by message; only of a whole account. */
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
  /** How many links up to here were followed, and whether that is all of them. */
  links: z.number(),
  whole: z.boolean(),
  /** Other events it rests on. */
  rests: z.array(z.object({ what: z.string(), event: z.string(), seq: z.number(), hash: z.string() })),
  /** What else was worked out anew. */
  checks: z.array(z.object({ what: z.string(), holds: z.boolean() })),
});

const account = z.object({
  link: z.string(),
  thread: z.object({ id: z.string(), title: z.string(), kind: z.string() }),
  /** What the text is: "A message", "Draft #3 of turn 1" … */
  what: z.string(),
  text: z.string(),
  /** Whose the character is that was asked about, or the text as a whole. */
  author,
  /** The part that the character is in. */
  at: z.object({ offset: z.number(), from: z.number(), to: z.number() }).optional(),
  /** Who wrote which part, where it was not one alone. */
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

/** From any character to its cause. */
export const explainRoutes = {
  'GET /api/explain': {
    summary:
      'Who wrote a text and from which call of a model, what was shown to it, under which terms, and the proof. With an offset, of one character.',
    access: 'participant',
    status: 200,
    query: z.strictObject({
      link: z.string().min(1).max(2048).describe('An address of the page, or only its path: /threads/ID#EVENT.'),
      offset: z.coerce.number().int().min(0).optional().describe('Which character, in UTF-16 units from 0.'),
      whole: z.enum(['yes', 'no']).default('no').describe('Also all that was shown, and what came back as it came.'),
    }),
    response: account,
  },
} as const;
