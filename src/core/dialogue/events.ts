import { z } from 'zod';
import { defineEvent, type EventOf } from '../events/define.ts';
import type { ThoughtClustered } from '../pool/events.ts';
import { waitContentSchema } from '../runs/wait-schema.ts';
import type { ControlPosted, ThreadCreated } from '../threads/events.ts';
import { budget, settings } from './config.ts';

const positive = z.number().int().positive();
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
    /** What the person made of the draft; without it, the draft as it is. */
    edited: z.strictObject({ text, difference }).exactOptional(),
    /** Nobody accepted it by hand: a human had set so (D17, M9). */
    auto: z.strictObject({ after: positive, set_by: text }).exactOptional(),
    /** An old turn, taken up again with another draft (D6). */
    reopened: z.strictObject({ thread: text }).exactOptional(),
  }),
});
export const DraftsSeen = defineEvent('drafts.seen', { schema: z.strictObject({ turn: positive, drafts: ids }) });
export const engagement = z.enum(['absent', 'reviewing', 'engaged']);
export const EngagementSet = defineEvent('engagement.set', { schema: z.strictObject({ engagement }) });
export const HistoryPruned = defineEvent('history.pruned', {
  schema: z.strictObject({ turn: z.number().int().min(0) }),
});

export const RunStarted = defineEvent('run.started', {
  schema: z.strictObject({
    run: positive,
    turn: positive,
    /** Ends after so many. */
    iterations: positive.exactOptional(),
    /** Ends after so many silent ones in a row. */
    silences: positive,
    /** Ends at the first hard signal or `+1` (D31). */
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

/** What the mind was shown, by id: thoughts, drafts by index, turns of history, steering notes. */
const shownIds = z.strictObject({
  thoughts: ids,
  recent: ids,
  recalled: ids,
  drafts: ids,
  history: ids,
  steer: z.number().int().min(0),
});
/** What there was no room for in the model's context (M10). */
const droppedIds = z.strictObject({ thoughts: ids, history: ids, drafts: ids });
export const usage = z.strictObject({
  prompt: z.number().int().min(0),
  generated: z.number().int().min(0),
  cost: z.number().min(0).exactOptional(),
  estimated: z.literal(true).exactOptional(),
});
/** What every iteration tells, however it went. */
export const iterationFacts = {
  turn: positive,
  iter: positive,
  run: positive,
  seed: z.number().int().min(0),
  /** SHA-256 of the prompt (D22). */
  prompt: text,
  model: text,
  /** The model is a small one, and says so wherever it speaks (M3). */
  small: z.literal(true).exactOptional(),
  shown: shownIds,
  dropped: droppedIds.exactOptional(),
  usage,
  latency_ms: z.number().int().min(0),
  /** The model was asked a second time, with what was wrong (D11). */
  repaired: z.literal(true).exactOptional(),
  /** Characters no store keeps were made visible (L15). */
  cleaned: z.literal(true).exactOptional(),
} as const;
const outcome = z.enum(['draft', 'signal', 'silence', 'malformed', 'error']);
export const draftMarks = {
  confidence: z.number().min(0).max(1).exactOptional(),
  status: z.enum(['working', 'final']).exactOptional(),
  /** The model wrote plain text, and all of it is the draft (D28). */
  unstructured: z.literal(true).exactOptional(),
} as const;
const draftContent = z.strictObject({
  index: positive,
  text,
  signal: z.enum(['soft', 'word']).exactOptional(),
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
    /** A silence that nobody chose: the model answered with nothing at all (D28). */
    empty: z.literal(true).exactOptional(),
    /** What was wrong with it. */
    problem: text.exactOptional(),
  }),
});
/** A result that came when its turn or run was over: kept, and without effect (D5). */
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

/** Its own, the pool's, and those of the conversation that it follows. */
export type DialogueEvent = EventOf<
  (typeof dialogueEvents)[number] | typeof ThoughtClustered | typeof ThreadCreated | typeof ControlPosted
>;
