import { z } from 'zod';
import type { Json } from '../events/event.ts';
import { originSchema } from '../origin.ts';
import { retryTimeSchema } from '../runs/wait-schema.ts';
import type { AuditBasis } from './audit/audit.ts';
import { WakeWaiting } from './events.ts';
import * as schema from './schema.ts';

const threadIdSchema = z.string().min(1).max(64);

/** What a client may say of an event; the server sets the rest (L2). */
const clientMetaSchema = z
  .strictObject({
    reply_to: z.string().min(1).max(64),
    tags: z.array(z.string().min(1).max(64)).max(16),
  })
  .partial();

const envelopeFields = { thread: threadIdSchema, to: schema.recipients.optional(), meta: clientMetaSchema.optional() };

export const postInputs = {
  message: z.strictObject({ ...envelopeFields, type: z.literal('message'), content: schema.message }),
  control: z.strictObject({ ...envelopeFields, type: z.literal('control'), content: schema.control }),
  task: z.strictObject({ ...envelopeFields, type: z.literal('task'), content: schema.task }),
  result: z.strictObject({ ...envelopeFields, type: z.literal('result'), content: schema.result }),
  presence: z.strictObject({ ...envelopeFields, type: z.literal('presence'), content: schema.presenceLog }),
} as const;

/** As what a text can be brought into a thread. */
export const bringWays = ['draft', 'message', 'steer', 'accept', 'branch'] as const;
export type BringWay = (typeof bringWays)[number];

/** What calls used, as `wake.closed` says it. */
const usageSchema = z
  .record(
    z.string(),
    z.custom<Json>((value) => value !== undefined),
  )
  .optional();

const seedSchema = z.strictObject({
  versions: z
    .array(z.strictObject({ text: z.string(), author: z.string(), kind: z.enum(['human', 'model']), ts: z.string() }))
    .min(1),
  message: z.string(),
});

export const commandInputs = {
  create: z.strictObject({
    title: schema.title,
    kind: schema.threadKind.default('conversation'),
    /** What a thread of this kind begins with. */
    setup: z
      .record(
        z.string(),
        z.custom<Json>((value) => value !== undefined),
      )
      .optional(),
    invite: z
      .array(z.strictObject({ participant_id: schema.participantId, profile: schema.profile.default({}) }))
      .max(64)
      .default([]),
    /** What it is opened from: found by the server, never taken from a client. */
    origin: originSchema.optional(),
    seed: seedSchema.optional(),
  }),
  /** A text of another thread comes into this one: what becomes of it depends on the thread's kind. */
  bring: z.strictObject({
    thread: threadIdSchema,
    as: z.enum(bringWays),
    text: z.string().min(1),
    origin: originSchema,
    /** The place in this thread that it is about. */
    at: z.string().max(200).optional(),
  }),
  post: z.discriminatedUnion('type', Object.values(postInputs) as never) as z.ZodType<Post>,
  side_open: z.strictObject({
    thread: threadIdSchema,
    question: z.string().trim().min(1).max(2000),
    members: z.array(schema.participantId).min(1).max(64),
    budget: schema.budget.optional(),
    title: schema.title.optional(),
  }),
  side_close: z.strictObject({ thread: threadIdSchema, summary: z.string().trim().min(1).max(4000) }),
  fork: z.strictObject({
    thread: threadIdSchema,
    seq: z.number().int().positive().optional(),
    title: schema.title.optional(),
  }),
  /** A text beside the thread, for a human to post (T19). */
  draft: z.strictObject({
    thread: threadIdSchema,
    text: z.string().min(1),
    reply_to: z.string().min(1).max(64).optional(),
  }),
  draft_accept: z.strictObject({
    thread: threadIdSchema,
    index: z.number().int().positive(),
    /** As the human edited it. */
    text: z.string().min(1).optional(),
  }),
  draft_discard: z.strictObject({ thread: threadIdSchema, index: z.number().int().positive() }),
  stop_answer: z.strictObject({ thread: threadIdSchema, participant: schema.participantId }),
  /** The model of a woken agent cannot answer now: reported by the server under its id (T31). */
  wake_waits: z.strictObject({
    thread: threadIdSchema,
    event: z.string().min(1).max(64),
    why: z.string(),
    until: retryTimeSchema,
    usage: WakeWaiting.schema.shape.usage,
    blobs: z.array(z.string()).optional(),
  }),
  /** What came of a wake: reported by the server under the id of whoever was woken (T18). */
  answer: z.strictObject({
    thread: threadIdSchema,
    event: z.string().min(1).max(64),
    /** Wakes up to here are answered by it. */
    up_to: z.number().int().positive(),
    outcome: z.enum(['answered', 'declined', 'failed', 'stopped']),
    text: z.string().min(1).optional(),
    reason: z.string().max(2000).optional(),
    /** What it was written from, where it is an audit. */
    audit: z.custom<AuditBasis>().optional(),
    usage: usageSchema,
  }),
  /** The server's own: said by automation only. */
  notice: z.strictObject({ thread: threadIdSchema, text: z.string().min(1), about: z.string().optional() }),
} as const;

export type Post = { [Type in keyof typeof postInputs]: z.infer<(typeof postInputs)[Type]> }[keyof typeof postInputs];
export type ConversationCommandName = keyof typeof commandInputs;
export type ConversationCommand = {
  [Name in ConversationCommandName]: { readonly name: Name; readonly input: z.infer<(typeof commandInputs)[Name]> };
}[ConversationCommandName];
export type ConversationInput<Name extends ConversationCommandName> = z.infer<(typeof commandInputs)[Name]>;
