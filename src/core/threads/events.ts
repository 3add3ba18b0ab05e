import { z } from 'zod';
import { defineEvent, defineLiveItem, type EventOf } from '../events/define.ts';
import { originSchema } from '../origin-schema.ts';
import { retryTimeSchema } from '../runs/schema.ts';
import * as schema from './schema.ts';

/** Has no maximum: a title that a user enters is short, but one derived from another title may be longer. */
const title = z.string().min(1);
const forkPoint = z.strictObject({ thread: z.string(), seq: z.number().int().positive() });
const sideOf = z.strictObject({
  thread: z.string(),
  question: z.string(),
  members: z.array(z.string()),
  budget: schema.budget.optional(),
  /** Wakes that agents had already caused when one of them opened the side channel (T16). */
  spent: z.number().int().positive().optional(),
});

/** Wakes that an agent transferred from the source thread to the thread it made (T16). */
const wakes = z.number().int().min(0).optional();

export const ThreadCreated = defineEvent('thread.created', {
  schema: z.strictObject({
    title,
    kind: schema.threadKind,
    wakes,
    /** The source thread, if an agent made this one: models here also use its budget. */
    payer: z.strictObject({ thread: z.string(), budget: schema.budget }).optional(),
    forked_from: forkPoint.optional(),
    side_of: sideOf.optional(),
    /** The place that the thread was opened from. */
    origin: originSchema.optional(),
  }),
});
export const ThreadRenamed = defineEvent('thread.renamed', { schema: z.strictObject({ title }) });
/** Archived threads are left out of lists and search until asked for (T32). */
export const ThreadArchived = defineEvent('thread.archived', { schema: z.strictObject({ on: z.boolean() }) });
/** All tags of the thread from now on (T33). */
export const ThreadTagged = defineEvent('thread.tagged', { schema: z.strictObject({ tags: schema.storedTags }) });
export const ThreadForked = defineEvent('thread.forked', {
  schema: z.strictObject({ thread: z.string(), seq: z.number(), title, wakes }),
});
/** An agent made a thread from a text of this one. Recorded here because the new thread takes wakes along. */
export const ThreadOpened = defineEvent('thread.opened', {
  schema: z.strictObject({ thread: z.string(), title, wakes }),
});
export const SideOpened = defineEvent('side.opened', {
  schema: z.strictObject({
    thread: z.string(),
    title,
    question: z.string(),
    members: z.array(z.string()),
    budget: schema.budget.optional(),
    wakes,
  }),
});
export const SideClosed = defineEvent('side.closed', { schema: z.strictObject({ summary: z.string() }) });
export const SideReturned = defineEvent('side.returned', {
  schema: z.strictObject({ thread: z.string(), summary: z.string() }),
});
export const NoticePosted = defineEvent('notice.posted', {
  schema: z.strictObject({ text: z.string(), about: z.string().optional() }),
});
export const DraftProposed = defineEvent('draft.proposed', {
  schema: z.strictObject({
    index: z.number().int().positive(),
    text: z.string(),
    cause: z.strictObject({ root: z.string(), depth: z.number().int() }),
    reply_to: z.string().optional(),
    held: z.string().optional(),
  }),
});
export const DraftSettled = defineEvent('draft.settled', {
  schema: z.strictObject({
    index: z.number().int().positive(),
    outcome: z.enum(['accepted', 'discarded']),
    text: z.string().optional(),
    /** The event that proposed it. */
    of: z.string().optional(),
  }),
});
/** The model of a woken agent cannot answer now; it will be called again later (T31). */
/** What a model had written when its connection was cut: for people to read, never a message (T18). */
const partialText = z
  .string()
  .min(1)
  .max(64 * 1024)
  .optional();
export const WakeWaiting = defineEvent('wake.waiting', {
  schema: z.strictObject({
    participant: z.string(),
    event: z.string(),
    why: z.string(),
    until: retryTimeSchema,
    /** Usage of all calls for this answer so far. */
    usage: z
      .strictObject({
        model: z.string().max(200),
        prompt_tokens: z.number().min(0),
        generated_tokens: z.number().min(0),
        cost: z.number().min(0),
        estimated: z.literal(true).optional(),
      })
      .optional(),
    partial: partialText,
  }),
});
export const WakeClosed = defineEvent('wake.closed', {
  schema: z.strictObject({
    participant: z.string(),
    event: z.string(),
    up_to: z.number().int(),
    outcome: z.enum(['answered', 'declined', 'failed', 'stopped']),
    reason: z.string().optional(),
    usage: z.looseObject({}).optional(),
    partial: partialText,
  }),
});
export const PresenceUpdated = defineLiveItem(
  'presence.updated',
  z.strictObject({
    participant: z.string(),
    state: schema.presenceState,
    reach: z.enum(['live', 'wakeable', 'declared', 'none']),
    since: z.string(),
    details: schema.profile.exactOptional(),
  }),
);

/** Somebody's pins have changed; only their own streams get it (T34). */
export const PinsUpdated = defineLiveItem('pins.updated', z.strictObject({ threads: z.array(z.string()).readonly() }));

/** Somebody has another name or picture (T37). */
export const PeopleUpdated = defineLiveItem('people.updated', z.strictObject({ participant: z.string() }));

/** Text that a model is writing, for connected clients. The log has only the outcome (M12). */
const textStreamed = z.strictObject({
  /** Stays the same from the first word to the event that records the outcome. */
  job: z.string(),
  from: z.string(),
  purpose: z.enum(['answer', 'mind', 'auditor']),
  /** Offset of this piece in the text; 0 starts over, for example when the model is called again. */
  at: z.number().int().min(0),
  text: z.string(),
});
export type StreamedText = z.infer<typeof textStreamed>;

export const MessagePosted = defineEvent('message', { schema: schema.message });
/** Another text for a message, by its author (T35). */
export const MessageVersioned = defineEvent('message.versioned', {
  schema: z.strictObject({ of: z.string().min(1).max(64), text: schema.message }),
});
export const ControlPosted = defineEvent('control', { schema: schema.control });
export const TaskPosted = defineEvent('task', { schema: schema.task });
export const ResultPosted = defineEvent('result', { schema: schema.result });
const PresenceLogged = defineEvent('presence', { schema: schema.presenceLog });
export const TextStreamed = defineLiveItem('text.streamed', textStreamed);

export const threadEvents = [
  ThreadCreated,
  ThreadRenamed,
  ThreadArchived,
  ThreadTagged,
  ThreadForked,
  ThreadOpened,
  MessagePosted,
  MessageVersioned,
  ControlPosted,
  TaskPosted,
  ResultPosted,
  PresenceLogged,
  SideOpened,
  SideClosed,
  SideReturned,
  NoticePosted,
  DraftProposed,
  DraftSettled,
  WakeWaiting,
  WakeClosed,
  PresenceUpdated,
  PinsUpdated,
  PeopleUpdated,
  TextStreamed,
];

/** An event of a conversation, as stored in the log. */
export type ThreadEvent = EventOf<
  Exclude<
    (typeof threadEvents)[number],
    typeof PresenceUpdated | typeof PinsUpdated | typeof PeopleUpdated | typeof TextStreamed
  >
>;
