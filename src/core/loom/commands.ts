import { z } from 'zod';
import type { CommandOf, ModeCommands } from '../mode.ts';
import { retryTimeSchema } from '../runs/schema.ts';
import {
  choiceSchema,
  importedFileSchema,
  importedNodeSchema,
  LoomConfigured,
  nodeIdSchema,
  outcomeFields,
  samplingFields,
} from './events.ts';

const offset = z.number().int().nonnegative();

/** Uncommitted edits and text that the server commits before it runs the command (W9, W10). */
const pendingFields = {
  edits: z
    .array(z.strictObject({ node: nodeIdSchema.describe('The version that was edited.'), text: z.string() }))
    .max(10_000)
    .default([]),
  text: z.string().default('').describe('The working buffer.'),
  after: nodeIdSchema.optional().describe('The node the buffer was written after; default: the end of the path.'),
};

const samplingOverrides = z.object(samplingFields).partial().shape;

/** Loom commands. The workspace uses `generation_*` to report the outcome of a model call. */
export const loomCommands = {
  commit: {
    summary: 'Commits edits as versions and the working buffer as a node, together. Without changes, commits nothing.',
    access: 'participant',
    input: z.strictObject(pendingFields),
  },
  generate: {
    summary: 'Commits pending changes and asks a model for continuations: branches, of which the path takes the first.',
    access: 'participant',
    input: z.strictObject({
      ...pendingFields,
      ...samplingOverrides,
      at: nodeIdSchema.optional().describe('The node of the path to continue from; default: its end.'),
      offset: offset.optional().describe('A position within that node: it is split there first.'),
      model: z.string().min(1).max(64).optional(),
      system: z.string().max(100_000).optional(),
      fill: z.boolean().optional().describe('Lead up to the text that follows, if the model can fill in the middle.'),
    }),
  },
  stop: {
    summary: 'Stops a generation, or all generations of the caller. Text so far is kept.',
    access: 'participant',
    input: z.strictObject({ generation: z.string().max(64).optional() }),
  },
  switch: {
    summary: 'Goes to a node: another version of a place, or another branch with what was last shown after it.',
    access: 'participant',
    input: z.strictObject({ ...pendingFields, node: nodeIdSchema }),
  },
  mark: {
    summary: 'Bookmarks, tags, rates, annotates, prunes or restores a node. null removes a mark.',
    access: 'participant',
    input: z.strictObject({
      node: nodeIdSchema,
      bookmark: z.string().trim().max(200).nullable().optional(),
      tags: z.array(z.string().trim().min(1).max(64)).max(64).optional().describe('Tags to add.'),
      untag: z.array(z.string().trim().min(1).max(64)).max(64).optional().describe('Tags to remove.'),
      pruned: z.boolean().optional().describe('The branch, with everything after it.'),
      rating: z.number().min(-100).max(100).nullable().optional(),
      note: z.string().max(10_000).nullable().optional(),
    }),
  },
  prefer: {
    summary: 'Sets which version of a place leads to the next one, for everyone who has not chosen.',
    access: 'participant',
    input: z.strictObject({ node: nodeIdSchema, child: nodeIdSchema.describe('A node of the place that follows.') }),
  },
  undo: {
    summary: "Undoes the caller's last commit, switch, prune, split or merge. No node is lost.",
    access: 'participant',
    input: z.strictObject({}),
  },
  redo: {
    summary: 'Redoes the last undone action.',
    access: 'participant',
    input: z.strictObject({}),
  },
  split: {
    summary: 'Splits a node of the path in two, as another branch that shares the text after it.',
    access: 'participant',
    input: z.strictObject({ node: nodeIdSchema, at: offset }),
  },
  merge: {
    summary: 'Merges a node of the path with the one before it, as a branch that shares the text after it.',
    access: 'participant',
    input: z.strictObject({ node: nodeIdSchema }),
  },
  cherry_pick: {
    summary: 'Copies a span of another node into a node of the path, as a version that records its source.',
    access: 'participant',
    input: z.strictObject({
      node: nodeIdSchema.describe('The node of the path that gets a version.'),
      from: offset.optional().describe('The span to replace; default: all of it.'),
      to: offset.optional(),
      source: nodeIdSchema,
      start: offset,
      end: offset,
    }),
  },
  explore: {
    summary: 'Generates breadth by depth on its own, best first, within a budget.',
    access: 'participant',
    input: z.strictObject({
      ...pendingFields,
      at: nodeIdSchema.optional(),
      breadth: z.number().int().min(1).max(16).default(3),
      depth: z.number().int().min(1).max(64).default(3),
      nodes: z.number().int().min(1).max(2000).default(30).describe('The maximum number of nodes.'),
      tokens: z.number().int().positive().optional().describe('The approximate maximum of tokens to generate.'),
      rank: z.enum(['logprob', 'novelty']).default('logprob'),
      max_tokens: samplingFields.max_tokens.default(50),
      model: z.string().min(1).max(64).optional(),
      temperature: samplingFields.temperature.optional(),
    }),
  },
  turn_exploration: {
    summary: 'Pauses, resumes or ends an exploration.',
    access: 'participant',
    input: z.strictObject({ exploration: z.string().max(64), to: z.enum(['running', 'paused', 'stopped']) }),
  },
  import_tree: {
    summary: 'Adds nodes of another tree, parents before children; the last part says which one to show.',
    access: 'participant',
    input: z.strictObject({
      nodes: z.array(importedNodeSchema).max(20_000),
      active: nodeIdSchema.optional(),
      chosen: z
        .array(nodeIdSchema)
        .max(20_000)
        .optional()
        .describe('Versions to show at their places; default: the latest.'),
      file: importedFileSchema.optional(),
    }),
  },
  configure: {
    summary: 'Sets the model, the instructions and the default sampling of a loom. null resets a setting.',
    access: 'participant',
    input: LoomConfigured.schema,
  },
  report_wait: {
    summary: 'A model cannot answer now; the call is repeated later.',
    access: 'internal',
    input: z.strictObject({
      generation: z.string(),
      why: z.string(),
      until: retryTimeSchema,
      blobs: z.array(z.string()).optional(),
    }),
  },
  report_generation: {
    summary: 'Reports the choices of a generation.',
    access: 'internal',
    input: z.strictObject({ generation: z.string(), choices: z.array(choiceSchema), ...outcomeFields }),
  },
  report_failure: {
    summary: 'Reports that a generation gave nothing.',
    access: 'internal',
    input: z.strictObject({
      generation: z.string(),
      code: z.string(),
      message: z.string(),
      raw: outcomeFields.raw,
      usage: outcomeFields.usage,
      cost: outcomeFields.cost,
    }),
  },
} as const satisfies ModeCommands;

export type LoomCommand = CommandOf<typeof loomCommands>;
export type LoomInput<Name extends keyof typeof loomCommands> = Extract<LoomCommand, { name: Name }>['input'];

export const loomSetup = z.strictObject({
  text: z.string().default(''),
  ...LoomConfigured.schema.shape,
});
