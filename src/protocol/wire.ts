import { z } from 'zod';
import { attachmentSchema } from '../core/attachments/schema.ts';
import type { Event, Json } from '../core/events/event.ts';
import { originSchema } from '../core/origin-schema.ts';
import { refusalCodes } from '../core/refusal.ts';
import { commandInputs, postInputs } from '../core/threads/commands.ts';
import * as schema from '../core/threads/schema.ts';
import { importedLoom } from './loom-files.ts';
import { delivery, threadRow } from './threads.ts';

const edited = z.object({
  event: z.string(),
  seq: z.number().int(),
  ts: z.string(),
  text: z.string(),
  count: z.number().int(),
});

/** An event on the wire, in the form its definition can read (core/events/define.ts). */
export const event = z.object({
  id: z.string(),
  ts: z.string(),
  thread: z.string(),
  seq: z.number().int(),
  type: z.string(),
  from: z.string(),
  to: z.union([z.string(), z.array(z.string())]),
  content: z.custom<Json>((value) => value !== undefined).describe('Depends on the type.'),
  meta: z.looseObject({
    reply_to: z.string().exactOptional(),
    tags: z.array(z.string()).exactOptional(),
    by: z.enum(['human', 'agent', 'automation']).exactOptional(),
    command: z.string().exactOptional(),
    origin: originSchema.exactOptional(),
    attachments: z.array(attachmentSchema).exactOptional(),
  }),
  v: z.number().int(),
  hash: z.string(),
  edited: edited
    .exactOptional()
    .describe('The newest version of a message that its author edited; the content is the first one. Not in streams.'),
  imported: z.literal(true).exactOptional().describe('The event was imported; this field is not part of the hash.'),
});
export type WireEvent = Event & { readonly edited?: z.infer<typeof edited> };

export const eventPage = z.object({ events: z.array(event), cursor: z.string(), head: z.string() });
export type WireEventPage = z.infer<typeof eventPage>;

/** The events of a command, and the thread right after it. */
export const commandResult = z.object({ events: z.array(event), thread: threadRow });

export const postResult = z.object({
  event,
  delivery: z.array(delivery),
  /** Events stored together with it, such as the end of an answer that a mute cancels. */
  also: z.array(event).optional(),
});
export type WirePostResult = z.infer<typeof postResult>;

export const errorBody = z.object({
  error: z.looseObject({
    code: z.enum([...refusalCodes, 'internal']),
    message: z.string(),
    thread: z.string().optional(),
    participant: z.string().optional(),
  }),
});
export type WireError = z.infer<typeof errorBody>;

export const importResult = z.object({
  threads: z.number(),
  added: z.number(),
  /** Events that were already present, byte for byte. */
  skipped: z.number(),
  blobs: z.number(),
  head: z.string(),
  /** The exported thread; absent for a whole workspace. */
  scope: z.string().optional(),
  report: z.object({
    dropped: z.array(z.object({ field: z.string(), count: z.number(), why: z.string() })).readonly(),
  }),
  /** Threads with unfinished work. It waits for a human to resume it, or continues if all of it is the human's. */
  open: z.array(z.object({ thread: z.string(), title: z.string() })).readonly(),
});
export type WireImportResult = z.infer<typeof importResult>;

export const rebuildResult = z.object({ threads: z.number(), events: z.number(), mended: z.number() });
export type WireRebuildResult = z.infer<typeof rebuildResult>;

/** One line of a long-running response: progress, or at the end the result. */
export const workLine = z.union([
  z.object({ doing: z.enum(['proving', 'storing', 'rebuilding']), done: z.number(), total: z.number() }),
  z.object({ imported: importResult }),
  z.object({ rebuilt: rebuildResult }),
  z.object({ looms: z.array(importedLoom) }),
  errorBody,
]);
export type WorkLine = z.infer<typeof workLine>;

/** The body of POST …/events; the thread is in the path. */
export const newEvent = z.discriminatedUnion('type', [
  postInputs.message.omit({ thread: true }),
  postInputs.control.omit({ thread: true }),
  postInputs.task.omit({ thread: true }),
  postInputs.result.omit({ thread: true }),
  postInputs.presence.omit({ thread: true }),
]);
export type NewEventBody = z.input<typeof newEvent>;

