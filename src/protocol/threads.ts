import { z } from 'zod';
import type { Json } from '../core/events/event.ts';
import { originSchema } from '../core/origin-schema.ts';
import * as schema from '../core/threads/schema.ts';

export const imported = z.object({ up_to: z.number().int(), waiting: z.literal(true).optional() });

export const delivery = z.object({
  participant: z.string(),
  decision: z.enum(['wake', 'queue', 'no']),
  code: z.string(),
  reason: z.string(),
  reach: z.enum(['live', 'wakeable', 'declared', 'none']),
});
export type WireDelivery = z.infer<typeof delivery>;

export const threadRow = z.object({
  id: z.string(),
  title: z.string(),
  kind: schema.threadKind,
  creator: z.string(),
  created: z.string(),
  done: z.boolean(),
  paused: z.boolean(),
  forked_from: z.object({ thread: z.string(), seq: z.number() }).optional(),
  side_of: z.string().optional(),
  /** The source the thread was opened from, and texts that came into it from other threads. */
  origin: originSchema.optional(),
  brought: z
    .array(z.object({ from: originSchema, at: z.string() }))
    .readonly()
    .optional(),
  /** Things that wait for a human: drafts, agents that a limit stopped, and people who were asked by name. */
  wants: z
    .object({
      drafts: z.object({ count: z.number(), event: z.string(), by: z.string(), ts: z.string() }).optional(),
      stopped: z.number().optional(),
      asked: z
        .record(
          z.string(),
          z.object({
            event: z.string(),
            seq: z.number(),
            by: z.string(),
            as: z.enum(['message', 'task', 'result', 'prod', 'invite']),
            ts: z.string(),
          }),
        )
        .optional(),
    })
    .optional(),
  /** The budget for models in this thread, if it has its own. */
  budget: schema.budget.optional(),
  /** The thread has imported events up to this seq. While it waits, nothing runs in it until a human resumes it. */
  imported: imported.optional(),
  /** A model is working in the thread. */
  working: z.literal(true).optional(),
  /** For threads of other kinds than conversations: the newest message, and how many there are. */
  said: z.object({ event: z.string(), by: z.string(), ts: z.string(), count: z.number() }).optional(),
  /** Details specific to the kind, such as whether a dialogue needs you. */
  about: z.custom<Json>().optional(),
  /** The thread's newest event: when, by whom, and its cursor. */
  last: z.object({ ts: z.string(), from: z.string(), cursor: z.string() }),
});
export type ThreadRow = z.infer<typeof threadRow>;

const participantView = z.object({
  id: z.string(),
  invited: z.boolean(),
  muted: z.enum(['hard', 'soft']).nullable(),
  profile: schema.profile,
});

export const presence = z.object({
  participant: z.string(),
  state: schema.presenceState,
  reach: z.enum(['live', 'wakeable', 'declared', 'none']),
  since: z.string(),
  details: schema.profile.optional(),
});
export type WirePresence = z.infer<typeof presence>;

export const threadState = threadRow.omit({ last: true }).extend({
  participants: z.array(participantView),
  ttl_seconds: z.number(),
  ttl_remaining: z.number().optional(),
  discussion: z.object({ on: z.boolean(), allow_agent_mentions: z.boolean() }),
  invited_auto: z.boolean(),
  policy: z.object({
    mode: z.enum(['small', 'large', 'auto']),
    hops: z.number().optional(),
    wakes: z.number().optional(),
  }),
  presence_log: z.boolean(),
  budget: schema.budget,
  open_tasks: z.array(
    z.object({
      id: z.string(),
      author: z.string(),
      to: z.array(z.string()),
      role: z.string().optional(),
      claimedBy: z.string().optional(),
    }),
  ),
  open_sides: z.array(
    z.object({ thread: z.string(), title: z.string(), question: z.string(), members: z.array(z.string()) }),
  ),
  side: z.object({ thread: z.string(), question: z.string(), opener: z.string(), closed: z.boolean() }).optional(),
  /** Which participant should answer which event, and why. */
  wakes: z.array(
    z.object({
      participant: z.string(),
      event: z.string(),
      reason: z.string(),
      behind: z.string().optional(),
      /** Set while the model cannot answer; the server asks it again at `until`. */
      waiting: z.object({ since: z.string(), until: z.string(), why: z.string() }).optional(),
    }),
  ),
  /** Wakes that a limit stopped; a human may let them continue. */
  stopped: z.array(z.object({ participant: z.string(), event: z.string(), reason: z.string() })),
  /** Drafts that a human may post to the thread. */
  drafts: z.array(
    z.object({
      index: z.number().int(),
      event: z.string(),
      participant: z.string(),
      text: z.string(),
      ts: z.string(),
      reply_to: z.string().optional(),
      held: z.string().optional(),
      origin: originSchema.optional(),
      /** The messages that an audit cites from those it was shown, and cited numbers that match none of them. */
      audit: z
        .object({
          cites: z.array(z.object({ seq: z.number().int(), event: z.string() })).readonly(),
          unknown: z.array(z.number().int()).readonly(),
          shown: z.number().int(),
          spec: z.string(),
        })
        .optional(),
    }),
  ),
  /** The number of older drafts left out because all of them together are too large for one response. */
  drafts_left_out: z.number().int().optional(),
});
export type WireThreadState = z.infer<typeof threadState>;
