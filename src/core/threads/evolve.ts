import type { z } from 'zod';
import type { Event } from '../events/event.ts';
import { originIn, withBrought } from '../origin.ts';
import { own } from '../util/get-own.ts';
import { auditBasisIn, countedFor } from './audit/audit.ts';
import type * as events from './events.ts';
import { asWriter, profileSaid } from './participants/profiles.ts';
import { withWayFor } from './participants/spellings.ts';
import { LIMITS } from './policy/policy.ts';
import { asking } from './policy/requests.ts';
import { routed } from './policy/routing.ts';
import { statusOf } from './posts/tasks.ts';
import { type Budget, type Control, type Profile, type Result, threadKind } from './schema.ts';
import { NO_ROUTING, type Participant, type Task, type ThreadState } from './state.ts';
import { titleText } from './title.ts';

/** Total: an event this version does not know changes nothing (L3). */
export function evolveThread(before: ThreadState, event: Event): ThreadState {
  const state = withWayFor(before, event);
  return asking(brought(routed(state, evolveFacts(state, event), event), event), event);
}

function brought(state: ThreadState, event: Event): ThreadState {
  return event.meta.origin ? { ...state, brought: withBrought(state.brought, event) } : state;
}

function evolveFacts(state: ThreadState, event: Event): ThreadState {
  switch (event.type) {
    case 'thread.created':
      return created(state, event, contentOf<typeof events.threadCreated>(event));
    case 'thread.renamed':
      return { ...state, title: titleText(contentOf<typeof events.threadRenamed>(event).title) };
    case 'message':
      return countedFor(spoken(state, event), event);
    case 'task':
      return { ...spoken(state, event), openTasks: { ...state.openTasks, [event.id]: taskOf(event) } };
    case 'result':
      return resulted(spoken(state, event), event);
    case 'control':
      return controlled(withParticipant(state, event), event, event.content as unknown as Control);
    case 'side.opened': {
      const { thread, title, question, members } = contentOf<typeof events.sideOpened>(event);
      return { ...state, openSides: { ...state.openSides, [thread]: { title: titleText(title), question, members } } };
    }
    case 'side.returned':
      return {
        ...state,
        openSides: without(state.openSides, contentOf<typeof events.sideReturned>(event).thread),
      };
    case 'draft.proposed': {
      const { index, text, cause, reply_to, held } = contentOf<typeof events.draftProposed>(event);
      const origin = originIn(event.meta.origin);
      const audit = auditBasisIn(event.meta.audit);
      const draft = {
        event: event.id,
        participant: event.from,
        by: event.meta.by ?? 'agent',
        text,
        ts: event.ts,
        cause,
        ...(reply_to !== undefined && { replyTo: reply_to }),
        ...(held !== undefined && { held }),
        ...(origin && { origin }),
        ...(audit && { audit }),
      };
      return { ...state, drafts: { count: index, open: { ...state.drafts.open, [index]: draft } } };
    }
    case 'draft.settled': {
      const { index } = contentOf<typeof events.draftSettled>(event);
      return { ...state, drafts: { ...state.drafts, open: without(state.drafts.open, String(index)) } };
    }
    case 'side.closed':
      return state.sideOf ? { ...state, done: true, sideOf: { ...state.sideOf, closed: true } } : state;
    default:
      return state;
  }
}

function created(state: ThreadState, event: Event, content: z.infer<typeof events.threadCreated>): ThreadState {
  const { title, kind, forked_from, side_of } = content;
  const origin = originIn(content.origin);
  const { madeFor: _, lastHuman, ...next } = withParticipant(state, event);
  const madeFor = madeForWhom(state, event, content);
  const most = state.policy.wakes ?? LIMITS.wakes;
  // A fork keeps what it inherited, but nobody in it is at work yet and no side channel is its own (L13).
  const fresh = {
    brought: [],
    since: {},
    drafts: { count: 0, open: {} },
    openTasks: {},
    openSides: {},
    asked: {},
    done: false,
    routing: {
      ...NO_ROUTING,
      spent: madeFor ? [{ root: madeFor.root, wakes: most - madeFor.wakes, each: {} }] : [],
    },
  };
  return {
    ...next,
    ...fresh,
    ...(madeFor ? { madeFor } : lastHuman !== undefined && { lastHuman }),
    exists: true,
    id: event.thread,
    title: titleText(title),
    kind: threadKind.safeParse(kind).data ?? 'conversation',
    creator: event.from,
    created: event.ts,
    // In an order of its own: the stored text has another, and an answer must not tell which it was made from (L7).
    ...(forked_from && { forkedFrom: { thread: forked_from.thread, seq: forked_from.seq } }),
    ...(origin && { origin }),
    ...(side_of?.budget && { budget: side_of.budget }),
    ...(side_of && {
      sideOf: {
        thread: side_of.thread,
        question: side_of.question,
        opener: event.from,
        ...(side_of.budget && { budget: side_of.budget }),
        closed: false,
      },
    }),
  };
}

