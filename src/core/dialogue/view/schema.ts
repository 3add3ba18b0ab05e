// The page uses the files beside this one, and must not load zod: they import only types from here.
import { z } from 'zod';
import { attachmentSchema } from '../../attachments/schema.ts';
import { thoughtViewSchema } from '../../pool/schema.ts';
import { runFields, usageSchema } from '../../runs/schema.ts';
import { listOf, natural, positive } from '../../util/schemas.ts';
import { budget } from '../config.ts';
import { draftMarks, draftSignal, droppedIds, endReason, engagement, outcome, pauseReason } from '../events.ts';

/* The views of a dialogue (C7, D4, D14, D16, D27). */
const indices = listOf(positive);
const attachments = listOf(attachmentSchema);

const draft = z.object({
  index: positive,
  iter: positive,
  text: z.string(),
  seen: z.boolean(),
  signal: draftSignal.nullable(),
  same_as: positive.exactOptional(),
  ...draftMarks,
  ts: z.string(),
  chars: natural,
  after: natural.describe('Iterations since the entry before it.'),
});
export type DialogueDraftView = z.infer<typeof draft>;

export const draftsSchema = z.object({
  turn: positive.nullable(),
  drafts: listOf(draft),
  total: natural.describe('How many there are; a page shows some of them.'),
});
export type DialogueDraftsView = z.infer<typeof draftsSchema>;

const nextStep = z.enum(['start', 'continue', 'accept']);
/** What leads on. The terminal names commands for it, the page buttons. */
export type DialogueNextStep = z.infer<typeof nextStep>;

const attention = z.object({
  level: z.enum(['thinking', 'publishable', 'needs_you', 'idle']),
  reason: z.string(),
  next: z
    .array(nextStep)
    .readonly()
    .exactOptional()
    .describe('What to do next if the mind is not thinking: start or continue a run, accept the latest reply.'),
});
/** What the mind needs from the person, with the reason in words (D14). */
export type DialogueAttention = z.infer<typeof attention>;

const turn = z.object({
  turn: positive,
  message: z.string(),
  attachments: attachments.exactOptional().describe('Files attached to the message.'),
  by: z.string(),
  ts: z.string(),
  iterations: natural,
  steer: listOf(z.string()),
  steer_attachments: listOf(attachments).exactOptional().describe('Files attached to each note, if any.'),
  latest_reply: positive.nullable().describe('The draft that an accept without an index would take.'),
  unseen: natural,
  window: indices.describe('The drafts that the mind sees.'),
  fork_at: natural.describe('Fork after this event number to start another topic.'),
});
export type TurnView = z.infer<typeof turn>;

const run = z.object({
  ...runFields,
  iterations: positive.exactOptional(),
  budget,
  spent: z.object({ iterations: natural, tokens: natural, money: z.number() }),
  reason: z.union([pauseReason, endReason]).exactOptional(),
  empty: z.literal(true).exactOptional().describe('The model’s answer in the latest iteration was empty.'),
});
export type DialogueRunView = z.infer<typeof run>;

export const statusSchema = z.object({
  state: z.enum(['idle', 'awaiting']),
  iter: natural,
  attention,
  drafts: natural.describe('Those of the open turn.'),
  engagement,
  turn: turn.exactOptional(),
  run: run.exactOptional(),
  warning: z
    .string()
    .exactOptional()
    .describe('The mind no longer sees the reply that an accept without an index would take.'),
  thoughts: natural,
  late: natural,
  model: z.string().nullable(),
  self: z.string(),
});
export type DialogueStatusView = z.infer<typeof statusSchema>;

const hunks = listOf(z.object({ kind: z.enum(['equal', 'delete', 'insert']), text: z.string() }));
const acceptedTurn = z.object({
  turn: positive,
  message: z.string(),
  attachments: attachments.exactOptional().describe('Files attached to the message.'),
  reply: z.string(),
  accepted_draft_index: positive,
  ts: z.string(),
  by: z.string(),
  asked: z.object({ by: z.string(), ts: z.string() }).describe('Who wrote the message, and when.'),
  drafts: positive.describe('How many drafts the turn has, signals included.'),
  model: z.string().exactOptional().describe('The model that wrote the draft.'),
  small: z.literal(true).exactOptional(),
  draft: z.string().exactOptional().describe('For an edited reply: the text before the edit.'),
  difference: hunks.exactOptional(),
  auto: z.object({ after: positive, set_by: z.string() }).exactOptional(),
  pruned: z.literal(true).exactOptional().describe('Hidden from the mind.'),
});
export type HistoryTurn = z.infer<typeof acceptedTurn>;
export const historySchema = z.object({ turns: listOf(acceptedTurn) });

const thoughts = listOf(thoughtViewSchema);
export const iterationSchema = z.object({
  iter: positive,
  outcome,
  draft: draft.exactOptional(),
  thoughts,
  sampled: indices,
  usage: usageSchema,
  turn: positive,
  run: positive,
  ts: z.string(),
  event: z.string(),
  model: z.string(),
  small: z.literal(true).exactOptional(),
  prompt: z.string().describe('SHA-256 of the prompt.'),
  seed: natural,
  latency_ms: natural,
  problem: z.string().exactOptional(),
  partial: z.string().exactOptional().describe('The beginning of an answer that broke off or could not be used.'),
  clear: z.literal(true).exactOptional(),
  empty: z.literal(true).exactOptional().describe('The model’s answer was empty; it counts as silence.'),
  shown: z.object({ thoughts, recent: thoughts, recalled: thoughts, drafts: indices, history: indices }),
  dropped: droppedIds.exactOptional(),
});
export type IterationView = z.infer<typeof iterationSchema>;

/** Nearly equal drafts, and the one to read. */
const family = z.object({
  best: positive,
  text: z.string(),
  drafts: indices.describe('Newest first.'),
  difference: hunks.exactOptional().describe('From the last reply the person has seen to the best of these.'),
});
export type Family = z.infer<typeof family>;

export const awaySchema = z.object({
  turn: positive.nullable(),
  last_seen: positive.nullable().describe('The last reply the person has seen.'),
  iterations: natural,
  unseen: natural,
  endorsements: natural,
  words: listOf(z.string()),
  families: listOf(family).describe('By their newest draft, newest first.'),
  older: natural.describe('Unseen replies that are too old to be grouped.'),
});
export type AwayView = z.infer<typeof awaySchema>;

export const provenanceSchema = z.object({
  turn: positive,
  draft: positive,
  passage: z.string(),
  first: z
    .object({ index: positive, iter: positive })
    .nullable()
    .describe('The first draft that contains it; null if only the person’s edit does.'),
  drafts: indices.describe('Drafts that contain it word for word, oldest first.'),
});
export type PassageProvenance = z.infer<typeof provenanceSchema>;
