import { z } from 'zod';
import { drift } from '../core/exchange/events.ts';
import {
  auditSchema,
  branchSchema,
  comparisonSchema,
  entryRowSchema,
  entryTypeSchema,
  roundSchema,
  statusSchema,
  versionSchema,
} from '../core/exchange/view/schema.ts';
import { listOf, natural, positive } from '../core/util/schemas.ts';

const head = { head: z.string() };
const before = z.coerce.number().int().positive().optional();
const limit = (defaultLimit: number) => z.coerce.number().int().min(1).max(1000).default(defaultLimit);
const readRoute = { access: 'participant', status: 200 } as const;

export const exchangeRoutes = {
  'GET /api/threads/:thread/exchange': {
    summary: 'Returns the status of an exchange: phase, rounds, what waits for the observer.',
    ...readRoute,
    response: statusSchema.extend(head),
  },
  'GET /api/threads/:thread/rounds': {
    summary: 'Lists rounds with their thoughts and calls, newest first.',
    ...readRoute,
    query: z.strictObject({ before: before.describe('Only rounds before this one.'), limit: limit(50) }),
    response: z.object({ rounds: listOf(roundSchema), ...head }),
  },
  'GET /api/threads/:thread/audits': {
    summary: 'Lists audits with their citations and the clusters these cover, newest first.',
    ...readRoute,
    query: z.strictObject({ before: before.describe('Only audits before this one.'), limit: limit(20) }),
    response: z.object({ audits: listOf(auditSchema), ...head }),
  },
  'GET /api/threads/:thread/entries': {
    summary: 'Lists entries other than thoughts, newest first.',
    ...readRoute,
    query: z.strictObject({
      types: z
        .string()
        .max(200)
        .transform((text) => text.split(','))
        .pipe(z.array(entryTypeSchema))
        .optional()
        .describe('Only these, separated by commas.'),
      before: before.describe('Only entries before this one.'),
      limit: limit(100),
    }),
    response: z.object({ entries: listOf(entryRowSchema), ...head }),
  },
  'GET /api/threads/:thread/terms': {
    summary: 'Returns the terms in force, announced changes, and all versions, newest first.',
    ...readRoute,
    response: z.object({ now: versionSchema, announced: listOf(natural), versions: listOf(versionSchema), ...head }),
  },
  'GET /api/threads/:thread/powers': {
    summary: 'Lists who may do what in an exchange, and under which rule.',
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
    summary: 'Returns diversity, novelty, dominance and noise of each round, oldest first.',
    ...readRoute,
    query: z.strictObject({ latest: z.coerce.number().int().min(1).max(1_000_000).default(1000) }),
    response: z.object({ rounds: listOf(drift.extend({ round: positive })), ...head }),
  },
  'GET /api/threads/:thread/branches': {
    summary: 'Lists all branches of this exchange, parents before their branches.',
    ...readRoute,
    response: z.object({ branches: listOf(branchSchema), ...head }),
  },
  'GET /api/threads/:thread/compare/:other': {
    summary: 'Compares two branches: clusters, audits, drift, first difference.',
    ...readRoute,
    query: z.strictObject({ latest: limit(200) }),
    response: comparisonSchema.extend(head),
  },
} as const;
