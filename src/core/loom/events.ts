import { z } from 'zod';
import { defineEvent, defineLiveItem, type EventOf, type LiveItemOf } from '../events/define.ts';
import type { Json } from '../events/event.ts';
import { retryTimeSchema } from '../runs/schema.ts';
import type { ThreadCreated } from '../threads/events.ts';
import { natural } from '../util/schemas.ts';

export const nodeIdSchema = z.string().regex(/^[\w.-]{1,64}$/, 'a node id is 1 to 64 letters, digits, ".", "_" or "-"');
const hashSchema = z.string();
const kindSchema = z.enum(['human', 'model']);

/** Hashes that prove a node (W7): its text, the text before it, and who wrote it when. */
export const proofFields = { content_hash: hashSchema, context_hash: hashSchema, provenance_hash: hashSchema };
/** The span copied from a node, and its position `at` in the new version. */
export const sourceSchema = z.strictObject({ node: nodeIdSchema, start: natural, end: natural, at: natural });
export type SpanSource = z.infer<typeof sourceSchema>;

export const samplingFields = {
  n: z.number().int().min(1).max(32),
  max_tokens: z.number().int().min(1).max(8192),
  temperature: z.number().min(0).max(5),
  top_p: z.number().min(0).max(1),
  top_k: z.number().int().min(0).max(100_000),
  seed: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  stop: z.array(z.string().min(1).max(256)).max(8),
  logprobs: z.number().int().min(0).max(20),
};

/** Default generation settings of a loom; a request can override them, and null removes a setting. */
export const LoomConfigured = defineEvent('loom.configured', {
  schema: z.strictObject({
    model: z.string().min(1).max(64).nullable().optional(),
    /** A loom has no system prompt by default: the model gets the bare text (W16). */
    system: z.string().max(100_000).nullable().optional(),
    n: samplingFields.n.nullable().optional(),
    max_tokens: samplingFields.max_tokens.nullable().optional(),
    temperature: samplingFields.temperature.nullable().optional(),
    top_p: samplingFields.top_p.nullable().optional(),
  }),
});

export const LoomCommitted = defineEvent('loom.committed', {
  schema: z.strictObject({
    edits: z.array(
      z.strictObject({
        node: nodeIdSchema,
        from: nodeIdSchema,
        content: z.string(),
        ...proofFields,
        source: sourceSchema.optional(),
        /** Concurrent versions that others made at the same place; all are kept. */
        beside: z.array(nodeIdSchema).optional(),
      }),
    ),
    append: z.strictObject({ node: nodeIdSchema, after: nodeIdSchema, content: z.string(), ...proofFields }).optional(),
  }),
});
export const LoomSwitched = defineEvent('loom.switched', { schema: z.strictObject({ to: nodeIdSchema }) });
export const LoomMarked = defineEvent('loom.marked', {
  schema: z.strictObject({
    node: nodeIdSchema,
    bookmark: z.string().nullable().optional(),
    tags: z.array(z.string()).optional(),
    pruned: z.boolean().optional(),
    rating: z.number().nullable().optional(),
    note: z.string().nullable().optional(),
  }),
});
export const LoomPreferred = defineEvent('loom.preferred', {
  schema: z.strictObject({ node: nodeIdSchema, child: nodeIdSchema }),
});
const splitPartSchema = z.strictObject({ node: nodeIdSchema, ...proofFields });
export const LoomDivided = defineEvent('loom.divided', {
  schema: z.strictObject({
    node: nodeIdSchema,
    at: natural,
    prefix: splitPartSchema,
    suffix: splitPartSchema,
  }),
});
export const LoomMerged = defineEvent('loom.merged', {
  schema: z.strictObject({
    parent: nodeIdSchema,
    node: nodeIdSchema,
    merged: z.strictObject({ node: nodeIdSchema, author: z.string(), kind: kindSchema, ...proofFields }),
  }),
});
const undoneActSchema = z.strictObject({ act: z.string(), what: z.string() });

const tokenSchema = z.tuple([z.string(), z.number().nullable(), z.array(z.tuple([z.string(), z.number()]))]);
export type TokenRow = z.infer<typeof tokenSchema>;

export const importedNodeSchema = z.strictObject({
  id: nodeIdSchema,
  parent: nodeIdSchema.optional(),
  content: z.string(),
  author: z.string().min(1).max(128).optional(),
  kind: kindSchema,
  created: z.string().max(64).optional(),
  edited_from: nodeIdSchema.optional(),
  model: z.string().max(128).optional(),
  bookmark: z.string().max(200).optional(),
  tags: z.array(z.string().min(1).max(64)).max(64).optional(),
  pruned: z.literal(true).optional(),
  rating: z.number().optional(),
  note: z.string().max(10_000).optional(),
  tokens: z.array(tokenSchema).max(10_000).optional(),
  extra: z
    .record(
      z.string(),
      z.custom<Json>((value) => value !== undefined),
    )
    .optional(),
});
/** The file that the nodes came from: its original name and the detected format. */
export const importedFileSchema = z.strictObject({
  name: z.string().min(1).max(255),
  format: z.string().min(1).max(32),
});
export const LoomImported = defineEvent('loom.imported', {
  schema: z.strictObject({
    nodes: z.array(importedNodeSchema),
    active: nodeIdSchema.optional(),
    /** Earlier versions that were shown at their places. */
    chosen: z.array(nodeIdSchema).optional(),
    file: importedFileSchema.optional(),
  }),
});

