import { z } from 'zod';
import { defineEvent, type EventOf } from '../events/define.ts';
import type { ThoughtClustered } from '../pool/events.ts';
import { usageSchema, waitContentSchema } from '../runs/schema.ts';
import type { ControlPosted, ThreadCreated } from '../threads/events.ts';
import { natural, positive } from '../util/schemas.ts';
import { budget, settings } from './config.ts';

const ids = z.array(positive);
const text = z.string();

const configured = z.strictObject({ set: settings });

export const TurnOpened = defineEvent('turn.opened', { schema: z.strictObject({ turn: positive, text }) });
export const TurnSteered = defineEvent('turn.steered', { schema: z.strictObject({ turn: positive, text }) });
export const TurnWithdrawn = defineEvent('turn.withdrawn', { schema: z.strictObject({ turn: positive }) });
const difference = z.array(z.strictObject({ kind: z.enum(['equal', 'delete', 'insert']), text }));
export const TurnAccepted = defineEvent('turn.accepted', {
  schema: z.strictObject({
    turn: positive,
    draft: positive,
    /** The draft as the person edited it; absent if it was accepted unchanged. */
    edited: z.strictObject({ text, difference }).exactOptional(),
    /** Accepted automatically, because a human had set `auto_accept` (D17, M9). */
    auto: z.strictObject({ after: positive, set_by: text }).exactOptional(),
    /** An old turn, reopened with another draft (D6). */
    reopened: z.strictObject({ thread: text }).exactOptional(),
  }),
});
export const DraftsSeen = defineEvent('drafts.seen', { schema: z.strictObject({ turn: positive, drafts: ids }) });
export const engagement = z.enum(['absent', 'reviewing', 'engaged']);
export const EngagementSet = defineEvent('engagement.set', { schema: z.strictObject({ engagement }) });
export const HistoryPruned = defineEvent('history.pruned', {
  schema: z.strictObject({ turn: natural }),
});

export const RunStarted = defineEvent('run.started', {
  schema: z.strictObject({
    run: positive,
    turn: positive,
    /** The run ends after this many iterations. */
    iterations: positive.exactOptional(),
    /** The run ends after this many silent iterations in a row. */
    silences: positive,
    /** The run ends at the first hard signal or `+1` (D31). */
    until_signal: z.literal(true).exactOptional(),
    budget,
  }),
});
export const pauseReason = z.enum(['asked', 'budget', 'malformed', 'refused']);
export const RunPaused = defineEvent('run.paused', {
  schema: z.strictObject({ run: positive, reason: pauseReason, why: text }),
});
export const RunResumed = defineEvent('run.resumed', {
  schema: z.strictObject({ run: positive, budget: budget.exactOptional() }),
});
export const endReason = z.enum(['done', 'silence', 'signal', 'accepted', 'withdrawn', 'stopped', 'replaced']);
export const RunEnded = defineEvent('run.ended', { schema: z.strictObject({ run: positive, reason: endReason }) });

/** Ids of everything in the mind's input: thoughts, drafts by index, turns of history, steering notes. */
const shownIds = z.strictObject({
  thoughts: ids,
  recent: ids,
  recalled: ids,
  drafts: ids,
  history: ids,
  steer: natural,
});
/** Ids of items that did not fit into the model's context (M10). */
export const droppedIds = z.strictObject({ thoughts: ids, history: ids, drafts: ids });
/** Fields that every iteration records, whatever its result. */
export const iterationFacts = {
  turn: positive,
  iter: positive,
  run: positive,
  seed: natural,
  /** SHA-256 of the prompt (D22). */
  prompt: text,
  model: text,
  /** A small model wrote this; every view that shows it says so (M3). */
  small: z.literal(true).exactOptional(),
  shown: shownIds,
  dropped: droppedIds.exactOptional(),
  usage: usageSchema,
  latency_ms: natural,
  /** The model got a second try, with the problem described (D11). */
  repaired: z.literal(true).exactOptional(),
  /** Characters that no store keeps were replaced by visible ones (L15). */
  cleaned: z.literal(true).exactOptional(),
} as const;
export const outcome = z.enum(['draft', 'signal', 'silence', 'malformed', 'error']);
export const draftMarks = {
  confidence: z.number().min(0).max(1).exactOptional(),
  status: z.enum(['working', 'final']).exactOptional(),
  unstructured: z.literal(true).exactOptional().describe('The model wrote plain text; all of it is the draft (D28).'),
} as const;
export const draftSignal = z.enum(['soft', 'word']);
const draftContent = z.strictObject({
  index: positive,
  text,
  signal: draftSignal.exactOptional(),
  same_as: positive.exactOptional(),
  ...draftMarks,
});
export const IterationEnded = defineEvent('iteration.ended', {
  schema: z.strictObject({
    ...iterationFacts,
    outcome,
    thoughts: z.array(text),
    draft: draftContent.exactOptional(),
    /** Earlier drafts leave the mind's window (D19). */
    clear: z.literal(true).exactOptional(),
    /** Unintended silence: the model returned an empty answer (D28). */
    empty: z.literal(true).exactOptional(),
    /** Why the iteration failed or its output was malformed. */
    problem: text.exactOptional(),
    /** The beginning of an answer that broke off or could not be used. */
    partial: text.exactOptional(),
  }),
});
/** A result that arrived after its turn or run was over. It is kept but has no effect (D5). */
export const IterationLate = defineEvent('iteration.late', {
  schema: z.strictObject({
    ...iterationFacts,
    why: z.enum(['accepted', 'withdrawn', 'paused', 'stopped']),
    thoughts: z.array(text),
    draft: text.exactOptional(),
    problem: text.exactOptional(),
  }),
});

export const DialogueConfigured = defineEvent('dialogue.configured', { schema: configured });
export const RunWaiting = defineEvent('run.waiting', { schema: waitContentSchema });

export const dialogueEvents = [
  DialogueConfigured,
  TurnOpened,
  TurnSteered,
  TurnWithdrawn,
  TurnAccepted,
  DraftsSeen,
  EngagementSet,
  HistoryPruned,
  RunStarted,
  RunWaiting,
  RunPaused,
  RunResumed,
  RunEnded,
  IterationEnded,
  IterationLate,
];

/** The dialogue's own events, the pool's, and the conversation events it follows. */
export type DialogueEvent = EventOf<
  (typeof dialogueEvents)[number] | typeof ThoughtClustered | typeof ThreadCreated | typeof ControlPosted
>;
