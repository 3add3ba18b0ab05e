import { z } from 'zod';
import { defineEvent, type EventOf } from '../events/define.ts';
import type { ThoughtClustered } from '../pool/events.ts';
import { usageSchema, waitContentSchema } from '../runs/schema.ts';
import type { ControlPosted, ThreadCreated } from '../threads/events.ts';
import { natural, positive } from '../util/schemas.ts';
import { budget, changes } from './terms/terms.ts';

const ids = z.array(positive);
const text = z.string();

export const hashes = z.strictObject({ auditor_spec: text, mind_prompt: text, observer_role: text, terms: text });
export const TermsSet = defineEvent('terms.set', {
  schema: z.strictObject({
    version: positive,
    set: changes,
    hashes,
    /** The first round whose input announces the change, and the first round it is in effect (X3). */
    announced: positive,
    effective: positive,
    reason: text.exactOptional(),
  }),
});

export const RoundsStarted = defineEvent('rounds.started', {
  schema: z.strictObject({
    run: positive,
    rounds: positive.exactOptional(),
    /** The seed of all samples in this run. */
    seed: natural,
    budget,
  }),
});
export const pauseReason = z.enum(['asked', 'budget', 'failures', 'refused', 'auditor', 'restart', 'answer']);
export const RoundsPaused = defineEvent('rounds.paused', {
  schema: z.strictObject({ run: positive, reason: pauseReason, why: text }),
});
export const RoundsResumed = defineEvent('rounds.resumed', {
  schema: z.strictObject({ run: positive, budget: budget.exactOptional() }),
});
export const endReason = z.enum(['done', 'stopped', 'replaced', 'halted', 'branched', 'rolled_back']);
export const RoundsEnded = defineEvent('rounds.ended', {
  schema: z.strictObject({ run: positive, reason: endReason }),
});

/** Fields that every call of a mind or the auditor records, whatever its result. */
export const callFacts = {
  round: natural,
  run: natural,
  seed: natural,
  /** SHA-256 of the instructions, and the version of the terms in the input. */
  prompt: text,
  terms: positive,
  model: text,
  /** A small model wrote this; every view that shows it says so (M3). */
  small: z.literal(true).exactOptional(),
  /** Some required texts were shown only by hash and first lines (M10). */
  legibility: z.literal('partial').exactOptional(),
  shown: ids,
  dropped: ids.exactOptional(),
  usage: usageSchema,
  latency_ms: natural,
  repaired: z.literal(true).exactOptional(),
  cleaned: z.literal(true).exactOptional(),
} as const;

export const MindSpoke = defineEvent('mind.spoke', {
  schema: z.strictObject({
    ...callFacts,
    /** The mind's position in the round, from 0. */
    mind: natural,
    iter: positive,
    outcome: z.enum(['thoughts', 'silence', 'malformed', 'error']),
    thoughts: z.array(text),
    /** The mind requests a restart, for this reason (X6). */
    restart: text.exactOptional(),
    problem: text.exactOptional(),
  }),
});
/** A result that arrived too late. It has no effect except its cost. */
export const CallLate = defineEvent('call.late', {
  schema: z.strictObject({ ...callFacts, from: z.enum(['mind', 'auditor']), thoughts: z.array(text) }),
});

export const drift = z.strictObject({
  /**
   * Mean distance between active thoughts, and from the round's thoughts to their nearest predecessors; null if
   * unknown.
   */
  diversity: z.number().nullable(),
  novelty: z.number().nullable(),
  /** The largest cluster's share of the active pool, and the share without a cluster. */
  dominance: z.number(),
  noise: z.number(),
});
export const RoundEnded = defineEvent('round.ended', {
  schema: z.strictObject({
    round: positive,
    run: positive,
    /** The number of thoughts before and after the round. */
    before: natural,
    after: natural,
    drift,
    /** Clusters that may ask for a restart again (X6). */
    rearmed: ids.exactOptional(),
    audit_due: z.literal(true).exactOptional(),
    problem: text.exactOptional(),
  }),
});

