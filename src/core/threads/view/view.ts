import { excerptOf } from '../../text/excerpt.ts';
import { getOwn } from '../../util/get-own.ts';
import { auditFactsOf } from '../audit/audit.ts';
import type { ThreadDraft, ThreadState } from '../state.ts';
import { facesOf } from './faces.ts';
import type { ThreadNeeds, ThreadSummary, ThreadView } from './schema.ts';

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
    ...(state.archived && { archived: true as const }),
    ...(state.tags && state.tags.length > 0 && { tags: state.tags }),
    ...(state.forkedFrom && { forked_from: state.forkedFrom }),
    ...(state.sideOf && { side_of: state.sideOf.thread }),
    ...(state.origin && { origin: state.origin }),
    ...(state.brought.length > 0 && { brought: state.brought }),
    ...(needs && { wants: needs }),
    ...(Object.keys(state.budget).length > 0 && { budget: state.budget }),
    ...(state.resumed !== undefined && { resumed: state.resumed }),
    ...(state.edits && { edits: Object.keys(state.edits).length }),
    faces: facesOf(state),
  };
}

function needsOf(state: ThreadState): ThreadNeeds | undefined {
  const { drafts, asked: requests } = state;
  const open = Object.entries(drafts.open);
  const newest = open.at(-1);
  const stopped = stoppedWakes(state).length;
  const hasRequests = Object.keys(requests).length > 0;
  if (!newest && stopped === 0 && !hasRequests) return undefined;
  return {
    ...(newest && { drafts: { count: open.length, ...draftFacts(...newest) } }),
    ...(stopped > 0 && { stopped }),
    ...(hasRequests && { asked: requests }),
  };
}

function draftFacts(index: string, { event, participant, ts, text, replyTo }: ThreadDraft) {
  return {
    ...{ event, by: participant, ts, index: Number(index), text: excerptOf(text) },
    ...(replyTo !== undefined && { reply_to: replyTo }),
  };
}

/** Wakes that a limit stopped since a human last wrote. A human message settles the older ones (T16). */
function stoppedWakes({ routing, lastHumanSeq = 0 }: ThreadState): ThreadState['routing']['stopped'] {
  return routing.stopped.filter(({ seq }) => seq > lastHumanSeq);
}

/**
 * Maximum characters of drafts to show; the newest draft is always shown. Older ones appear once newer ones are
 * decided.
 */
const MAX_DRAFT_CHARS = 1024 * 1024;

export function viewThread(state: ThreadState, now: string): ThreadView {
  const { shown, leftOut } = newestDrafts(Object.entries(state.drafts.open));
  const { faces: _, edits: _edits, ...summary } = summaryOf(state);
  return {
    ...summary,
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
    messages: state.messages,
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
  // If the clock was set back, the last human message lies in the future: the limit still holds (L26).
  const elapsed = Math.max(0, Date.parse(now) - Date.parse(state.lastHumanAt));
  return Math.max(0, Math.ceil(state.ttlSeconds - elapsed / 1000));
}
