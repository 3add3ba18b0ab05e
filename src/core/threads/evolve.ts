import type { ContentOf, EventOf } from '../events/define.ts';
import type { Event } from '../events/event.ts';
import { ignoreUnknown, readEvent } from '../events/read.ts';
import { readOrigin } from '../origin.ts';
import { displayTitle } from '../text/display-title.ts';
import { getOwn } from '../util/get-own.ts';
import { countMessages, readAuditBasis } from './audit/audit.ts';
import type { ControlPosted, ResultPosted, TaskPosted, ThreadCreated, ThreadEvent } from './events.ts';
import { THREAD_KIND } from './fixed-names.ts';
import { allowedProfile, participantAfterWriting } from './participants/profiles.ts';
import { mergeSpellings } from './participants/spellings.ts';
import { WAKE_LIMITS } from './policy/policy.ts';
import { trackRequests } from './policy/requests.ts';
import { routeEvent } from './policy/routing.ts';
import { resultStatusOf, roleOfTask } from './posts/tasks.ts';
import type { Profile, ThreadBudget } from './schema.ts';
import { NO_ROUTING, type Participant, type Task, type ThreadState } from './state.ts';

const SPEECH_TYPES: ReadonlySet<string> = new Set(['message', 'task', 'result']);

/** Total: an event that this version does not know changes nothing (L3). */
export function evolveThread(previous: ThreadState, stored: Event): ThreadState {
  const event = readEvent<ThreadEvent>(stored);
  const state = mergeSpellings(previous, event);
  const next = routeEvent(state, evolveFacts(state, event, stored), event);
  return restoreFromArchive(trackRequests(next, event), event);
}

/** What a human says, or what asks a person by name, brings a thread back to the lists (T32). */
function restoreFromArchive(state: ThreadState, event: ThreadEvent): ThreadState {
  if (!state.archived || !SPEECH_TYPES.has(event.type)) return state;
  const asksPerson = Object.values(state.asked).some(({ event: id }) => id === event.id);
  return event.meta.by === 'human' || asksPerson ? withoutArchive(state) : state;
}

function withoutArchive({ archived: _, ...state }: ThreadState): ThreadState {
  return state;
}

function evolveFacts(state: ThreadState, event: ThreadEvent, stored: Event): ThreadState {
  switch (event.type) {
    case 'thread.created':
      return applyCreated(state, event);
    case 'thread.renamed':
      return { ...state, title: displayTitle(event.content.title) };
    case 'thread.archived':
      return event.content.on ? { ...withoutArchive(state), archived: true } : withoutArchive(state);
    case 'thread.tagged':
      return { ...state, tags: event.content.tags };
    case 'message':
      return { ...countMessages(applySpeech(state, event), stored), messages: state.messages + 1 };
    case 'message.versioned': {
      const { of } = event.content;
      const count = (getOwn(state.edits ?? {}, of)?.count ?? 0) + 1;
      return { ...state, edits: { ...state.edits, [of]: { seq: event.seq, count, by: event.from } } };
    }
    case 'task':
      return { ...applySpeech(state, event), openTasks: { ...state.openTasks, [event.id]: taskOf(event) } };
    case 'result':
      return applyResult(applySpeech(state, event), event);
    case 'control':
      return applyControl(withParticipant(state, event), event);
    case 'side.opened': {
      const { thread, title, question, members } = event.content;
      return {
        ...state,
        openSides: { ...state.openSides, [thread]: { title: displayTitle(title), question, members } },
      };
    }
    case 'side.returned':
      return { ...state, openSides: omitKeys(state.openSides, event.content.thread) };
    case 'draft.proposed': {
      const { index, text, cause, reply_to, held } = event.content;
      const origin = readOrigin(event.meta.origin);
      const audit = readAuditBasis(event.meta.audit);
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
        ...(event.meta.attachments && { attachments: event.meta.attachments }),
      };
      return { ...state, drafts: { count: index, open: { ...state.drafts.open, [index]: draft } } };
    }
    case 'draft.settled': {
      const { index } = event.content;
      return { ...state, drafts: { ...state.drafts, open: omitKeys(state.drafts.open, String(index)) } };
    }
    case 'side.closed':
      return state.sideOf ? { ...state, done: true, sideOf: { ...state.sideOf, closed: true } } : state;
    case 'thread.forked':
    case 'thread.opened':
    case 'presence':
    case 'notice.posted':
    case 'wake.waiting':
    case 'wake.closed':
      return state;
    default:
      return ignoreUnknown(state, event);
  }
}