export const InjectionMade = defineEvent('injection.made', { schema: z.strictObject({ text }) });
export const ObserverSpoke = defineEvent('observer.spoke', {
  schema: z.strictObject({ text, audit: positive.exactOptional() }),
});
export const AuditWritten = defineEvent('audit.written', {
  schema: z.strictObject({
    ...callFacts,
    audit: positive,
    text,
    hash: text,
    /** Thoughts the audit cites, citations that do not exist, and the share of active clusters they cover (X4). */
    cites: ids,
    unknown: z.array(text),
    coverage: z.strictObject({ cited: ids, missed: ids, share: z.number() }),
    /** The observer must answer before the rounds continue (X7). */
    ask: z.literal(true).exactOptional(),
  }),
});
export const AuditFailed = defineEvent('audit.failed', {
  schema: z.strictObject({
    ...callFacts,
    audit: positive,
    attempt: positive,
    problem: text,
    /** No more retries until someone requests an audit or the next round ends. */
    gave_up: z.literal(true).exactOptional(),
  }),
});
/** The observer continued without an audit that was due (X17). */
export const AuditSkipped = defineEvent('audit.skipped', {
  schema: z.strictObject({ audit: positive, round: natural, reason: text }),
});

const mindEvidence = z.strictObject({ by: z.literal('mind'), mind: text, iter: positive, reason: text });
const dominanceEvidence = z.strictObject({
  by: z.literal('dominance'),
  cluster: positive,
  share: z.number(),
  themed: z.number(),
  iterations: ids,
  thoughts: ids,
});
const evidence = z.union([mindEvidence, dominanceEvidence]);
export const RestartDetected = defineEvent('restart.detected', {
  schema: z.strictObject({
    restart: positive,
    round: positive,
    evidence: z.array(evidence),
    /** Clusters that cannot request a restart again until they have faded. */
    disarmed: ids,
    policy: z.enum(['alert', 'pause', 'branch']),
  }),
});
export const decision = z.enum(['branch', 'rollback', 'amend', 'acknowledge', 'halt']);
export const RestartAnswered = defineEvent('restart.answered', {
  schema: z.strictObject({
    restart: positive,
    decision,
    reason: text,
    /** The branch that continues the exchange. */
    thread: text.exactOptional(),
    round: natural.exactOptional(),
    version: positive.exactOptional(),
    /** Decided automatically, by a policy that a human had set (X8, M9). */
    auto: z.strictObject({ set_by: text }).exactOptional(),
  }),
});

/** The first event of a branch after its creation. */
export const BranchBegun = defineEvent('branch.begun', {
  schema: z.strictObject({
    kind: z.enum(['branch', 'rollback', 'control']),
    from: z.strictObject({ thread: text, round: natural }),
    reason: text.exactOptional(),
    /** The restart this branch answers, and the decision. */
    restart: positive.exactOptional(),
    auto: z.literal(true).exactOptional(),
  }),
});
export const BranchRolledBack = defineEvent('branch.rolled_back', {
  schema: z.strictObject({ thread: text, round: natural, reason: text.exactOptional() }),
});

export const RoundsWaiting = defineEvent('rounds.waiting', {
  /** The number of the audit that waits, or else the id of the mind that does (D31). */
  schema: waitContentSchema.extend({ audit: positive.exactOptional(), mind: text.exactOptional() }),
});
export const AuditAsked = defineEvent('audit.asked', { schema: z.strictObject({ audit: positive }) });
const roleStated = z.strictObject({ text, hash: text, audit: positive });
export const AuditorRole = defineEvent('auditor.role', { schema: roleStated });
export const ObserverRole = defineEvent('observer.role', { schema: roleStated });
export const ExchangeHalted = defineEvent('exchange.halted', { schema: z.strictObject({ reason: text }) });
export const ThoughtVetoed = defineEvent('thought.vetoed', {
  schema: z.strictObject({ thought: positive, reason: text }),
});
export const ThoughtUnvetoed = defineEvent('thought.unvetoed', { schema: z.strictObject({ thought: positive }) });

export const exchangeEvents = [
  TermsSet,
  RoundsStarted,
  RoundsWaiting,
  RoundsPaused,
  RoundsResumed,
  RoundsEnded,
  MindSpoke,
  CallLate,
  RoundEnded,
  InjectionMade,
  ObserverSpoke,
  AuditAsked,
  AuditWritten,
  AuditFailed,
  AuditSkipped,
  AuditorRole,
  ObserverRole,
  RestartDetected,
  RestartAnswered,
  BranchBegun,
  BranchRolledBack,
  ExchangeHalted,
  ThoughtVetoed,
  ThoughtUnvetoed,
];

/** The exchange's own events, the pool's, and the conversation events it follows. */
export type ExchangeEvent = EventOf<
  (typeof exchangeEvents)[number] | typeof ThoughtClustered | typeof ThreadCreated | typeof ControlPosted
>;
