import { z } from 'zod';
import { budget } from '../core/dialogue/config.ts';
import { endReason, engagement, pauseReason, usage } from '../core/dialogue/events.ts';

/* Response shapes and routes of dialogues (C7, D4, D14, D16, D27). */
const count = z.number().int().nonnegative();
const index = z.number().int().positive();
const indices = z.array(index).readonly();
const head = { head: z.string() };

const draft = z.object({
  index,
  iter: index,
  text: z.string(),
  seen: z.boolean(),
  signal: z.enum(['soft', 'word']).nullable(),
  same_as: index.optional(),
  confidence: z.number().optional(),
  status: z.enum(['working', 'final']).optional(),
  unstructured: z.literal(true).optional().describe('The model wrote plain text; all of it is the draft.'),
  ts: z.string(),
  chars: count,
  after: count.describe('Iterations since the entry before it.'),
});
const drafts = z.object({ turn: index.nullable(), drafts: z.array(draft).readonly(), total: count });

const attention = z.object({ level: z.enum(['thinking', 'publishable', 'needs_you', 'idle']), reason: z.string() });
const status = z.object({
  state: z.enum(['idle', 'awaiting']),
  iter: count,
  attention,
  drafts: count,
  engagement,
  turn: z
    .object({
      turn: index,
      message: z.string(),
      by: z.string(),
      ts: z.string(),
      iterations: count,
      steer: z.array(z.string()).readonly(),
      latest_reply: index.nullable().describe('What an accept without an index would take.'),
      unseen: count,
      window: indices.describe('The drafts the mind is shown.'),
      fork_at: count.describe('A fork after this event number begins another topic beside it.'),
    })
    .optional(),
  run: z
    .object({
      run: index,
      state: z.enum(['running', 'paused', 'ended']),
      done: count,
      iterations: index.optional(),
      budget,
      spent: z.object({ iterations: count, tokens: count, money: z.number() }),
      since: z.string(),
      waiting: z
        .object({ since: z.string(), until: z.string(), why: z.string() })
        .optional()
        .describe('The model cannot answer now and is asked again then.'),
      interrupted: z.literal(true).optional().describe('It would go on, and no server does its work.'),
      reason: z.union([pauseReason, endReason]).optional(),
      why: z.string().optional(),
      empty: z.literal(true).optional().describe('In its latest iteration the model answered with nothing.'),
    })
    .optional(),
  warning: z.string().optional(),
  thoughts: count,
  late: count,
  model: z.string().nullable(),
  self: z.string(),
});

const hunks = z.array(z.object({ kind: z.enum(['equal', 'delete', 'insert']), text: z.string() })).readonly();
const history = z.object({
  turns: z
    .array(
      z.object({
        turn: index,
        message: z.string(),
        reply: z.string(),
        accepted_draft_index: index,
        ts: z.string(),
        by: z.string(),
        model: z.string().optional().describe('What wrote the draft.'),
        small: z.literal(true).optional(),
        draft: z.string().optional(),
        difference: hunks.optional(),
        auto: z.object({ after: index, set_by: z.string() }).optional(),
        pruned: z.literal(true).optional(),
      }),
    )
    .readonly(),
});

const thought = z.object({
  id: index,
  iter: index,
  text: z.string(),
  author: z.string(),
  age: z.number().int(),
  active: z.boolean(),
  cluster: index.nullable(),
});
const thoughts = z.array(thought).readonly();
const iteration = z.object({
  iter: index,
  outcome: z.enum(['draft', 'signal', 'silence', 'malformed', 'error']),
  draft: draft.optional(),
  thoughts,
  sampled: indices,
  usage,
  turn: index,
  run: index,
  ts: z.string(),
  event: z.string(),
  model: z.string(),
  small: z.literal(true).optional(),
  prompt: z.string().describe('SHA-256 of the prompt.'),
  seed: count,
  latency_ms: count,
  problem: z.string().optional(),
  clear: z.literal(true).optional(),
  empty: z.literal(true).optional().describe('The model answered with nothing; it counts as silence.'),
  shown: z.object({ thoughts, recent: thoughts, recalled: thoughts, drafts: indices, history: indices }),
  dropped: z.object({ thoughts: indices, history: indices, drafts: indices }).optional(),
});

const away = z.object({
  turn: index.nullable(),
  last_seen: index.nullable(),
  iterations: count,
  unseen: count,
  endorsements: count,
  words: z.array(z.string()).readonly(),
  families: z
    .array(z.object({ best: index, text: z.string(), drafts: indices, difference: hunks.optional() }))
    .readonly(),
  older: count,
});

const clusters = z.object({
  clusters: z
    .array(z.object({ id: index, active: count, total: count, first: count, last: count, label: z.string() }))
    .readonly(),
  noise: count,
  waiting: count,
  timeline: z
    .array(z.object({ iter: count, thoughts: z.array(z.object({ id: index, cluster: index.nullable() })).readonly() }))
    .readonly(),
});

const provenance = z.object({
  turn: index,
  draft: index,
  passage: z.string(),
  first: z.object({ index, iter: index }).nullable(),
  drafts: indices,
  iteration: iteration.optional().describe('The one that wrote it first, with the thoughts it was shown.'),
});

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
    response: drafts.extend(head),
  },
  'GET /api/threads/:thread/status': {
    summary: 'How a dialogue stands and what the mind wants of the person.',
    ...readRoute,
    response: status.extend(head),
  },
  'GET /api/threads/:thread/history': {
    summary: 'What was said and accepted, newest first.',
    ...readRoute,
    query: z.strictObject({ before: before.describe('Only turns before this one.'), limit: limit(100) }),
    response: history.extend(head),
  },
  'GET /api/threads/:thread/iterations': {
    summary: 'The latest iterations of a mind, newest first.',
    ...readRoute,
    query: z.strictObject({ before: before.describe('Only iterations before this one.'), limit: limit(50) }),
    response: z.object({ iterations: z.array(iteration).readonly(), ...head }),
  },
  'GET /api/threads/:thread/iterations/:iter': {
    summary: 'One iteration: what the mind was shown, and what came of it.',
    ...readRoute,
    response: iteration.extend(head),
  },
  'GET /api/threads/:thread/away': {
    summary: 'What came since the person last looked, nearly equal drafts together.',
    ...readRoute,
    response: away.extend(head),
  },
  'GET /api/threads/:thread/map': {
    summary: 'Thoughts in two dimensions, near each other where they mean the like.',
    ...readRoute,
    query: z.strictObject({ latest: limit(200).describe('So many of the latest thoughts.') }),
    response: z.object({
      points: z.array(z.object({ id: index, x: z.number(), y: z.number() })).readonly(),
      ...head,
    }),
  },
  'GET /api/threads/:thread/clusters': {
    summary: 'What a mind thinks about: its clusters, and which of them spoke when.',
    ...readRoute,
    query: z.strictObject({ latest: limit(200).describe('The timeline has so many of the latest thoughts.') }),
    response: clusters.extend(head),
  },
  'GET /api/threads/:thread/provenance': {
    summary: 'From a passage of a draft back to the iteration that first wrote it, and what was shown to it.',
    ...readRoute,
    query: z.strictObject({
      turn: z.coerce.number().int().positive(),
      draft: z.coerce.number().int().positive().optional().describe('The accepted one unless said.'),
      passage: z.string().min(1).max(20_000).optional().describe('The whole draft unless said.'),
    }),
    response: provenance.extend(head),
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
