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
const turnParam = z.coerce.number().int().positive().optional().describe('The turn; default: the open one.');
const before = z.coerce.number().int().positive().optional();
const limit = (defaultLimit: number) => z.coerce.number().int().min(1).max(1000).default(defaultLimit);
const indexList = z.string().regex(/^\d{1,9}(,\d{1,9}){0,999}$/, 'indices separated by commas');

const readRoute = { access: 'participant', status: 200 } as const;

export const dialogueRoutes = {
  'GET /api/threads/:thread/drafts': {
    summary: 'Lists the drafts of a turn, newest first.',
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
    summary: 'Returns the status of a dialogue and what the mind needs from the person.',
    ...readRoute,
    response: statusSchema.extend(head),
  },
  'GET /api/threads/:thread/history': {
    summary: 'Returns messages and accepted answers, newest first.',
    ...readRoute,
    query: z.strictObject({ before: before.describe('Only turns before this one.'), limit: limit(100) }),
    response: historySchema.extend(head),
  },
  'GET /api/threads/:thread/iterations': {
    summary: 'Lists the latest iterations of a mind, newest first.',
    ...readRoute,
    query: z.strictObject({ before: before.describe('Only iterations before this one.'), limit: limit(50) }),
    response: z.object({ iterations: listOf(iterationSchema), ...head }),
  },
  'GET /api/threads/:thread/iterations/:iter': {
    summary: 'Returns one iteration: the mind’s input and its result.',
    ...readRoute,
    response: iterationSchema.extend(head),
  },
  'GET /api/threads/:thread/away': {
    summary: 'Returns drafts since the person last looked, with nearly equal ones grouped.',
    ...readRoute,
    response: awaySchema.extend(head),
  },
  'GET /api/threads/:thread/map': {
    summary: 'Returns thoughts in two dimensions; similar thoughts are close together.',
    ...readRoute,
    query: z.strictObject({ latest: limit(200).describe('How many of the latest thoughts to return.') }),
    response: z.object({
      points: listOf(z.object({ id: positive, x: z.number(), y: z.number() })),
      ...head,
    }),
  },
  'GET /api/threads/:thread/clusters': {
    summary: 'Returns the clusters of thoughts, and when each was active.',
    ...readRoute,
    query: z.strictObject({ latest: limit(200).describe('How many of the latest thoughts the timeline includes.') }),
    response: clustersSchema.extend(head),
  },
  'GET /api/threads/:thread/provenance': {
    summary: 'Traces a passage of a draft to the iteration that first wrote it, with its input.',
    ...readRoute,
    query: z.strictObject({
      turn: z.coerce.number().int().positive(),
      draft: z.coerce.number().int().positive().optional().describe('Default: the accepted one.'),
      passage: z.string().min(1).max(20_000).optional().describe('Default: the whole draft.'),
    }),
    response: provenanceSchema.extend({
      iteration: iterationSchema
        .optional()
        .describe('The iteration that first wrote it, with the thoughts in its input.'),
      ...head,
    }),
  },
  'GET /api/threads/:thread/archive': {
    summary: 'Returns the history of all drafts as JSON Lines, in order: written, seen, accepted. Lines never change.',
    ...readRoute,
    response: 'application/jsonl',
  },
  'GET /api/threads/:thread/config': {
    summary: 'Returns the settings of a dialogue.',
    ...readRoute,
    response: z.object({ config: z.record(z.string(), z.unknown()), ...head }),
  },
} as const;