export const newThread = commandInputs.create.omit({ origin: true, seed: true });
export type NewThreadBody = z.input<typeof newThread>;

/** The bodies of POST …/commands/NAME. */
export const threadCommands = {
  side_open: commandInputs.side_open.omit({ thread: true }),
  side_close: commandInputs.side_close.omit({ thread: true }),
  archive: commandInputs.archive.omit({ thread: true }),
  tag: commandInputs.tag.omit({ thread: true }),
  fork: commandInputs.fork.omit({ thread: true }),
  draft: commandInputs.draft.omit({ thread: true }),
  draft_accept: commandInputs.draft_accept.omit({ thread: true }),
  draft_discard: commandInputs.draft_discard.omit({ thread: true }),
  stop_answer: commandInputs.stop_answer.omit({ thread: true }),
} as const;

export const newPresence = z.strictObject({ state: schema.presenceState, details: schema.profile.optional() });

export const credential = z.object({
  /** Names the credential; the token itself is never stored. */
  id: z.string(),
  participant: z.string(),
  kind: z.enum(['human', 'agent', 'automation']),
  created: z.string(),
  use: z.enum(['token', 'session']),
  /** For a session: the credentials whose links signed it in. The session ends with any of them. */
  via: z.array(z.string()).readonly().optional(),
});
export type WireCredential = z.infer<typeof credential>;

export const newCredential = z.strictObject({
  participant: schema.participantId,
  /** A participant never changes its kind. Default: its known kind, or agent for a new one. */
  kind: z.enum(['human', 'agent', 'automation']).optional(),
  /** Issues another token. Otherwise the participant's newest token is returned again, unless it was revoked. */
  new: z.boolean().optional(),
});

/** The currency of every price, cost and budget (C5). */
export const currency = z.string().describe('An ISO 4217 code, such as USD.');

const usageFields = {
  calls: z.number(),
  failures: z.number(),
  promptTokens: z.number(),
  generatedTokens: z.number(),
  /** In the currency of the prices. */
  cost: z.number(),
};
const usageLimit = z.object({ tokens: z.number().exactOptional(), money: z.number().exactOptional() });

const modelRole = z.enum(['mind', 'auditor', 'loom']);

/** A model's public description: where its key is looked up, never the key. */
export const model = z.object({
  name: z.string(),
  provider: z.string(),
  model: z.string().optional(),
  base_url: z.string().optional(),
  api_key_env: z.string().optional(),
  price: z.object({ input: z.number(), output: z.number() }).optional(),
  capabilities: z
    .object({
      label: z.literal('small').optional(),
      context: z.number(),
      n: z.number(),
      logprobs: z.number(),
      streaming: z.boolean(),
      fillInTheMiddle: z.boolean(),
      images: z.boolean().optional(),
      estimatesTokens: z.literal(true).optional(),
      frame: z.boolean(),
    })
    .optional(),
  state: z.object({ code: z.string(), sentence: z.string() }),
  found: z.array(z.string()).describe('Findings about its server, as sentences.'),
  extra: z.record(z.string(), z.unknown()).optional(),
  default_for: z.array(modelRole),
  /** The model is in this workspace's heddle.yaml, where it can be changed and removed. */
  written: z.boolean(),
  used: z.object(usageFields),
  /** How its last real call went; absent if it was never asked. */
  last: z.object({ at: z.string(), ms: z.number(), failure: z.string().exactOptional() }).exactOptional(),
});
export type WireModel = z.infer<typeof model>;

/** A model's entry in heddle.yaml. Its allowed fields depend on the provider and are checked on writing. */
const modelEntry = z
  .looseObject({ provider: z.string() })
  .describe('As in heddle.yaml: base_url, model, api_key_env (a name, never a key), context, price {input, output}, …');
export type WireModelEntry = z.infer<typeof modelEntry>;

