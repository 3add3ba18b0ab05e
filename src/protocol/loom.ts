import { z } from 'zod';
import type { Json } from '../core/events/event.ts';
import { nodeIdSchema } from '../core/loom/events.ts';
import { hitsSchema, nodeSchema, pathSchema, spanSchema, treeSchema } from '../core/loom/view-schema.ts';
import { scratchSchema } from '../core/loom/weave/scratch-schema.ts';
import { natural } from '../core/util/schemas.ts';

const head = { head: z.string() };

const loomPath = pathSchema.extend({
  settings: z.record(z.string(), z.union([z.string(), z.number()])),
  ...head,
});
export type WireLoomPath = z.infer<typeof loomPath>;

const loomTree = treeSchema.extend(head);
export type WireLoomTree = z.infer<typeof loomTree>;

const token = z.object({
  token: z.string(),
  logprob: z.number().nullable(),
  others: z.array(z.object({ token: z.string(), logprob: z.number() })),
});
const loomNode = nodeSchema.extend({
  spans: z.array(spanSchema).readonly(),
  tokens: z.array(token).optional(),
  /** Further details from the node's generation, or from the file it was imported from. */
  details: z
    .record(
      z.string(),
      z.custom<Json>((value) => value !== undefined),
    )
    .optional(),
});
export type WireLoomNode = z.infer<typeof loomNode>;

const participant = z.string().max(64).optional().describe('A participant, for their path; default: the caller.');
const readRoute = { access: 'participant', status: 200 } as const;

export const loomRoutes = {
  'GET /api/threads/:thread/path': {
    summary: "Returns the caller's path through a loom as one text, with its nodes, their versions and siblings.",
    ...readRoute,
    query: z.strictObject({
      from: z.coerce.number().int().min(0).default(0).describe('The first node of the path to return.'),
      limit: z.coerce.number().int().min(1).max(100_000).default(100_000),
      participant,
    }),
    response: loomPath,
  },
  'GET /api/threads/:thread/tree': {
    summary: 'Returns the tree of a loom in columns, page by page.',
    ...readRoute,
    query: z.strictObject({
      from: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(100_000).default(20_000),
      participant,
    }),
    response: loomTree,
  },
  'GET /api/threads/:thread/nodes/:node': {
    summary: 'Returns one node of a loom: text, proof, versions, siblings, marks, generation.',
    ...readRoute,
    response: loomNode,
  },
  'GET /api/threads/:thread/authorship': {
    summary: "Returns the authors of the caller's path, span by span.",
    ...readRoute,
    query: z.strictObject({ participant }),
    response: z.object({ spans: z.array(spanSchema) }),
  },
  'GET /api/threads/:thread/found': {
    summary: 'Finds nodes of a loom that contain all the words.',
    ...readRoute,
    query: z.strictObject({
      words: z.string().trim().min(1).max(200),
      in: z.enum(['tree', 'path']).default('tree'),
      limit: z.coerce.number().int().min(1).max(1000).default(50),
    }),
    response: hitsSchema,
  },
  'GET /api/threads/:thread/scratch': {
    summary: 'Returns the caller’s uncommitted text in a loom, as last saved.',
    ...readRoute,
    response: z.object({ scratch: scratchSchema.nullable() }),
  },
  'POST /api/threads/:thread/scratch': {
    summary: 'Saves the caller’s uncommitted text, replacing what was saved before. This is not an event.',
    ...readRoute,
    body: z.strictObject({ scratch: scratchSchema.nullable() }),
    response: z.object({ kept: z.boolean() }),
  },
  'POST /api/threads/:thread/cursor': {
    summary: 'Shows the others where the caller is in a loom. Nothing is stored.',
    ...readRoute,
    body: z.strictObject({ node: nodeIdSchema.nullable(), from: natural, to: natural }),
    response: z.object({}),
  },
} as const;