function applyCreated(state: ThreadState, event: EventOf<typeof ThreadCreated>): ThreadState {
  const { content } = event;
  const { title, kind, forked_from, side_of } = content;
  const origin = readOrigin(content.origin);
  const { madeFor: _, lastHuman, archived: _archived, ...next } = withParticipant(state, event);
  const madeFor = madeForOf(state, event, content);
  const wakeLimit = state.policy.wakes ?? WAKE_LIMITS.wakes;
  // A fork keeps what it inherited, but starts without work in progress or side channels of its own (L13).
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
      spent: madeFor ? [{ root: madeFor.root, wakes: wakeLimit - madeFor.wakes, each: {} }] : [],
    },
  };
  return {
    ...next,
    ...fresh,
    ...(madeFor ? { madeFor } : lastHuman !== undefined && { lastHuman }),
    exists: true,
    id: event.thread,
    title: displayTitle(title),
    kind: typeof kind === 'string' && THREAD_KIND.test(kind) ? kind : 'conversation',
    creator: event.from,
    created: event.ts,
    // The keys have a fixed order that differs from the stored text, so that an answer does not depend on its source
    // (L7).
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

/**
 * Threads made by agents continue the count of their source. If the cause is unknown, agents may wake nobody there
 * (T16).
 */
function madeForOf(
  { policy }: ThreadState,
  { thread, meta: { by, cause } }: Pick<Event, 'thread' | 'meta'>,
  { wakes, side_of, payer }: ContentOf<typeof ThreadCreated>,
): ThreadState['madeFor'] {
  if (by === 'human' || by === undefined) return undefined;
  if (!cause) return { root: thread, depth: 0, wakes: 0 };
  // Side channels of earlier versions record the wakes spent, not the wakes left.
  const remaining = wakes ?? Math.max(0, (policy.wakes ?? WAKE_LIMITS.wakes) - (side_of?.spent ?? 0));
  return { root: cause.root, depth: cause.depth, wakes: remaining, ...(payer && { payer }) };
}

/** A human message reopens a thread that was done and restarts the time limit for agents (T8). */
function applySpeech(state: ThreadState, event: ThreadEvent): ThreadState {
  const next = withParticipant(state, event);
  if (event.meta.by !== 'human') return next;
  return {
    ...withoutMadeFor(next),
    lastHumanAt: event.ts,
    lastHuman: event.id,
    lastHumanSeq: event.seq,
    done: event.type === 'message' ? false : next.done,
  };
}

/** Once a human takes part, a thread made by an agent is like any other. */
function withoutMadeFor({ madeFor: _, ...state }: ThreadState): ThreadState {
  return state;
}

function withParticipant(state: ThreadState, event: Pick<Event, 'from' | 'meta'>): ThreadState {
  if (event.from === 'system') return state;
  const existing = getOwn(state.participants, event.from);
  const writer = participantAfterWriting(existing, event.meta.by) as Participant;
  return writer === existing ? state : { ...state, participants: { ...state.participants, [event.from]: writer } };
}

function taskOf(event: EventOf<typeof TaskPosted>): Task {
  const role = roleOfTask(event.content);
  return {
    author: event.from,
    to: event.to === 'all' ? [] : ([event.to].flat() as string[]),
    ...(role && { role }),
  };
}

function applyResult(state: ThreadState, event: EventOf<typeof ResultPosted>): ThreadState {
  const id = event.meta.reply_to ?? '';
  const task = getOwn(state.openTasks, id);
  if (!task) return state;
  if (resultStatusOf(event.content) !== 'claimed') return { ...state, openTasks: omitKeys(state.openTasks, id) };
  return { ...state, openTasks: { ...state.openTasks, [id]: { ...task, claimedBy: event.from } } };
}

function applyControl(state: ThreadState, event: EventOf<typeof ControlPosted>): ThreadState {
  const control = event.content;
  if ('mute' in control) {
    const muted = Object.fromEntries(control.mute.targets.map((id) => [id, control.mute.mode]));
    return { ...state, muted: { ...state.muted, ...muted } };
  }
  if ('unmute' in control) return { ...state, muted: omitKeys(state.muted, ...control.unmute.targets) };
  if ('pause' in control) return { ...state, paused: control.pause.on };
  if ('done' in control) return { ...state, done: true };
  if ('ttl_seconds' in control) return { ...state, ttlSeconds: control.ttl_seconds };
  if ('discussion' in control) {
    const { on, allow_agent_mentions = on } = control.discussion;
    return { ...state, discussion: { on, agentMentions: allow_agent_mentions } };
  }
  if ('invited_auto' in control) return { ...state, invitedAuto: control.invited_auto.on };
  if ('invite' in control)
    return mergeProfile(state, event, control.invite.participant_id, control.invite.profile, true);
  if ('uninvite' in control) {
    const id = control.uninvite.participant_id;
    const existing = getOwn(state.participants, id);
    return existing
      ? { ...state, participants: { ...state.participants, [id]: { ...existing, invited: false } } }
      : state;
  }
  if ('profile' in control) return mergeProfile(state, event, event.from, control.profile);
  if ('policy' in control) return { ...state, policy: control.policy as ThreadState['policy'] };
  if ('resume' in control) return event.meta.by === 'human' ? { ...state, resumed: event.seq } : state;
  if ('presence_log' in control) return { ...state, presenceLog: control.presence_log.on };
  if ('budget' in control)
    return { ...withoutMadeFor(state), budget: withoutZeros({ ...state.budget, ...control.budget }) };
  return state;
}

/** Setting a limit to 0 removes it (T5). */
function withoutZeros(budget: ThreadBudget): ThreadBudget {
  return Object.fromEntries(Object.entries(budget).filter(([, limit]) => limit !== 0));
}

function mergeProfile(
  state: ThreadState,
  event: EventOf<typeof ControlPosted>,
  id: string,
  profile: Profile,
  invited?: boolean,
): ThreadState {
  const { bare: _, ...existing }: Participant = getOwn(state.participants, id) ?? { invited: false, profile: {} };
  const allowed = allowedProfile(state, event, id, profile);
  const updated = {
    ...existing,
    invited: invited ?? existing.invited,
    ...(event.meta.bare && { bare: true as const }),
    profile: { ...existing.profile, ...allowed },
  };
  return { ...state, participants: { ...state.participants, [id]: updated } };
}

function omitKeys<T>(record: Readonly<Record<string, T>>, ...keys: readonly string[]): Record<string, T> {
  const copy = { ...record };
  for (const key of keys) delete copy[key];
  return copy;
}
