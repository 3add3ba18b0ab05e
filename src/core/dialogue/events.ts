import { z } from 'zod';
import type { EventType } from '../events/manifest.ts';
import { waitContentSchema } from '../runs/wait-schema.ts';
import { budget, settings } from './config.ts';

const positive = z.number().int().positive();
const ids = z.array(positive);
const text = z.string();

export const configured = z.strictObject({ set: settings });

export const turnOpened = z.strictObject({ turn: positive, text });
export const turnSteered = z.strictObject({ turn: positive, text });
export const turnWithdrawn = z.strictObject({ turn: positive });
const difference = z.array(z.strictObject({ kind: z.enum(['equal', 'delete', 'insert']), text }));
export const turnAccepted = z.strictObject({
  turn: positive,
  draft: positive,
  /** What the person made of the draft; without it, the draft as it is. */
  edited: z.strictObject({ text, difference }).exactOptional(),
  /** Nobody accepted it by hand: a human had set so (D17, M9). */
  auto: z.strictObject({ after: positive, set_by: text }).exactOptional(),
  /** An old turn, taken up again with another draft (D6). */
  reopened: z.strictObject({ thread: text }).exactOptional(),
});
export const draftsSeen = z.strictObject({ turn: positive, drafts: ids });
export const engagement = z.enum(['absent', 'reviewing', 'engaged']);
export const engagementSet = z.strictObject({ engagement });
export const historyPruned = z.strictObject({ turn: z.number().int().min(0) });

export const runStarted = z.strictObject({
  run: positive,
  turn: positive,
  /** Ends after so many. */
  iterations: positive.exactOptional(),
  /** Ends after so many silent ones in a row. */
  silences: positive,
  /** Ends at the first hard signal or `+1` (D31). */
  until_signal: z.literal(true).exactOptional(),
  budget,
});
export const pauseReason = z.enum(['asked', 'budget', 'malformed', 'refused']);
export const runPaused = z.strictObject({ run: positive, reason: pauseReason, why: text });
export const runResumed = z.strictObject({ run: positive, budget: budget.exactOptional() });
export const endReason = z.enum(['done', 'silence', 'signal', 'accepted', 'withdrawn', 'stopped', 'replaced']);
export const runEnded = z.strictObject({ run: positive, reason: endReason });

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
export const iterationEnded = z.strictObject({
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
});
/** A result that came when its turn or run was over: kept, and without effect (D5). */
export const iterationLate = z.strictObject({
  ...iterationFacts,
  why: z.enum(['accepted', 'withdrawn', 'paused', 'stopped']),
  thoughts: z.array(text),
  draft: text.exactOptional(),
  problem: text.exactOptional(),
});

export const dialogueEvents: readonly EventType[] = [
  { type: 'dialogue.configured', v: 1, durable: true, schema: configured },
  { type: 'turn.opened', v: 1, durable: true, schema: turnOpened },
  { type: 'turn.steered', v: 1, durable: true, schema: turnSteered },
  { type: 'turn.withdrawn', v: 1, durable: true, schema: turnWithdrawn },
  { type: 'turn.accepted', v: 1, durable: true, schema: turnAccepted },
  { type: 'drafts.seen', v: 1, durable: true, schema: draftsSeen },
  { type: 'engagement.set', v: 1, durable: true, schema: engagementSet },
  { type: 'history.pruned', v: 1, durable: true, schema: historyPruned },
  { type: 'run.started', v: 1, durable: true, schema: runStarted },
  { type: 'run.waiting', v: 1, durable: true, schema: waitContentSchema },
  { type: 'run.paused', v: 1, durable: true, schema: runPaused },
  { type: 'run.resumed', v: 1, durable: true, schema: runResumed },
  { type: 'run.ended', v: 1, durable: true, schema: runEnded },
  { type: 'iteration.ended', v: 1, durable: true, schema: iterationEnded },
  { type: 'iteration.late', v: 1, durable: true, schema: iterationLate },
];
