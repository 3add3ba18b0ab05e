import type { Json } from '../../events/event.ts';
import type { BroughtText, Origin } from '../../origin.ts';
import type { ModelWait } from '../../runs/wait.ts';
import { getOwn } from '../../util/get-own.ts';
import { type AuditFacts, auditFactsOf } from '../audit/audit.ts';
import type { Profile, ThreadBudget } from '../schema.ts';
import type { PendingRequest, Task, ThreadDraft, ThreadState } from '../state.ts';

/** A thread's row in the list of threads. */
export interface ThreadSummary {
  readonly id: string;
  readonly title: string;
  readonly kind: ThreadState['kind'];
  readonly creator: string;
  readonly created: string;
  readonly done: boolean;
  readonly paused: boolean;
  readonly forked_from?: { readonly thread: string; readonly seq: number };
  readonly side_of?: string;
  /** What it was opened from, and what came into it from other threads: the newest from each. */
  readonly origin?: Origin;
  readonly brought?: readonly BroughtText[];
  /** What waits for a human in it. */
  readonly wants?: ThreadNeeds;
  /** What models may use in it, where that was said for it alone. */
  readonly budget?: ThreadBudget;
  /** When a human last resumed it (L25): the seq of that word. */
  readonly resumed?: number;
  /** A model is at work in it, or would be if a server ran. */
  readonly working?: true;
  /** Where its kind adds events of its own: the newest words beside its work. */
  readonly said?: { readonly event: string; readonly by: string; readonly ts: string; readonly count: number };
  /** What its kind tells of it. */
  readonly about?: Json;
}

export interface ThreadNeeds {
  /** Drafts that nobody has decided on, and the newest of them. */
  readonly drafts?: { readonly count: number; readonly event: string; readonly by: string; readonly ts: string };
  /** Wakes that a limit stopped. */
  readonly stopped?: number;
  /** Who was asked for by name and has not written since. */
  readonly asked?: Readonly<Record<string, PendingRequest>>;
}

export function summaryOf(state: ThreadState): ThreadSummary {
  const needs = needsOf(state);
  return {
    id: state.id,
    title: state.title,
    kind: state.kind,
    creator: state.creator,
    created: state.created,
    done: state.done,
    paused: state.paused,
    ...(state.forkedFrom && { forked_from: state.forkedFrom }),
    ...(state.sideOf && { side_of: state.sideOf.thread }),
    ...(state.origin && { origin: state.origin }),
    ...(state.brought.length > 0 && { brought: state.brought }),
    ...(needs && { wants: needs }),
    ...(Object.keys(state.budget).length > 0 && { budget: state.budget }),
    ...(state.resumed !== undefined && { resumed: state.resumed }),
  };
}

function needsOf(state: ThreadState): ThreadNeeds | undefined {
  const { drafts, asked: requests } = state;
  const open = Object.values(drafts.open);
  const newest = open.at(-1);
  const stopped = stoppedWakes(state).length;
  const hasRequests = Object.keys(requests).length > 0;
  if (!newest && stopped === 0 && !hasRequests) return undefined;
  return {
    ...(newest && { drafts: { count: open.length, event: newest.event, by: newest.participant, ts: newest.ts } }),
    ...(stopped > 0 && { stopped }),
    ...(hasRequests && { asked: requests }),
  };
}

/** Wakes that a limit stopped since a human last wrote: what they were about is answered, or over, once one has (T16). */
function stoppedWakes({ routing, lastHumanSeq = 0 }: ThreadState): ThreadState['routing']['stopped'] {
  return routing.stopped.filter(({ seq }) => seq > lastHumanSeq);
}

/** What anyone in a thread may see of its state. */
export interface ThreadView extends ThreadSummary {
  readonly participants: readonly ParticipantView[];
  readonly ttl_seconds: number;
  /** How long agents may still be woken without a human's word; absent when there is no limit. */
  readonly ttl_remaining?: number;
  readonly discussion: { readonly on: boolean; readonly allow_agent_mentions: boolean };
  readonly invited_auto: boolean;
  readonly policy: ThreadState['policy'];
  readonly presence_log: boolean;
  readonly budget: ThreadBudget;
  readonly open_tasks: readonly (Task & { readonly id: string })[];
  readonly open_sides: readonly SideView[];
  readonly side?: {
    readonly thread: string;
    readonly question: string;
    readonly opener: string;
    readonly closed: boolean;
  };
  readonly wakes: readonly WakeView[];
  readonly stopped: readonly WakeView[];
  readonly drafts: readonly ThreadDraftView[];
  /** Older drafts that are not shown, as all of them together are too much to show. */
  readonly drafts_left_out?: number;
}

