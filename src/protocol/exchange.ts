import { z } from 'zod';
import {
  AuditWritten,
  BranchBegun,
  drift,
  endReason,
  evidence,
  hashes,
  pauseReason,
  RestartAnswered,
} from '../core/exchange/events.ts';
import { budget, terms } from '../core/exchange/terms/terms.ts';
import { usageSchema } from '../core/runs/schema.ts';

/* Response shapes and routes of exchanges (C8, X1–X11). */
const count = z.number().int().nonnegative();
const index = z.number().int().positive();
const indices = z.array(index).readonly();
const head = { head: z.string() };
const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();
const phase = z.enum(['free_running', 'structured']);
const policy = z.enum(['alert', 'pause', 'branch']);

const restart = z.object({
  restart: index,
  round: index,
  ts: z.string(),
  evidence: listOf(evidence),
  policy,
  answer: RestartAnswered.schema.extend({ by: z.string(), ts: z.string() }).optional(),
});

const modelWait = z.object({ since: z.string(), until: z.string(), why: z.string() });
const status = z.object({
  question: z.string().describe('What it is about, as the terms that hold now say.'),
  phase,
  round: count.describe('Rounds that are over.'),
  spoken: count.describe('Minds that have spoken in the next one.'),
  attention: z.object({ level: z.enum(['running', 'needs_you', 'idle']), reason: z.string() }),
  minds: listOf(z.object({ id: z.string(), model: z.string().nullable() })),
  thoughts: count,
  active: count,
  clusters: count,
  vetoed: indices,
  audits: count,
  audit_due: z.boolean(),
  auditing: z
    .object({ audit: index, after_round: z.literal(true).optional(), waiting: modelWait.optional() })
    .optional()
    .describe('The audit that is being written, or will be once the round is over; and until when its model is away.'),
  next_audit: count.describe('Rounds until the next audit.'),
  terms: count.describe('The version of the terms that holds.'),
  late: count,
  run: z
    .object({
      run: index,
      state: z.enum(['running', 'paused', 'ended']),
      rounds: index.optional(),
      seed: count,
      budget,
      done: count,
      spent: z.object({ rounds: count, tokens: count, money: z.number() }),
      since: z.string(),
      waiting: modelWait.optional(),
      interrupted: z.literal(true).optional().describe('It would go on, and no server does its work.'),
      reason: z.union([pauseReason, endReason]).optional(),
      why: z.string().optional(),
    })
    .optional(),
  awaiting: index.optional().describe('The audit that waits for an answer.'),
  pending: restart.optional().describe('The request for a restart that waits for a decision.'),
  restarts: listOf(restart),
  halted: z.object({ by: z.string(), reason: z.string(), ts: z.string() }).optional(),
  branch: BranchBegun.schema.optional(),
  control: z.boolean(),
});
export type WireExchange = z.infer<typeof status>;

const thought = z.object({
  id: index,
  iter: index,
  author: z.string(),
  text: z.string(),
  cluster: index.nullable(),
  active: z.boolean(),
  vetoed: z.object({ by: z.string(), reason: z.string(), ts: z.string() }).optional(),
});
const round = z.object({
  round: index,
  event: z.string(),
  ts: z.string(),
  drift,
  problem: z.string().optional(),
  thoughts: listOf(thought),
  calls: listOf(
    z.object({
      iter: index,
      author: z.string(),
      model: z.string(),
      outcome: z.enum(['thoughts', 'silence', 'malformed', 'error']),
      shown: indices,
      usage: usageSchema,
      event: z.string(),
      small: z.literal(true).optional(),
      legibility: z.literal('partial').optional(),
      restart: z.string().optional(),
      problem: z.string().optional(),
    }),
  ),
  audit: index.optional(),
});
export type WireRound = z.infer<typeof round>;
const audit = z.object({
  ...AuditWritten.schema.shape,
  ts: z.string(),
  event: z.string(),
  cites: listOf(thought),
  answers: listOf(z.string()),
});
export type WireAudit = z.infer<typeof audit>;

const entryType = z.enum(['injection', 'audit', 'auditor_role', 'observer_role', 'observer', 'restart', 'policy']);
const entry = z.object({
  entry: index,
  type: entryType,
  event: z.string(),
  ts: z.string(),
  by: z.string(),
  round: count,
  text: z.string(),
  marked: z.string(),
});
const version = z.object({
  version: count,
  terms,
  hashes,
  texts: z.record(z.string(), z.string()),
  changed: listOf(z.string()),
  announced: index,
  effective: index,
  by: z.string(),
  ts: z.string(),
  reason: z.string().optional(),
});

