// The page uses the files beside this one, and must not load zod: they import only types from here.
import { z } from 'zod';
import type { Json } from '../../events/event.ts';
import { originSchema } from '../../origin-schema.ts';
import { modelWaitSchema } from '../../runs/schema.ts';
import { listOf } from '../../util/schemas.ts';
import * as schema from '../schema.ts';

/** An open request to a participant that was addressed by name. */
const pendingRequest = z.object({
  event: z.string(),
  seq: z.number(),
  by: z.string(),
  as: z.enum(['message', 'task', 'result', 'prod', 'invite']),
  ts: z.string(),
});

export type PendingRequest = z.infer<typeof pendingRequest>;

/** Things that wait for a human: drafts, agents that a limit stopped, and people who were asked by name. */
const needs = z.object({
  /** Drafts that nobody has decided on, and the newest of them. */
  drafts: z
    .object({
      count: z.number(),
      event: z.string(),
      by: z.string(),
      ts: z.string(),
      /** Rows written by earlier versions lack the two. */
      index: z.number().int().exactOptional(),
      text: z.string().exactOptional(),
      reply_to: z.string().exactOptional(),
    })
    .exactOptional(),
  stopped: z.number().exactOptional(),
  /** Participants that were addressed by name and have not written since. */
  asked: z.record(z.string(), pendingRequest).exactOptional(),
});
export type ThreadNeeds = z.infer<typeof needs>;

/** What somebody is to others: a person, a model that the server asks, or any other program. */
export const faceKind = z.enum(['person', 'model', 'client']);
const threadFace = z.object({
  kind: faceKind,
  nickname: z.string().exactOptional(),
  model: z.string().exactOptional(),
});
export type ThreadFace = z.infer<typeof threadFace>;
const threadFaces = z.record(z.string(), threadFace);
export type ThreadFaces = z.infer<typeof threadFaces>;

/** A model that thinks in a thread without being a participant of its conversation. */
const threadMind = z.object({
  id: z.string(),
  role: z.enum(['mind', 'auditor']),
  /** Absent if the workspace's default is used. */
  model: z.string().exactOptional(),
});
export type ThreadMind = z.infer<typeof threadMind>;

/** A thread's row in the list of threads. */
export const summarySchema = z.object({
  id: z.string(),
  title: z.string(),
  kind: schema.threadKind,
  creator: z.string(),
  created: z.string(),
  done: z.boolean(),
  paused: z.boolean(),
  /** Left out of lists and search until asked for (T32). */
  archived: z.literal(true).exactOptional(),
  tags: listOf(z.string()).exactOptional(),
  forked_from: z.object({ thread: z.string(), seq: z.number() }).exactOptional(),
  side_of: z.string().exactOptional(),
  /** The place that the thread was opened from, and the newest text brought from each other thread. */
  origin: originSchema.exactOptional(),
  brought: listOf(z.object({ from: originSchema, at: z.string() })).exactOptional(),
  wants: needs.exactOptional(),
  /** The budget for models in this thread, if it has its own. */
  budget: schema.budget.exactOptional(),
  /** Seq of the last event in which a human resumed the thread (L25). */
  resumed: z.number().exactOptional(),
  /** A model is working in the thread, or would be if a server were running. */
  working: z.literal(true).exactOptional(),
  /** For threads of other kinds than conversations: the newest message, and how many there are. */
  said: z.object({ event: z.string(), by: z.string(), ts: z.string(), count: z.number() }).exactOptional(),
  /** Messages with newer versions; lists of threads leave it out (T35). */
  edits: z.number().exactOptional(),
  /** Participants by id, for the lookup of names and faces; lists of threads leave it out (T37). */
  faces: threadFaces.exactOptional(),
  cast: listOf(threadMind).exactOptional(),
  /** Details specific to the kind, such as whether a dialogue needs you. */
  about: z.custom<Json>().exactOptional(),
});
export type ThreadSummary = z.infer<typeof summarySchema>;

const participant = z.object({
  id: z.string(),
  invited: z.boolean(),
  muted: z.enum(['hard', 'soft']).nullable(),
  profile: schema.profile,
});

/** The part of a thread's state that anyone in it may see. */
export const viewSchema = summarySchema.omit({ faces: true, cast: true, edits: true }).extend({
  participants: z.array(participant),
  ttl_seconds: z.number(),
  ttl_remaining: z.number().exactOptional(),
  discussion: z.object({ on: z.boolean(), allow_agent_mentions: z.boolean() }),
  invited_auto: z.boolean(),
  policy: z.object({
    mode: z.enum(['small', 'large', 'auto']),
    hops: z.number().exactOptional(),
    wakes: z.number().exactOptional(),
  }),
  presence_log: z.boolean(),
  /** How many messages were posted. */
  messages: z.number(),
  budget: schema.budget,
  open_tasks: z.array(
    z.object({
      id: z.string(),
      author: z.string(),
      to: listOf(z.string()),
      role: z.string().exactOptional(),
      claimedBy: z.string().exactOptional(),
    }),
  ),
  open_sides: z.array(
    z.object({ thread: z.string(), title: z.string(), question: z.string(), members: listOf(z.string()) }),
  ),
  side: z.object({ thread: z.string(), question: z.string(), opener: z.string(), closed: z.boolean() }).exactOptional(),
  /** Which participant should answer which event, and why. */
  wakes: z.array(
    z.object({
      participant: z.string(),
      event: z.string(),
      reason: z.string(),
      behind: z.string().exactOptional(),
      /** Set while the model cannot answer; the server asks it again at `until`. */
      waiting: modelWaitSchema.exactOptional(),
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
      reply_to: z.string().exactOptional(),
      held: z.string().exactOptional(),
      origin: originSchema.exactOptional(),
      /** The messages that an audit cites from those it was shown, and cited numbers that match none of them. */
      audit: z
        .object({
          cites: z.array(z.object({ seq: z.number().int(), event: z.string() })).readonly(),
          unknown: z.array(z.number().int()).readonly(),
          shown: z.number().int(),
          spec: z.string(),
        })
        .exactOptional(),
    }),
  ),
  /** The number of older drafts left out because all of them together are too large for one response. */
  drafts_left_out: z.number().int().exactOptional(),
});
export type ThreadView = z.infer<typeof viewSchema>;

const trailStep = z.object({
  how: z.enum(['opened', 'brought', 'forked', 'side']),
  /** Addresses of the source and of the result. */
  from: z.string(),
  to: z.string(),
  /** The ids of both threads. */
  between: z.tuple([z.string(), z.string()]),
  /** The kind of source: a message, a draft, a node … */
  what: z.string().exactOptional(),
});
/** A link between two threads: how the second came from the first. */
export type TrailStep = z.infer<typeof trailStep>;

const trailThread = z.object({
  id: z.string(),
  title: z.string(),
  kind: schema.threadKind,
  link: z.string(),
  done: z.boolean(),
});
export type TrailThread = z.infer<typeof trailThread>;

export const trailSchema = z.object({
  /** The thread itself first, then the others by distance. */
  threads: listOf(trailThread),
  steps: listOf(trailStep),
  /** Whether some threads were left out. */
  more: z.boolean(),
});
export type Trail = z.infer<typeof trailSchema>;
