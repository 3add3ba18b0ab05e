// The page uses the files beside this one, and must not load zod: they import only types from here.
import { z } from 'zod';
import { listOf, natural } from '../util/schemas.ts';
import { proofFields, sourceSchema } from './events.ts';

/* The views of a loom (C9, W9, W22). Offsets are UTF-16 units of the whole text (W8). */
const int = z.number().int();
const ids = listOf(z.string());
const numbers = listOf(int);

/** Human text from an import belongs to no participant here: `imported` authors name its source (L25). */
const kind = z.enum(['human', 'model', 'imported']);
export type CreditKind = z.infer<typeof kind>;
const credit = z.object({ author: z.string(), kind });
/** The author of a node, as shown to others. */
export type AuthorCredit = z.infer<typeof credit>;

const marks = z.object({
  bookmark: z.string().exactOptional(),
  tags: ids.exactOptional(),
  rating: z.number().exactOptional(),
  note: z.string().exactOptional(),
});
export type NodeMarks = z.infer<typeof marks>;

const runningGeneration = z.object({
  generation: z.string(),
  at: z.string(),
  requester: z.string(),
  model: z.string().exactOptional(),
  n: int,
  exploration: z.string().exactOptional(),
});
export type RunningGenerationView = z.infer<typeof runningGeneration>;

const pathEntry = z.object({
  node: z.string(),
  ...credit.shape,
  start: natural,
  end: natural,
  versions: ids,
  sources: ids.describe('Every node that it follows: all versions of the node before it.'),
  siblings: ids,
  stale: z.boolean().describe('Written against an earlier version of the text before it.'),
  edited_from: z.string().exactOptional(),
  offered: ids.exactOptional().describe('Versions that others made in the meantime; none of them is applied.'),
  generation: z.string().exactOptional(),
  interrupted: z.literal(true).exactOptional(),
  pruned: z.literal(true).exactOptional(),
  marks: marks.exactOptional(),
});
export type PathEntry = z.infer<typeof pathEntry>;

export const pathSchema = z.object({
  id: z.string(),
  text: z.string(),
  path: listOf(pathEntry),
  version_selections: z
    .record(z.string(), z.string())
    .describe('Of each place of the path with several versions, by its first node: the version that is shown.'),
  length: int.describe('Nodes of the whole path.'),
  tip: z.string().describe('The last node of the path.'),
  running: listOf(runningGeneration),
  explorations: listOf(
    z.object({ exploration: z.string(), at: z.string(), state: z.enum(['running', 'paused']), made: int, nodes: int }),
  ),
});
export type PathView = z.infer<typeof pathSchema>;

const treeMark = marks.omit({ note: true }).extend({ place: int, node: z.string() });
export type TreeMark = z.infer<typeof treeMark>;

/** A part of the tree, in columns: one row per place in creation order, parents before children. */
export const treeSchema = z.object({
  total: int.describe('Places without the root.'),
  from: int.describe('The number of the first place in this part.'),
  node: ids.describe("What each place shows on the caller's path, else its latest version."),
  parent: numbers.describe('By number; 0 is the root, 1 the first place.'),
  author: numbers,
  authors: listOf(z.object({ id: z.string(), kind })),
  versions: numbers,
  children: numbers,
  preview: ids,
  length: numbers,
  flags: numbers.describe('1 on the path, 2 pruned, 4 unread, 8 interrupted; added up.'),
  marked: listOf(treeMark),
  shares: listOf(z.object({ place: int, with: int })).describe('Places that share the children of another.'),
  path: numbers.describe("Places of this part that are on the caller's path, in its order."),
  running: listOf(runningGeneration),
});
export type TreeView = z.infer<typeof treeSchema>;

export const nodeSchema = z.object({
  node: z.string(),
  content: z.string(),
  ...credit.shape,
  created: z.string(),
  seq: int,
  ...proofFields,
  place: z.string(),
  parent: z.string().nullable(),
  sources: ids.describe('Every node that it follows: all versions of its parent.'),
  versions: ids,
  siblings: ids,
  children: ids,
  on_path: z.boolean(),
  pruned: z.boolean(),
  marks,
  edited_from: z.string().exactOptional(),
  preferred_source: z.string().exactOptional(),
  generation: z.string().exactOptional(),
  choice: int.exactOptional(),
  interrupted: z.literal(true).exactOptional(),
  source: sourceSchema.exactOptional(),
});
export type NodeView = z.infer<typeof nodeSchema>;

export const spanSchema = z.object({ start: natural, end: natural, ...credit.shape });
export type AuthoredSpan = z.infer<typeof spanSchema>;

const hit = z.object({
  node: z.string(),
  start: natural.describe('Where in the node the first matching word is.'),
  end: natural,
  excerpt: z.string(),
  on_path: z.boolean(),
});
export type LoomSearchHit = z.infer<typeof hit>;
export const hitsSchema = z.object({ found: listOf(hit), more: z.boolean() });