export const newModel = z.strictObject({
  name: z.string().describe('Its name in the workspace.'),
  entry: modelEntry,
  default_for: z.array(modelRole).max(3).default([]),
});
export const modelChange = z.strictObject({
  set: z.record(z.string(), z.unknown()).describe('Fields as in heddle.yaml; null removes one.'),
});
export const modelKey = z.strictObject({
  key: z.string().max(4096).describe('The key itself; empty to remove it.'),
});
/** A server whose models are wanted, before one of them is added. */
export const modelServer = z.strictObject({
  provider: z.enum(['openai-chat', 'openai-completions', 'anthropic']),
  base_url: z.string().max(2000).exactOptional(),
  key: z.string().max(4096).exactOptional().describe('The key itself: it is used once and not kept.'),
  api_key_env: z.string().max(200).exactOptional().describe('Instead: the name of a key that the server has.'),
});
export const offeredModels = z.object({
  models: z.array(z.string()).describe('The models that the server lists; may be empty.'),
  problem: z.string().exactOptional().describe('Why there is no list, as a sentence.'),
});
/** The removed model; sending it as a new model restores it. */
export const removedModel = z.object({ name: z.string(), entry: modelEntry });
const modelDefaults = z.strictObject({ mind: z.string(), auditor: z.string(), loom: z.string() });
export const newDefaults = modelDefaults.partial();
export const defaults = modelDefaults;

/** A command-line agent as clients see it, with nothing about how it is started (I10). */
export const agent = z.object({
  name: z.string(),
  adapter: z.enum(['claude', 'codex', 'gemini', 'acp', 'command']),
  /** The program exists on the server's machine. */
  here: z.boolean(),
  sandbox: z
    .object({ kind: z.enum(['bwrap', 'directory', 'refused']), sentence: z.string() })
    .describe('Whether its program is sandboxed, and a sentence that says so.'),
});
export type WireAgent = z.infer<typeof agent>;

/** The prompt and settings of a model test. */
export const modelTest = z.strictObject({
  prompt: z.string().min(1).max(2000).exactOptional(),
  n: z.number().int().min(1).max(8).default(3),
  max_tokens: z.number().int().min(1).max(512).default(40),
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 47)
    .exactOptional(),
  extra: z.record(z.string().min(1).max(100), z.unknown()).exactOptional().describe('Other fields, sent unchanged.'),
});

const alternative = z.object({ text: z.string(), probability: z.number() });
export const modelTestResult = z.object({
  model: z.string(),
  label: z.literal('small').optional(),
  prompt: z.string(),
  /** Whether the model continued the prompt or answered it. */
  kind: z.enum(['continuation', 'answer']),
  choices: z.array(
    z.object({
      text: z.string(),
      reason: z.enum(['stop', 'length', 'cancelled']),
      /** Empty if the model returns no probabilities. */
      tokens: z.array(alternative.extend({ alternatives: z.array(alternative) })),
    }),
  ),
  usage: z.object({ promptTokens: z.number(), generatedTokens: z.number(), estimated: z.boolean() }),
  cost: z.number(),
  latency: z.object({ firstTokenMs: z.number().optional(), totalMs: z.number() }),
  found: z.array(z.string()).describe('Findings about its server, as sentences.'),
  offered: z.array(z.string()).optional().describe('The models that its server lists.'),
});
export type ModelTestResult = z.infer<typeof modelTestResult>;

/** One line of a test's response: a piece of text, or at the end the result. */
export const modelTestLine = z.union([
  z.object({ choice: z.number(), text: z.string() }),
  z.object({ tested: modelTestResult }),
  errorBody,
]);
export type ModelTestLine = z.infer<typeof modelTestLine>;

export const usage = z.object({
  total: z.object(usageFields),
  models: z.array(z.object({ model: z.string(), ...usageFields })),
  threads: z.array(z.object({ thread: z.string(), title: z.string().optional(), ...usageFields })),
  days: z.array(z.object({ day: z.string(), model: z.string(), ...usageFields })),
  budgets: z.object({ workspace: usageLimit, thread: usageLimit, run: usageLimit }),
  currency,
});
export type WireUsage = z.infer<typeof usage>;

export const newBudget = z.strictObject({
  /** The total that models may use; leave out for no limit. */
  tokens: z.number().int().positive().exactOptional(),
  money: z.number().positive().exactOptional(),
});
