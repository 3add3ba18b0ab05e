import { z } from 'zod';
import type { Json } from '../core/events/event.ts';
import { nodeIdSchema } from '../core/loom/events.ts';
import { scratchSchema } from '../core/loom/weave/scratch-schema.ts';

/* Response shapes and routes of looms (C9, W9, W22, W25). */
/** Human text from an import belongs to no participant here: `imported` authors name its source (L25). */
const kind = z.enum(['human', 'model', 'imported']);
const offset = z.number().int().nonnegative();
const marks = z.object({
  bookmark: z.string().optional(),
  tags: z.array(z.string()).readonly().optional(),
  rating: z.number().optional(),
  note: z.string().optional(),
});
const ids = z.array(z.string()).readonly();
const runningGeneration = z.object({
  generation: z.string(),
  at: z.string(),
  requester: z.string(),
  model: z.string().optional(),
  n: z.number().int(),
  exploration: z.string().optional(),
});

export const loomPath = z.object({
  id: z.string(),
  text: z.string(),
  path: z
    .array(
      z.object({
        node: z.string(),
        author: z.string(),
        kind,
        start: offset,
        end: offset,
        versions: ids,
        sources: ids.describe('Every node that it follows: all versions of what stands before it.'),
        siblings: ids,
        stale: z.boolean().describe('Written against an earlier version of what stands before it.'),
        edited_from: z.string().optional(),
        offered: ids.optional().describe("Others' versions that were made meanwhile."),
        generation: z.string().optional(),
        interrupted: z.literal(true).optional(),
        pruned: z.literal(true).optional(),
        marks: marks.optional(),
      }),
    )
    .readonly(),
  version_selections: z
    .record(z.string(), z.string())
    .describe('Of each place of the path with several versions, by its first node: the version that is shown.'),
  length: z.number().int().describe('Nodes of the whole path.'),
  tip: z.string(),
  running: z.array(runningGeneration).readonly(),
  explorations: z
    .array(
      z.object({
        exploration: z.string(),
        at: z.string(),
        state: z.enum(['running', 'paused']),
        made: z.number().int(),
        nodes: z.number().int(),
      }),
    )
    .readonly(),
  settings: z.record(z.string(), z.union([z.string(), z.number()])),
  head: z.string(),
});
export type WireLoomPath = z.infer<typeof loomPath>;

const numbers = z.array(z.number().int()).readonly();
const loomTree = z.object({
  total: z.number().int(),
  from: z.number().int(),
  node: ids,
  parent: numbers.describe('By number; 0 is the root, 1 the first place.'),
  author: numbers,
  authors: z.array(z.object({ id: z.string(), kind })).readonly(),
  versions: numbers,
  children: numbers,
  preview: ids,
  length: numbers,
  flags: numbers.describe('1 on the path, 2 pruned, 4 unread, 8 interrupted; added up.'),
  marked: z.array(marks.extend({ place: z.number().int(), node: z.string() })).readonly(),
  shares: z.array(z.object({ place: z.number().int(), with: z.number().int() })).readonly(),
  path: numbers,
  running: z.array(runningGeneration).readonly(),
  head: z.string(),
});
export type WireLoomTree = z.infer<typeof loomTree>;

const span = z.object({ start: offset, end: offset, author: z.string(), kind });
const token = z.object({
  token: z.string(),
  logprob: z.number().nullable(),
  others: z.array(z.object({ token: z.string(), logprob: z.number() })),
});
export const loomNode = z.object({
  node: z.string(),
  content: z.string(),
  author: z.string(),
  kind,
  created: z.string(),
  seq: z.number().int(),
  content_hash: z.string(),
  context_hash: z.string(),
  provenance_hash: z.string(),
  place: z.string(),
  parent: z.string().nullable(),
  sources: ids.describe('Every node that it follows: all versions of its parent.'),
  versions: ids,
  siblings: ids,
  children: ids,
  on_path: z.boolean(),
  pruned: z.boolean(),
  marks,
  edited_from: z.string().optional(),
  preferred_source: z.string().optional(),
  generation: z.string().optional(),
  choice: z.number().int().optional(),
  interrupted: z.literal(true).optional(),
  source: z.object({ node: z.string(), start: offset, end: offset, at: offset }).optional(),
  spans: z.array(span).readonly(),
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

const loomHit = z.object({ node: z.string(), start: offset, end: offset, excerpt: z.string(), on_path: z.boolean() });
const participant = z.string().max(64).optional().describe("Another participant's path; one's own unless said.");
const readRoute = { access: 'participant', status: 200 } as const;

export const loomRoutes = {
  'GET /api/threads/:thread/path': {
    summary: "The caller's path through a loom as one text, with its nodes, their versions and siblings.",
    ...readRoute,
    query: z.strictObject({
      from: z.coerce.number().int().min(0).default(0).describe('From which node of the path on.'),
      limit: z.coerce.number().int().min(1).max(100_000).default(100_000),
      participant,
    }),
    response: loomPath,
  },
  'GET /api/threads/:thread/tree': {
    summary: 'The tree of a loom in columns, a part at a time.',
    ...readRoute,
    query: z.strictObject({
      from: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(100_000).default(20_000),
      participant,
    }),
    response: loomTree,
  },
  'GET /api/threads/:thread/nodes/:node': {
    summary: 'One node of a loom: text, proof, versions, siblings, marks, how it was generated.',
    ...readRoute,
    response: loomNode,
  },
  'GET /api/threads/:thread/authorship': {
    summary: "Who wrote what of the caller's path.",
    ...readRoute,
    query: z.strictObject({ participant }),
    response: z.object({ spans: z.array(span) }),
  },
  'GET /api/threads/:thread/found': {
    summary: 'Nodes of a loom that have all the words.',
    ...readRoute,
    query: z.strictObject({
      words: z.string().trim().min(1).max(200),
      in: z.enum(['tree', 'path']).default('tree'),
      limit: z.coerce.number().int().min(1).max(1000).default(50),
    }),
    response: z.object({ found: z.array(loomHit), more: z.boolean() }),
  },
  'GET /api/threads/:thread/scratch': {
    summary: 'What the caller had not committed in a loom when it was last kept.',
    ...readRoute,
    response: z.object({ scratch: scratchSchema.nullable() }),
  },
  'POST /api/threads/:thread/scratch': {
    summary: 'Keeps what the caller has not committed, in place of what was kept before. It is no event.',
    ...readRoute,
    body: z.strictObject({ scratch: scratchSchema.nullable() }),
    response: z.object({ kept: z.boolean() }),
  },
  'POST /api/threads/:thread/cursor': {
    summary: 'Shows the others where the caller is in a loom. Nothing is stored.',
    ...readRoute,
    body: z.strictObject({ node: nodeIdSchema.nullable(), from: offset, to: offset }),
    response: z.object({}),
  },
} as const;