const branch = z.object({
  thread: z.string(),
  title: z.string(),
  forked_from: z.object({ thread: z.string(), seq: count }).optional(),
  created: z.string(),
  phase: phase.optional(),
  rounds: count.optional(),
  branch: BranchBegun.schema.optional(),
});
export type WireBranch = z.infer<typeof branch>;

const side = z.object({ rounds: count, thoughts: count, audits: count, phase, control: z.boolean() });
const clusterSide = z.object({ id: index, active: count, label: z.string() }).nullable();
const comparison = z.object({
  a: side,
  b: side,
  common: count,
  first_difference: z
    .object({ round: index, a: listOf(z.string()).nullable(), b: listOf(z.string()).nullable() })
    .nullable(),
  terms: listOf(z.string()),
  clusters: listOf(
    z.object({ a: clusterSide, b: clusterSide, match: z.enum(['same', 'alike']).nullable(), likeness: z.number() }),
  ),
  rounds: listOf(
    z.object({
      round: index,
      a: drift.nullable(),
      b: drift.nullable(),
      audits: z.tuple([index.nullable(), index.nullable()]).readonly(),
    }),
  ),
});
export type WireComparison = z.infer<typeof comparison>;

const before = z.coerce.number().int().positive().optional();
const limit = (defaultLimit: number) => z.coerce.number().int().min(1).max(1000).default(defaultLimit);
const readRoute = { access: 'participant', status: 200 } as const;

export const exchangeRoutes = {
  'GET /api/threads/:thread/exchange': {
    summary: 'How an exchange stands: phase, rounds, what waits for the observer.',
    ...readRoute,
    response: status.extend(head),
  },
  'GET /api/threads/:thread/rounds': {
    summary: 'Rounds with their thoughts and calls, newest first.',
    ...readRoute,
    query: z.strictObject({ before: before.describe('Only rounds before this one.'), limit: limit(50) }),
    response: z.object({ rounds: listOf(round), ...head }),
  },
  'GET /api/threads/:thread/audits': {
    summary: 'Audits with what they cite and how many clusters that covers, newest first.',
    ...readRoute,
    query: z.strictObject({ before: before.describe('Only audits before this one.'), limit: limit(20) }),
    response: z.object({ audits: listOf(audit), ...head }),
  },
  'GET /api/threads/:thread/entries': {
    summary: 'What was said besides thoughts, newest first.',
    ...readRoute,
    query: z.strictObject({
      types: z
        .string()
        .max(200)
        .transform((text) => text.split(','))
        .pipe(z.array(entryType))
        .optional()
        .describe('Only these, with commas between them.'),
      before: before.describe('Only entries before this one.'),
      limit: limit(100),
    }),
    response: z.object({ entries: listOf(entry), ...head }),
  },
  'GET /api/threads/:thread/terms': {
    summary: 'The terms that hold, those announced, and every version there was, newest first.',
    ...readRoute,
    response: z.object({ now: version, announced: listOf(count), versions: listOf(version), ...head }),
  },
  'GET /api/threads/:thread/powers': {
    summary: 'Who may do what in an exchange, and under which rule.',
    ...readRoute,
    response: z.object({
      roles: listOf(
        z.object({
          role: z.enum(['observer', 'auditor', 'pool']),
          actors: listOf(z.string()),
          powers: listOf(z.object({ power: z.string(), commands: listOf(z.string()), rule: z.string() })),
          limit: z.string(),
        }),
      ),
      ...head,
    }),
  },
  'GET /api/threads/:thread/drift': {
    summary: 'Diversity, novelty, dominance and noise of each round, oldest first.',
    ...readRoute,
    query: z.strictObject({ latest: z.coerce.number().int().min(1).max(1_000_000).default(1000) }),
    response: z.object({ rounds: listOf(drift.extend({ round: index })), ...head }),
  },
  'GET /api/threads/:thread/branches': {
    summary: 'Every branch of the exchange that this one belongs to, parents before their branches.',
    ...readRoute,
    response: z.object({ branches: listOf(branch), ...head }),
  },
  'GET /api/threads/:thread/compare/:other': {
    summary: 'Two branches side by side: clusters, audits, drift, first difference.',
    ...readRoute,
    query: z.strictObject({ latest: limit(200) }),
    response: comparison.extend(head),
  },
} as const;