export const GenerationRequested = defineEvent('generation.requested', {
  schema: z.strictObject({
    generation: z.string(),
    /** The node to go on from. */
    at: nodeIdSchema,
    requester: z.string(),
    ...z.object(samplingFields).partial({ temperature: true, top_p: true, top_k: true, seed: true, stop: true }).shape,
    model: z.string().optional(),
    system: z.string().optional(),
    /** Fill in the middle: the model gets the text that follows on the path, and writes toward it. */
    fill: z.literal(true).optional(),
    exploration: z.string().optional(),
  }),
});
export const choiceSchema = z.strictObject({
  content: z.string(),
  finish: z.enum(['stop', 'length', 'cancelled', 'failed']),
  withheld: z.literal(true).optional(),
  /** Each token with its log probability and the likeliest alternatives. */
  tokens: z.array(tokenSchema).optional(),
  /** The score that an exploration gives this choice. */
  score: z.number().optional(),
  /** The raw response with this choice, if the choices came in several responses. */
  raw: z.string().optional(),
  /** The number under which this choice was streamed, if an earlier choice was empty and is missing here. */
  number: z.number().int().positive().optional(),
});
const costFields = {
  raw: z.string().optional(),
  usage: z
    .strictObject({ prompt: z.number(), generated: z.number(), estimated: z.literal(true).optional() })
    .optional(),
  cost: z.number().optional(),
};
/** The outcome of a model call, as the engine reports it. */
export const outcomeFields = {
  model: z.string(),
  label: z.literal('small').optional(),
  prompt_hash: z.string().optional(),
  /** Nodes dropped from the prompt, oldest first, and where the first visible node was cut (W18). */
  dropped: z
    .strictObject({ nodes: z.number().int(), last: nodeIdSchema.optional(), cut: z.number().int().optional() })
    .optional(),
  /** A chat model continued the text through a template (W19). */
  templated: z.literal(true).optional(),
  seed: z.number().optional(),
  error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
  ...costFields,
};
const finishedFields = {
  generation: z.string(),
  at: nodeIdSchema,
  choices: z.array(z.strictObject({ node: nodeIdSchema, ...choiceSchema.shape, ...proofFields })),
  ...outcomeFields,
};
export const GenerationFinished = defineEvent('generation.finished', {
  v: 2,
  /** `shown` is the choice that the requester's path moves to (W4). */
  schema: z.strictObject({ ...finishedFields, shown: z.number().int().nonnegative() }),
  /** If `shown` is missing, the first choice was shown. */
  older: { 1: z.strictObject({ ...finishedFields, shown: z.number().int().positive().optional() }) },
});
export const GenerationFailed = defineEvent('generation.failed', {
  schema: z.strictObject({
    generation: z.string(),
    code: z.string(),
    message: z.string(),
    ...costFields,
  }),
});
export const GenerationStopped = defineEvent('generation.stopped', {
  schema: z.strictObject({ generation: z.string() }),
});
export const GenerationWaiting = defineEvent('generation.waiting', {
  schema: z.strictObject({
    generation: z.string(),
    why: z.string(),
    until: retryTimeSchema,
  }),
});

export const ExplorationStarted = defineEvent('exploration.started', {
  schema: z.strictObject({
    exploration: z.string(),
    at: nodeIdSchema,
    requester: z.string(),
    breadth: z.number().int(),
    depth: z.number().int(),
    nodes: z.number().int(),
    tokens: z.number().int().optional(),
    rank: z.enum(['logprob', 'novelty']),
    max_tokens: samplingFields.max_tokens,
    model: z.string().optional(),
    temperature: samplingFields.temperature.optional(),
  }),
});
export const ExplorationTurned = defineEvent('exploration.turned', {
  schema: z.strictObject({
    exploration: z.string(),
    to: z.enum(['running', 'paused', 'stopped', 'finished']),
    reason: z.string().optional(),
  }),
});

export const GenerationStreamed = defineLiveItem(
  'generation.streamed',
  z.strictObject({
    generation: z.string(),
    /** New text, as [choice, offset in the text of that choice, text]. */
    texts: z.array(z.tuple([z.number().int(), natural, z.string()])),
  }),
);
export const CursorMoved = defineLiveItem(
  'cursor.moved',
  z.strictObject({
    participant: z.string(),
    node: z.string().nullable(),
    from: natural,
    to: natural,
  }),
);

export const LoomReverted = defineEvent('loom.reverted', { schema: undoneActSchema });
export const LoomRepeated = defineEvent('loom.repeated', { schema: undoneActSchema });

const storedEvents = [
  LoomConfigured,
  LoomCommitted,
  LoomSwitched,
  LoomMarked,
  LoomPreferred,
  LoomDivided,
  LoomMerged,
  LoomReverted,
  LoomRepeated,
  LoomImported,
  GenerationRequested,
  GenerationWaiting,
  GenerationFinished,
  GenerationFailed,
  GenerationStopped,
  ExplorationStarted,
  ExplorationTurned,
];
export const loomEvents = [...storedEvents, GenerationStreamed, CursorMoved];

/** The loom's own events, and the event that created its thread. */
export type LoomEvent = EventOf<(typeof storedEvents)[number] | typeof ThreadCreated>;

/** Live items for the current watchers of a loom. */
export type LoomLiveItem = LiveItemOf<typeof GenerationStreamed | typeof CursorMoved>;
