// The page uses the files beside this one, and must not load zod: they import only types from here.
import { z } from 'zod';
import { attachmentSchema } from '../../attachments/schema.ts';
import { thoughtSchema } from '../../pool/schema.ts';
import { modelWaitSchema, runFields } from '../../runs/schema.ts';
import { listOf, natural, positive } from '../../util/schemas.ts';
import {
  AuditWritten,
  BranchBegun,
  drift,
  endReason,
  hashes,
  MindSpoke,
  pauseReason,
  RestartAnswered,
  RestartDetected,
} from '../events.ts';
import { budget, terms } from '../terms/terms.ts';

/* The views of an exchange (C8, X1–X11). Some are rows of its state as they are. */
const phase = z.enum(['free_running', 'structured']);

const restart = RestartDetected.schema.pick({ restart: true, round: true, evidence: true, policy: true }).extend({
  ts: z.string(),
  answer: RestartAnswered.schema.extend({ by: z.string(), ts: z.string() }).exactOptional(),
});
export type Restart = z.infer<typeof restart>;

const attention = z.object({ level: z.enum(['running', 'needs_you', 'idle']), reason: z.string() });
/** What the exchange needs from the observer, with the reason in a sentence. */
export type ExchangeAttention = z.infer<typeof attention>;

const run = z.object({
  ...runFields,
  rounds: positive.exactOptional(),
  seed: natural,
  budget,
  spent: z.object({ rounds: natural, tokens: natural, money: z.number() }),
  reason: z.union([pauseReason, endReason]).exactOptional(),
});
export type ExchangeRunView = z.infer<typeof run>;

/** Who put an end to something, and why: a veto of a thought, a halt. */
const objection = z.object({ by: z.string(), reason: z.string(), ts: z.string() });
export type Objection = z.infer<typeof objection>;

export const statusSchema = z.object({
  question: z.string().describe('The question, from the terms in force.'),
  phase,
  round: natural.describe('Completed rounds.'),
  spoken: natural.describe('Minds that have answered in the next round.'),
  attention,
  minds: listOf(z.object({ id: z.string(), model: z.string().nullable() })),
  thoughts: natural,
  active: natural,
  clusters: natural,
  vetoed: listOf(positive),
  audits: natural,
  audit_due: z.boolean(),
  auditing: z
    .object({
      audit: positive,
      after_round: z.literal(true).exactOptional(),
      waiting: modelWaitSchema.exactOptional(),
    })
    .exactOptional()
    .describe('The audit that is being written, or will be after the round; and until when its model is unavailable.'),
  next_audit: natural.describe('Rounds until the next audit.'),
  terms: natural.describe('The version of the terms in force.'),
  late: natural,
  run: run.exactOptional(),
  awaiting: positive.exactOptional().describe('The audit that waits for an answer.'),
  pending: restart.exactOptional().describe('The request for a restart that waits for a decision.'),
  restarts: listOf(restart),
  halted: objection.exactOptional(),
  branch: BranchBegun.schema.exactOptional(),
  control: z.boolean(),
});
export type ExchangeStatusView = z.infer<typeof statusSchema>;

const thought = thoughtSchema.extend({ vetoed: objection.exactOptional() });
export type ThoughtRow = z.infer<typeof thought>;

const call = MindSpoke.schema
  .pick({
    ...{ iter: true, model: true, outcome: true, shown: true, usage: true },
    ...{ small: true, legibility: true, restart: true, problem: true },
  })
  .extend({ author: z.string(), event: z.string() });
export type CallRow = z.infer<typeof call>;

export const roundSchema = z.object({
  round: positive,
  event: z.string(),
  ts: z.string(),
  drift,
  problem: z.string().exactOptional(),
  thoughts: listOf(thought),
  calls: listOf(call),
  audit: positive.exactOptional().describe('The audit written after it.'),
});
export type RoundRow = z.infer<typeof roundSchema>;

export const auditSchema = z.object({
  ...AuditWritten.schema.shape,
  ts: z.string(),
  event: z.string(),
  cites: listOf(thought),
  answers: listOf(z.string()).describe('The observer’s answer.'),
});
export type AuditRow = z.infer<typeof auditSchema>;

export const entryTypeSchema = z.enum([
  'injection',
  'audit',
  'auditor_role',
  'observer_role',
  'observer',
  'restart',
  'policy',
]);
export type ExchangeEntryType = z.infer<typeof entryTypeSchema>;
/** Anything but a thought (X2): shown, never sampled and never clustered. */
const entry = z.object({
  type: entryTypeSchema,
  event: z.string(),
  ts: z.string(),
  by: z.string(),
  round: natural.describe('How many rounds were complete before it.'),
  text: z.string(),
  attachments: z.array(attachmentSchema).readonly().exactOptional().describe('Files that were attached.'),
});
export type ExchangeEntry = z.infer<typeof entry>;
export const entryRowSchema = entry.extend({
  entry: positive.describe('Its number in the order of time.'),
  marked: z.string().describe('The text with the mark of its type.'),
});
export type EntryRow = z.infer<typeof entryRowSchema>;

export const versionSchema = z.object({
  version: natural,
  terms,
  hashes,
  texts: z.record(z.string(), z.string()),
  changed: listOf(terms.keyof()),
  announced: positive,
  effective: positive,
  by: z.string(),
  ts: z.string(),
  reason: z.string().exactOptional(),
});

const side = z.object({ rounds: natural, thoughts: natural, audits: natural, phase, control: z.boolean() });
export type ComparedSide = z.infer<typeof side>;

const clusterSide = z.object({ id: positive, active: natural, label: z.string() });
export type ClusterSide = z.infer<typeof clusterSide>;
const clusterPair = z.object({
  a: clusterSide.nullable(),
  b: clusterSide.nullable(),
  match: z
    .enum(['same', 'alike'])
    .nullable()
    .describe('"same": one cluster of the common past; "alike": two with similar words.'),
  likeness: z.number(),
});
export type ClusterPair = z.infer<typeof clusterPair>;

const texts = listOf(z.string());
export const comparisonSchema = z.object({
  a: side,
  b: side,
  common: natural.describe('Rounds that both have.'),
  first_difference: z.object({ round: positive, a: texts.nullable(), b: texts.nullable() }).nullable(),
  terms: texts.describe('Terms that differ now.'),
  clusters: listOf(clusterPair),
  rounds: listOf(
    z.object({
      round: positive,
      a: drift.nullable(),
      b: drift.nullable(),
      audits: z.tuple([positive.nullable(), positive.nullable()]).readonly(),
    }),
  ),
});
export type ExchangeComparison = z.infer<typeof comparisonSchema>;

export const branchSchema = z.object({
  thread: z.string(),
  title: z.string(),
  forked_from: z.object({ thread: z.string(), seq: natural }).optional(),
  created: z.string(),
  phase: phase.optional(),
  rounds: natural.optional(),
  branch: BranchBegun.schema.optional(),
});
