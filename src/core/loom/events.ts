import { z } from 'zod';
import type { Json } from '../events/event.ts';
import type { EventType } from '../events/manifest.ts';
import { nextTry } from '../runs/wait-schema.ts';

export const nodeId = z.string().regex(/^[\w.-]{1,64}$/, 'a node id is 1 to 64 letters, digits, ".", "_" or "-"');
const hash = z.string();
const offset = z.number().int().nonnegative();
const kind = z.enum(['human', 'model']);

/** What proves a node (W7): its text, what stood before it, and who wrote it when. */
const proof = { content_hash: hash, context_hash: hash, provenance_hash: hash };
/** The span that was taken, and where in the version it stands. */
const source = z.strictObject({ node: nodeId, start: offset, end: offset, at: offset });

export const sampling = {
  n: z.number().int().min(1).max(32),
  max_tokens: z.number().int().min(1).max(8192),
  temperature: z.number().min(0).max(5),
  top_p: z.number().min(0).max(1),
  top_k: z.number().int().min(0).max(100_000),
  seed: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  stop: z.array(z.string().min(1).max(256)).max(8),
  logprobs: z.number().int().min(0).max(20),
};

/** What a loom is generated with unless a request says otherwise; null takes a setting back. */
export const settings = z.strictObject({
  model: z.string().min(1).max(64).nullable().optional(),
  /** A loom has none by default: its text goes to the model as it is (W16). */
  system: z.string().max(100_000).nullable().optional(),
  n: sampling.n.nullable().optional(),
  max_tokens: sampling.max_tokens.nullable().optional(),
  temperature: sampling.temperature.nullable().optional(),
  top_p: sampling.top_p.nullable().optional(),
});

export const committed = z.strictObject({
  edits: z.array(
    z.strictObject({
      node: nodeId,
      from: nodeId,
      content: z.string(),
      ...proof,
      source: source.optional(),
      /** Versions others made of the same place meanwhile: all are kept. */
      beside: z.array(nodeId).optional(),
    }),
  ),
  append: z.strictObject({ node: nodeId, after: nodeId, content: z.string(), ...proof }).optional(),
});
export const switched = z.strictObject({ to: nodeId });
export const marked = z.strictObject({
  node: nodeId,
  bookmark: z.string().nullable().optional(),
  tags: z.array(z.string()).optional(),
  pruned: z.boolean().optional(),
  rating: z.number().nullable().optional(),
  note: z.string().nullable().optional(),
});
export const preferred = z.strictObject({ node: nodeId, child: nodeId });
const piece = z.strictObject({ node: nodeId, ...proof });
export const split = z.strictObject({ node: nodeId, at: offset, prefix: piece, suffix: piece });
export const merged = z.strictObject({
  parent: nodeId,
  node: nodeId,
  merged: z.strictObject({ node: nodeId, author: z.string(), kind, ...proof }),
});
const tookBack = z.strictObject({ act: z.string(), what: z.string() });

const token = z.tuple([z.string(), z.number().nullable(), z.array(z.tuple([z.string(), z.number()]))]);
export type TokenRow = z.infer<typeof token>;

export const importedNode = z.strictObject({
  id: nodeId,
  parent: nodeId.optional(),
  content: z.string(),
  author: z.string().min(1).max(128).optional(),
  kind,
  created: z.string().max(64).optional(),
  edited_from: nodeId.optional(),
  model: z.string().max(128).optional(),
  bookmark: z.string().max(200).optional(),
  tags: z.array(z.string().min(1).max(64)).max(64).optional(),
  pruned: z.literal(true).optional(),
  rating: z.number().optional(),
  note: z.string().max(10_000).optional(),
  tokens: z.array(token).max(10_000).optional(),
  extra: z
    .record(
      z.string(),
      z.custom<Json>((value) => value !== undefined),
    )
    .optional(),
});
/** The file that nodes came from, as its program named it, and what it was read as. */
export const importedFile = z.strictObject({ name: z.string().min(1).max(255), format: z.string().min(1).max(32) });
export const imported = z.strictObject({
  nodes: z.array(importedNode),
  active: nodeId.optional(),
  /** Earlier versions that were shown at their places. */
  chosen: z.array(nodeId).optional(),
  file: importedFile.optional(),
});