/** What agents make counts on from where they came from; where that is not known, they may wake nobody (T16). */
function madeForWhom(
  { policy }: ThreadState,
  { thread, meta: { by, cause } }: Event,
  { wakes, side_of, payer }: z.infer<typeof events.threadCreated>,
): ThreadState['madeFor'] {
  if (by === 'human' || by === undefined) return undefined;
  if (!cause) return { root: thread, depth: 0, wakes: 0 };
  // Of side channels of earlier versions, what was spent is told and not what was left.
  const left = wakes ?? Math.max(0, (policy.wakes ?? LIMITS.wakes) - (side_of?.spent ?? 0));
  return { root: cause.root, depth: cause.depth, wakes: left, ...(payer && { payer }) };
}

/** A human's word reopens a thread that was done and starts the time agents may go on by themselves (T8). */
function spoken(state: ThreadState, event: Event): ThreadState {
  const next = withParticipant(state, event);
  if (event.meta.by !== 'human') return next;
  return {
    ...asOurs(next),
    lastHumanAt: event.ts,
    lastHuman: event.id,
    lastHumanSeq: event.seq,
    done: event.type === 'message' ? false : next.done,
  };
}

/** What an agent made is a thread like any other once a human takes part in it. */
function asOurs({ madeFor: _, ...state }: ThreadState): ThreadState {
  return state;
}

function withParticipant(state: ThreadState, event: Event): ThreadState {
  if (event.from === 'system') return state;
  const known = own(state.participants, event.from);
  const writer = asWriter(known, event.meta.by) as Participant;
  return writer === known ? state : { ...state, participants: { ...state.participants, [event.from]: writer } };
}

function taskOf(event: Event): Task {
  const role = typeof event.content === 'object' ? (event.content as { role?: string }).role : undefined;
  return {
    author: event.from,
    to: event.to === 'all' ? [] : ([event.to].flat() as string[]),
    ...(role && { role }),
  };
}

function resulted(state: ThreadState, event: Event): ThreadState {
  const id = event.meta.reply_to ?? '';
  const task = own(state.openTasks, id);
  if (!task) return state;
  if (statusOf(event.content as Result) !== 'claimed') return { ...state, openTasks: without(state.openTasks, id) };
  return { ...state, openTasks: { ...state.openTasks, [id]: { ...task, claimedBy: event.from } } };
}

function controlled(state: ThreadState, event: Event, control: Control): ThreadState {
  if ('mute' in control) {
    const muted = Object.fromEntries(control.mute.targets.map((id) => [id, control.mute.mode]));
    return { ...state, muted: { ...state.muted, ...muted } };
  }
  if ('unmute' in control) return { ...state, muted: without(state.muted, ...control.unmute.targets) };
  if ('pause' in control) return { ...state, paused: control.pause.on };
  if ('done' in control) return { ...state, done: true };
  if ('ttl_seconds' in control) return { ...state, ttlSeconds: control.ttl_seconds };
  if ('discussion' in control) {
    const { on, allow_agent_mentions = on } = control.discussion;
    return { ...state, discussion: { on, agentMentions: allow_agent_mentions } };
  }
  if ('invited_auto' in control) return { ...state, invitedAuto: control.invited_auto.on };
  if ('invite' in control) return merged(state, event, control.invite.participant_id, control.invite.profile, true);
  if ('uninvite' in control) {
    const id = control.uninvite.participant_id;
    const known = own(state.participants, id);
    return known ? { ...state, participants: { ...state.participants, [id]: { ...known, invited: false } } } : state;
  }
  if ('profile' in control) return merged(state, event, event.from, control.profile);
  if ('policy' in control) return { ...state, policy: control.policy as ThreadState['policy'] };
  if ('resume' in control) return event.meta.by === 'human' ? { ...state, resumed: event.seq } : state;
  if ('presence_log' in control) return { ...state, presenceLog: control.presence_log.on };
  if ('budget' in control) return { ...asOurs(state), budget: withoutZeros({ ...state.budget, ...control.budget }) };
  return state;
}

/** What is set to 0 is no limit any more (T5). */
function withoutZeros(budget: Budget): Budget {
  return Object.fromEntries(Object.entries(budget).filter(([, limit]) => limit !== 0));
}

function merged(state: ThreadState, event: Event, id: string, profile: Profile, invited?: boolean): ThreadState {
  const { bare: _, ...before }: Participant = own(state.participants, id) ?? { invited: false, profile: {} };
  const said = profileSaid(state, event, id, profile);
  const after = {
    ...before,
    invited: invited ?? before.invited,
    ...(event.meta.bare && { bare: true as const }),
    profile: { ...before.profile, ...said },
  };
  return { ...state, participants: { ...state.participants, [id]: after } };
}

function without<T>(record: Readonly<Record<string, T>>, ...keys: readonly string[]): Record<string, T> {
  const copy = { ...record };
  for (const key of keys) delete copy[key];
  return copy;
}

function contentOf<Schema extends z.ZodType>(event: Event): z.infer<Schema> {
  return event.content as z.infer<Schema>;
}
