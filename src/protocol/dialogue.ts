import { z } from 'zod';
import {
  awaySchema,
  draftsSchema,
  historySchema,
  iterationSchema,
  provenanceSchema,
  statusSchema,
} from '../core/dialogue/view/schema.ts';
import { clustersSchema } from '../core/pool/schema.ts';
import { listOf, positive } from '../core/util/schemas.ts';

const head = { head: z.string() };
const turnParam = z.coerce
  .number()
  .int()
  .positive()
  .optional()
  .describe('Of this turn; the one that waits unless said.');
const before = z.coerce.number().int().positive().optional();
const limit = (defaultLimit: number) => z.coerce.number().int().min(1).max(1000).default(defaultLimit);
const indexList = z.string().regex(/^\d{1,9}(,\d{1,9}){0,999}$/, 'indices with commas between them');

const readRoute = { access: 'participant', status: 200 } as const;

export const dialogueRoutes = {
  'GET /api/threads/:thread/drafts': {
    summary: 'The drafts of a turn, newest first.',
    ...readRoute,
    query: z.strictObject({
      turn: turnParam,
      only: indexList.optional().describe('Only these indices.'),
      before: before.describe('Only drafts with a lower index.'),
      limit: limit(1000),
    }),
    response: draftsSchema.extend(head),
  },
  'GET /api/threads/:thread/status': {
    summary: 'How a dialogue stands and what the mind wants of the person.',
    ...readRoute,
    response: statusSchema.extend(head),
  },
  'GET /api/threads/:thread/history': {
    summary: 'What was said and accepted, newest first.',
    ...readRoute,
    query: z.strictObject({ before: before.describe('Only turns before this one.'), limit: limit(100) }),
    response: historySchema.extend(head),
  },
  'GET /api/threads/:thread/iterations': {
    summary: 'The latest iterations of a mind, newest first.',
    ...readRoute,
    query: z.strictObject({ before: before.describe('Only iterations before this one.'), limit: limit(50) }),
    response: z.object({ iterations: listOf(iterationSchema), ...head }),
  },
  'GET /api/threads/:thread/iterations/:iter': {
    summary: 'One iteration: what the mind was shown, and its result.',
    ...readRoute,
    response: iterationSchema.extend(head),
  },
  'GET /api/threads/:thread/away': {
    summary: 'What came since the person last looked, nearly equal drafts together.',
    ...readRoute,
    response: awaySchema.extend(head),
  },
  'GET /api/threads/:thread/map': {
    summary: 'Thoughts in two dimensions, near each other where they mean the like.',
    ...readRoute,
    query: z.strictObject({ latest: limit(200).describe('So many of the latest thoughts.') }),
    response: z.object({
      points: listOf(z.object({ id: positive, x: z.number(), y: z.number() })),
      ...head,
    }),
  },
  'GET /api/threads/:thread/clusters': {
    summary: 'What a mind thinks about: its clusters, and which of them spoke when.',
    ...readRoute,
    query: z.strictObject({ latest: limit(200).describe('How many of the latest thoughts the timeline has.') }),
    response: clustersSchema.extend(head),
  },
  'GET /api/threads/:thread/provenance': {
    summary: 'From a passage of a draft back to the iteration that first wrote it, and what was shown to it.',
    ...readRoute,
    query: z.strictObject({
      turn: z.coerce.number().int().positive(),
      draft: z.coerce.number().int().positive().optional().describe('The accepted one unless said.'),
      passage: z.string().min(1).max(20_000).optional().describe('The whole draft unless said.'),
    }),
    response: provenanceSchema.extend({
      iteration: iterationSchema.optional().describe('The one that wrote it first, with the thoughts it was shown.'),
      ...head,
    }),
  },
  'GET /api/threads/:thread/archive': {
    summary:
      'What happened to the drafts of every turn, as JSON Lines in that order: written, seen, accepted. Lines never change.',
    ...readRoute,
    response: 'application/jsonl',
  },
  'GET /api/threads/:thread/config': {
    summary: 'The settings of a dialogue.',
    ...readRoute,
    response: z.object({ config: z.record(z.string(), z.unknown()), ...head }),
  },
} as const;