export const requested = z.strictObject({
  generation: z.string(),
  /** The node to go on from. */
  at: nodeId,
  requester: z.string(),
  ...z.object(sampling).partial({ temperature: true, top_p: true, top_k: true, seed: true, stop: true }).shape,
  model: z.string().optional(),
  system: z.string().optional(),
  /** What follows on the path is to be met, by models that fill in the middle. */
  fill: z.literal(true).optional(),
  exploration: z.string().optional(),
});
export const choice = z.strictObject({
  content: z.string(),
  finish: z.enum(['stop', 'length', 'cancelled', 'failed']),
  withheld: z.literal(true).optional(),
  /** Each with its logarithm of probability and the likeliest others. */
  tokens: z.array(token).optional(),
  /** How good an exploration takes it for. */
  score: z.number().optional(),
  /** The raw response it came in, where the choices came in several. */
  raw: z.string().optional(),
  /** The number under which it was streamed, where a choice before it brought nothing and is not here. */
  number: z.number().int().positive().optional(),
});
const spent = {
  raw: z.string().optional(),
  usage: z
    .strictObject({ prompt: z.number(), generated: z.number(), estimated: z.literal(true).optional() })
    .optional(),
  cost: z.number().optional(),
};
/** What came of asking a model, as the engine reports it. */
export const outcome = {
  model: z.string(),
  label: z.literal('small').optional(),
  prompt_hash: z.string().optional(),
  /** Nodes whose text the model did not see, the oldest first, and where the first that it saw was cut (W18). */
  dropped: z
    .strictObject({ nodes: z.number().int(), last: nodeId.optional(), cut: z.number().int().optional() })
    .optional(),
  /** A chat model went on through a template (W19). */
  templated: z.literal(true).optional(),
  seed: z.number().optional(),
  error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
  ...spent,
};
export const finished = z.strictObject({
  generation: z.string(),
  at: nodeId,
  choices: z.array(z.strictObject({ node: nodeId, ...choice.shape, ...proof })),
  /** Which of the choices the person who asked is led to; without it, the first (W4). */
  shown: z.number().int().positive().optional(),
  ...outcome,
});
export const failed = z.strictObject({
  generation: z.string(),
  code: z.string(),
  message: z.string(),
  ...spent,
});
export const stopped = z.strictObject({ generation: z.string() });
export const waiting = z.strictObject({
  generation: z.string(),
  why: z.string(),
  until: nextTry,
});

export const explorationStarted = z.strictObject({
  exploration: z.string(),
  at: nodeId,
  requester: z.string(),
  breadth: z.number().int(),
  depth: z.number().int(),
  nodes: z.number().int(),
  tokens: z.number().int().optional(),
  rank: z.enum(['logprob', 'novelty']),
  max_tokens: sampling.max_tokens,
  model: z.string().optional(),
  temperature: sampling.temperature.optional(),
});
export const explorationTurned = z.strictObject({
  exploration: z.string(),
  to: z.enum(['running', 'paused', 'stopped', 'finished']),
  reason: z.string().optional(),
});

const delta = z.strictObject({
  generation: z.string(),
  /** What is new: of which choice, behind how much of its text, and the text. */
  texts: z.array(z.tuple([z.number().int(), offset, z.string()])),
});
const cursor = z.strictObject({ participant: z.string(), node: z.string().nullable(), from: offset, to: offset });

export const loomEvents: readonly EventType[] = [
  { type: 'loom.configured', v: 1, durable: true, schema: settings },
  { type: 'loom.committed', v: 1, durable: true, schema: committed },
  { type: 'loom.switched', v: 1, durable: true, schema: switched },
  { type: 'loom.marked', v: 1, durable: true, schema: marked },
  { type: 'loom.preferred', v: 1, durable: true, schema: preferred },
  { type: 'loom.divided', v: 1, durable: true, schema: split },
  { type: 'loom.merged', v: 1, durable: true, schema: merged },
  { type: 'loom.reverted', v: 1, durable: true, schema: tookBack },
  { type: 'loom.repeated', v: 1, durable: true, schema: tookBack },
  { type: 'loom.imported', v: 1, durable: true, schema: imported },
  { type: 'generation.requested', v: 1, durable: true, schema: requested },
  { type: 'generation.waiting', v: 1, durable: true, schema: waiting },
  { type: 'generation.finished', v: 1, durable: true, schema: finished },
  { type: 'generation.failed', v: 1, durable: true, schema: failed },
  { type: 'generation.stopped', v: 1, durable: true, schema: stopped },
  { type: 'exploration.started', v: 1, durable: true, schema: explorationStarted },
  { type: 'exploration.turned', v: 1, durable: true, schema: explorationTurned },
  { type: 'generation.streamed', v: 1, durable: false, schema: delta },
  { type: 'cursor.moved', v: 1, durable: false, schema: cursor },
];