export interface WakeView {
  readonly participant: string;
  readonly event: string;
  readonly reason: string;
  readonly behind?: string;
  readonly waiting?: ModelWait;
}

export interface ThreadDraftView {
  readonly index: number;
  readonly event: string;
  readonly participant: string;
  readonly text: string;
  readonly ts: string;
  readonly reply_to?: string;
  readonly held?: string;
  readonly origin?: Origin;
  readonly audit?: AuditFacts;
}

export interface ParticipantView {
  readonly id: string;
  readonly invited: boolean;
  readonly muted: 'hard' | 'soft' | null;
  readonly profile: Profile;
}

export interface SideView {
  readonly thread: string;
  readonly title: string;
  readonly question: string;
  readonly members: readonly string[];
}

/** So many characters of drafts are shown, or one draft: the newest. Once somebody has decided on them, others are. */
const MAX_DRAFT_CHARS = 1024 * 1024;

export function viewThread(state: ThreadState, now: string): ThreadView {
  const { shown, leftOut } = newestDrafts(Object.entries(state.drafts.open));
  return {
    ...summaryOf(state),
    participants: Object.entries(state.participants).map(([id, { invited, profile }]) => ({
      id,
      invited,
      muted: getOwn(state.muted, id) ?? null,
      profile,
    })),
    ttl_seconds: state.ttlSeconds,
    ...(state.ttlSeconds > 0 && { ttl_remaining: ttlRemaining(state, now) }),
    discussion: { on: state.discussion.on, allow_agent_mentions: state.discussion.agentMentions },
    invited_auto: state.invitedAuto,
    policy: state.policy,
    presence_log: state.presenceLog,
    budget: state.budget,
    open_tasks: Object.entries(state.openTasks).map(([id, task]) => ({ id, ...task })),
    open_sides: Object.entries(state.openSides).map(([thread, side]) => ({ thread, ...side })),
    ...(state.sideOf && {
      side: {
        thread: state.sideOf.thread,
        question: state.sideOf.question,
        opener: state.sideOf.opener,
        closed: state.sideOf.closed,
      },
    }),
    wakes: Object.entries(state.routing.wakes).flatMap(([participant, wakes]) =>
      wakes.map(({ event, reason, behind, waiting }) => ({
        ...{ participant, event, reason },
        ...(behind && { behind }),
        ...(waiting && { waiting }),
      })),
    ),
    stopped: stoppedWakes(state).map(({ participant, event, reason }) => ({ participant, event, reason })),
    drafts: shown.map(([index, { event, participant, text, ts, replyTo, held, origin, audit }]) => ({
      index: Number(index),
      event,
      participant,
      text,
      ts,
      ...(replyTo !== undefined && { reply_to: replyTo }),
      ...(held !== undefined && { held }),
      ...(origin && { origin }),
      ...(audit && { audit: auditFactsOf(text, audit) }),
    })),
    ...(leftOut > 0 && { drafts_left_out: leftOut }),
  };
}

function newestDrafts(open: readonly [string, ThreadDraft][]) {
  let size = 0;
  let first = open.length;
  while (first > 0) {
    size += open[first - 1]?.[1].text.length ?? 0;
    if (size > MAX_DRAFT_CHARS && first < open.length) break;
    first--;
  }
  return { shown: open.slice(first), leftOut: first };
}

export function ttlRemaining(state: ThreadState, now: string): number {
  if (state.lastHumanAt === undefined) return 0;
  // A clock set back makes it seem to be still to come: nobody has longer than the limit (L26).
  const elapsed = Math.max(0, Date.parse(now) - Date.parse(state.lastHumanAt));
  return Math.max(0, Math.ceil(state.ttlSeconds - elapsed / 1000));
}
