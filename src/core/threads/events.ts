import { z } from 'zod';
import type { EventType } from '../events/manifest.ts';
import { originSchema } from '../origin.ts';
import { retryTimeSchema } from '../runs/wait-schema.ts';
import * as schema from './schema.ts';

/** One that was given is short; one that was made of another's may be longer. */
const title = z.string().min(1);
const forkPoint = z.strictObject({ thread: z.string(), seq: z.number().int().positive() });
const sideOf = z.strictObject({
  thread: z.string(),
  question: z.string(),
  members: z.array(z.string()),
  budget: schema.budget.optional(),
  /** Wakes that agents had caused when one of them opened this (T16). */
  spent: z.number().int().positive().optional(),
});

/** How many wakes an agent took along for the thread it made, out of those left where it came from (T16). */
const wakes = z.number().int().min(0).optional();

export const threadCreated = z.strictObject({
  title,
  kind: schema.threadKind,
  wakes,
  /** The thread whose budget models use here as well, for an agent that made it from there. */
  payer: z.strictObject({ thread: z.string(), budget: schema.budget }).optional(),
  forked_from: forkPoint.optional(),
  side_of: sideOf.optional(),
  /** What it was opened from. */
  origin: originSchema.optional(),
});
export const threadRenamed = z.strictObject({ title });
const threadForked = z.strictObject({ thread: z.string(), seq: z.number(), title, wakes });
/** An agent made a thread from a text of this one: told here because it takes wakes along. */
const threadOpened = z.strictObject({ thread: z.string(), title, wakes });
export const sideOpened = z.strictObject({
  thread: z.string(),
  title,
  question: z.string(),
  members: z.array(z.string()),
  budget: schema.budget.optional(),
  wakes,
});
const sideClosed = z.strictObject({ summary: z.string() });
export const sideReturned = z.strictObject({ thread: z.string(), summary: z.string() });
const noticePosted = z.strictObject({ text: z.string(), about: z.string().optional() });
export const draftProposed = z.strictObject({
  index: z.number().int().positive(),
  text: z.string(),
  cause: z.strictObject({ root: z.string(), depth: z.number().int() }),
  reply_to: z.string().optional(),
  held: z.string().optional(),
});
export const draftSettled = z.strictObject({
  index: z.number().int().positive(),
  outcome: z.enum(['accepted', 'discarded']),
  text: z.string().optional(),
  /** The event that proposed it. */
  of: z.string().optional(),
});
/** Its model cannot answer now and is asked again later (T31). */
const wakeWaiting = z.strictObject({
  participant: z.string(),
  event: z.string(),
  why: z.string(),
  until: retryTimeSchema,
  /** By all calls for this answer until now. */
  usage: z
    .strictObject({
      model: z.string().max(200),
      prompt_tokens: z.number().min(0),
      generated_tokens: z.number().min(0),
      cost: z.number().min(0),
      estimated: z.literal(true).optional(),
    })
    .optional(),
});
const wakeClosed = z.strictObject({
  participant: z.string(),
  event: z.string(),
  up_to: z.number().int(),
  outcome: z.enum(['answered', 'declined', 'failed', 'stopped']),
  reason: z.string().optional(),
  usage: z.looseObject({}).optional(),
});
const presenceUpdated = z.strictObject({
  participant: z.string(),
  state: schema.presenceState,
  reach: z.enum(['live', 'wakeable', 'declared', 'none']),
  details: schema.profile.optional(),
});

/** Text that a model is writing, for those who watch. The log has only the outcome (M12). */
const textStreamed = z.strictObject({
  /** The same from the first word to the event that records the outcome. */
  job: z.string(),
  from: z.string(),
  purpose: z.enum(['answer', 'mind', 'auditor']),
  /** Where in the text this piece stands; 0 begins again, as when a model is asked once more. */
  at: z.number().int().min(0),
  text: z.string(),
});
export type TextStreamed = z.infer<typeof textStreamed>;

export const threadEvents: readonly EventType[] = [
  { type: 'thread.created', v: 1, durable: true, schema: threadCreated },
  { type: 'thread.renamed', v: 1, durable: true, schema: threadRenamed },
  { type: 'thread.forked', v: 1, durable: true, schema: threadForked },
  { type: 'thread.opened', v: 1, durable: true, schema: threadOpened },
  { type: 'message', v: 1, durable: true, schema: schema.message },
  { type: 'control', v: 1, durable: true, schema: schema.control },
  { type: 'task', v: 1, durable: true, schema: schema.task },
  { type: 'result', v: 1, durable: true, schema: schema.result },
  { type: 'presence', v: 1, durable: true, schema: schema.presenceLog },
  { type: 'side.opened', v: 1, durable: true, schema: sideOpened },
  { type: 'side.closed', v: 1, durable: true, schema: sideClosed },
  { type: 'side.returned', v: 1, durable: true, schema: sideReturned },
  { type: 'notice.posted', v: 1, durable: true, schema: noticePosted },
  { type: 'draft.proposed', v: 1, durable: true, schema: draftProposed },
  { type: 'draft.settled', v: 1, durable: true, schema: draftSettled },
  { type: 'wake.waiting', v: 1, durable: true, schema: wakeWaiting },
  { type: 'wake.closed', v: 1, durable: true, schema: wakeClosed },
  { type: 'presence.updated', v: 1, durable: false, schema: presenceUpdated },
  { type: 'text.streamed', v: 1, durable: false, schema: textStreamed },
];
