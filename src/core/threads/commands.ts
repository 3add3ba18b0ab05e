import { z } from 'zod';
import { namedAttachments } from '../attachments/schema.ts';
import type { Json } from '../events/event.ts';
import { bringWays } from '../origin.ts';
import { originSchema } from '../origin-schema.ts';
import { retryTimeSchema } from '../runs/schema.ts';
import type { AuditBasis } from './audit/audit.ts';
import { WakeWaiting } from './events.ts';
import * as schema from './schema.ts';

const threadIdSchema = z.string().min(1).max(64);

/** Metadata that a client may set on an event; the server sets the rest (L2). */
const clientMetaSchema = z
  .strictObject({
    reply_to: z.string().min(1).max(64),
    tags: z.array(z.string().min(1).max(64)).max(16),
  })
  .partial();

const envelopeFields = { thread: threadIdSchema, to: schema.recipients.optional(), meta: clientMetaSchema.optional() };
/** What is said may have files. */
const spokenFields = {
  ...envelopeFields,
  meta: clientMetaSchema.extend({ attachments: namedAttachments.optional() }).optional(),
};

export const postInputs = {
  message: z.strictObject({ ...spokenFields, type: z.literal('message'), content: schema.message }),
  control: z.strictObject({ ...envelopeFields, type: z.literal('control'), content: schema.control }),
  task: z.strictObject({ ...spokenFields, type: z.literal('task'), content: schema.task }),
  result: z.strictObject({ ...spokenFields, type: z.literal('result'), content: schema.result }),
  presence: z.strictObject({ ...envelopeFields, type: z.literal('presence'), content: schema.presenceLog }),
} as const;

/** Usage of model calls, in the format of `wake.closed`. */
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
    /** Options for the thread's kind. */
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
    /** The place the thread is opened from. The server finds it; clients never set it. */
    origin: originSchema.optional(),
    seed: seedSchema.optional(),
  }),
  /** Brings a text of another thread into this one; the effect depends on the thread's kind. */
  bring: z.strictObject({
    thread: threadIdSchema,
    as: z.enum(bringWays),
    text: z.string().min(1),
    origin: originSchema,
    /** The place in this thread that the text refers to. */
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
  /** The author of the message is what the server finds in the log; clients never set it. */
  edit: z.strictObject({
    thread: threadIdSchema,
    event: z.string().min(1).max(64),
    author: z.string(),
    text: schema.message,
  }),
  archive: z.strictObject({ thread: threadIdSchema, on: z.boolean().default(true) }),
  /** Adds and takes away: two people who tag at once keep what both said. */
  tag: z.strictObject({
    thread: threadIdSchema,
    add: z.array(schema.tag).max(16).default([]),
    remove: z.array(schema.tag).max(16).default([]),
  }),
  fork: z.strictObject({
    thread: threadIdSchema,
    seq: z.number().int().positive().optional(),
    title: schema.title.optional(),
  }),
  /** Proposes a text for a human to post (T19). */
  draft: z.strictObject({
    thread: threadIdSchema,
    text: z.string().min(1),
    reply_to: z.string().min(1).max(64).optional(),
  }),
  draft_accept: z.strictObject({
    thread: threadIdSchema,
    index: z.number().int().positive(),
    /** The text as edited by the human. */
    text: z.string().min(1).optional(),
  }),
  draft_discard: z.strictObject({ thread: threadIdSchema, index: z.number().int().positive() }),
  stop_answer: z.strictObject({ thread: threadIdSchema, participant: schema.participantId }),
  /** The model of a woken agent cannot answer now. The server reports this under the agent's id (T31). */
  wake_waits: z.strictObject({
    thread: threadIdSchema,
    event: z.string().min(1).max(64),
    why: z.string(),
    until: retryTimeSchema,
    usage: WakeWaiting.schema.shape.usage,
    blobs: z.array(z.string()).optional(),
    partial: WakeWaiting.schema.shape.partial,
  }),
  /** The outcome of a wake. The server reports it under the id of the woken participant (T18). */
  answer: z.strictObject({
    thread: threadIdSchema,
    event: z.string().min(1).max(64),
    /** The answer covers all wakes up to this seq. */
    up_to: z.number().int().positive(),
    outcome: z.enum(['answered', 'declined', 'failed', 'stopped']),
    text: z.string().min(1).optional(),
    reason: z.string().max(2000).optional(),
    /** The sources, if the answer is an audit. */
    audit: z.custom<AuditBasis>().optional(),
    usage: usageSchema,
    partial: WakeWaiting.schema.shape.partial,
  }),
  /** A notice from the server; only automation may send it. */
  notice: z.strictObject({ thread: threadIdSchema, text: z.string().min(1), about: z.string().optional() }),
} as const;

export type Post = { [Type in keyof typeof postInputs]: z.infer<(typeof postInputs)[Type]> }[keyof typeof postInputs];
export type ConversationCommandName = keyof typeof commandInputs;
export type ConversationCommand = {
  [Name in ConversationCommandName]: { readonly name: Name; readonly input: z.infer<(typeof commandInputs)[Name]> };
}[ConversationCommandName];
export type ConversationInput<Name extends ConversationCommandName> = z.infer<(typeof commandInputs)[Name]>;
