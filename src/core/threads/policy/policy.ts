import type { EventOf } from '../../events/define.ts';
import type { Event } from '../../events/event.ts';
import { trimEndWhile } from '../../text/trim-end.ts';
import { getOwn } from '../../util/get-own.ts';
import { dueReason, isAuditor } from '../audit/audit.ts';
import type { TaskPosted, ThreadEvent } from '../events.ts';
import { type Mentions, mentionsIn, NO_MENTIONS } from '../participants/mentions.ts';
import { roleOfTask } from '../posts/tasks.ts';
import type { Control } from '../schema.ts';
import { type Cause, participantKindOf, type ThreadState } from '../state.ts';
import { ttlRemaining } from '../view/view.ts';

/** The effect of an event on one participant, with the reason in words (T13, T17). */
export interface Delivery {
  readonly participant: string;
  readonly decision: 'wake' | 'queue' | 'no';
  readonly code: (typeof deliveryCodes)[number];
  readonly reason: string;
}

export const deliveryCodes = [
  'woken',
  'queued',
  'muted',
  'paused',
  'done',
  'ttl',
  'hop_limit',
  'empty_reply',
  'not_addressed',
  'not_invited',
] as const;

const SMALL_THREAD = 3;
/** Limits on what agents may cause by themselves, per human message, before a human must let them continue (T16). */
export const WAKE_LIMITS = { hops: 4, wakes: 16, each: 4 };

/** Replies without content: they are recorded but wake nobody (T16). */
const EMPTY_REPLIES: ReadonlySet<string> = new Set([
  '+1', 'agree', 'agreed', 'i agree', 'ok', 'okay', 'k', 'yes', 'yep', 'sure', 'thanks', 'thank you', 'thx', 'ty',
  'great', 'nice', 'good', 'perfect', 'done', 'noted', 'got it', 'understood', 'acknowledged', 'ack', 'same',
  'sounds good', 'looks good', 'lgtm', 'will do', 'no problem', "you're welcome", 'welcome', 'np',
]); // biome-ignore format: a list to be read as one

/**
 * Pure: the same state, event and time always give the same result, so history can be replayed. `state` is the state
 * after the event; `previousParticipants` are the participants before it.
 */
export function decideDeliveries(
  state: ThreadState,
  event: ThreadEvent,
  now: string,
  previousParticipants: ThreadState['participants'] = {},
): readonly Delivery[] {
  const agents = Object.keys(state.participants).filter(
    (id) => getOwn(state.participants, id)?.invited && participantKindOf(state, id) === 'agent',
  );
  const speakers = agents.filter((id) => !isAuditor(state, id) && !isBare(state, id));
  const audience = { ...audienceOf(state, event, speakers.length), before: previousParticipants };
  const deliveries = agents
    .filter((id) => id !== event.from)
    .map((id) => decideDelivery(state, event, now, id, audience));
  const uninvited = audience.named.filter(
    (id) => !getOwn(state.participants, id)?.invited && participantKindOf(state, id) === 'agent',
  );
  return [
    ...queueInTurn(deliveries, audience),
    ...uninvited.map((id) => noDelivery(id, 'not_invited', `${id} is not invited here`)),
  ];
}

/**
 * Whether only an agent has invited this id. A bare id does not make a thread count as large, and is woken only by what
 * is addressed to it (T13).
 */
function isBare({ participants }: ThreadState, id: string): boolean {
  return getOwn(participants, id)?.bare === true;
}

/** The cause of an event: the human message it goes back to, and the number of wakes in between (T16). */
export function causeOfEvent(state: ThreadState, event: Pick<Event, 'id' | 'from' | 'meta'>): Cause {
  if (event.meta.by === 'human') return { root: event.id, depth: 0 };
  return event.meta.cause ?? causeForParticipant(state, event.from);
}

/**
 * The cause of an agent's message is the cause of its last wake; without one, the last human message, or the cause for
 * which an agent made the thread.
 */
export function causeForParticipant({ routing, lastHuman, madeFor, id }: ThreadState, participant: string): Cause {
  const cause = getOwn(routing.causes, participant);
  if (cause) return cause;
  if (lastHuman !== undefined || !madeFor) return { root: lastHuman ?? id, depth: 0 };
  return { root: madeFor.root, depth: madeFor.depth };
}

/**
 * The number of wakes that an agent transfers to a thread it makes: half of those left here, and at least `minimum`.
 * They count as spent in the source thread, so that all threads together wake no more than one would have (T16).
 */
export function wakeShareFor(state: ThreadState, { root }: Cause, minimum = 0): number {
  const wakeCount = state.routing.spent.find((each) => each.root === root);
  if (!wakeCount && !isRecent(state, root)) return 0;
  const remaining = Math.max(0, (state.policy.wakes ?? WAKE_LIMITS.wakes) - (wakeCount?.wakes ?? 0));
  return Math.min(remaining, Math.max(minimum, Math.ceil(remaining / 2)));
}

/** The participants that an event addresses. */
interface Audience {
  readonly named: readonly string[];
  readonly mentioned: readonly string[];
  /** All mentions, whether or not they wake anyone. */
  readonly mentions: Mentions;
  /** The reason for waking everybody; undefined if not everybody is woken. */
  readonly everyone?: string;
}

interface AudienceBefore extends Audience {
  readonly before: ThreadState['participants'];
}

function audienceOf(state: ThreadState, event: ThreadEvent, agents: number): Audience {
  const named = event.to === 'all' ? [] : ([event.to].flat() as string[]);
  if (event.type !== 'message') return { named, mentioned: [], mentions: NO_MENTIONS };
  const byHuman = event.meta.by === 'human';
  const mentions = mentionsIn(state, event.content);
  const mentioned = byHuman || state.discussion.agentMentions ? mentions.ids : [];
  if (!byHuman || named.length > 0) return { named, mentioned, mentions };
  if (mentions.all) return { named, mentioned, mentions, everyone: `${event.from} addressed everybody` };
  if (mentions.ids.length > 0 || event.meta.unknown) return { named, mentioned, mentions };
  if (state.invitedAuto)
    return { named, mentioned, mentions, everyone: 'here, a human’s message wakes every invited agent' };
  const isSmall = state.policy.mode === 'small' || (state.policy.mode === 'auto' && agents <= SMALL_THREAD);
  return {
    named,
    mentioned,
    mentions,
    ...(isSmall && { everyone: 'in a small thread, a human’s message wakes every agent' }),
  };
}

function decideDelivery(
  state: ThreadState,
  event: ThreadEvent,
  now: string,
  id: string,
  audience: AudienceBefore,
): Delivery {
  if (getOwn(state.muted, id)) return noDelivery(id, 'muted', `${id} is muted`);
  if (getOwn(state.muted, event.from)) return noDelivery(id, 'muted', `${event.from}, who wrote this, is muted`);
  const wakingReason = wakeReason(state, event, id, audience);
  if (!wakingReason) {
    const isIdleAuditor = isAuditor(state, id) && event.type === 'message';
    const reason = isIdleAuditor
      ? 'an auditor waits until somebody asks it, or its message count is reached'
      : isBare(state, id) && audience.everyone !== undefined
        ? `an agent invited ${id}, and no human has profiled it`
        : notAddressedReason(event, id, audience);
    return noDelivery(id, 'not_addressed', reason);
  }
  if (event.meta.by !== 'human') {
    if (state.done) return noDelivery(id, 'done', 'the thread is done');
    if (state.ttlSeconds > 0 && ttlRemaining(state, now) === 0) {
      return noDelivery(id, 'ttl', `no human has written for ${state.ttlSeconds} seconds`);
    }
    if (isEmptyReply(event)) return noDelivery(id, 'empty_reply', 'a reply that says nothing new wakes nobody');
    const limit = limitReason(state, event, id);
    if (limit) return noDelivery(id, 'hop_limit', limit);
  }
  if (state.paused) {
    return {
      participant: id,
      decision: 'queue',
      code: 'paused',
      reason: 'the thread is paused; it is delivered when it resumes',
    };
  }
  return { participant: id, decision: 'wake', code: 'woken', reason: wakingReason };
}

function wakeReason(state: ThreadState, event: ThreadEvent, id: string, audience: AudienceBefore): string | undefined {
  if (event.type === 'control') return controlReason(event.content, id, audience);
  if (event.type !== 'message' && event.type !== 'task') return undefined;
  if (audience.named.includes(id)) return `${event.from} addressed ${id}`;
  if (event.type === 'task') return hasTaskRole(state, event, id) ? `the task is for a role of ${id}` : undefined;
  if (audience.mentioned.includes(id)) return `${event.from} mentioned ${id}`;
  const due = dueReason(state, id);
  if (due !== undefined) return due;
  // An auditor takes no part in the conversation (T21).
  if (isAuditor(state, id) && !audience.mentions.all) return undefined;
  return isBare(state, id) && !audience.mentions.all ? undefined : audience.everyone;
}

function limitReason(state: ThreadState, event: ThreadEvent, id: string): string | undefined {
  const { root, depth } = causeOfEvent(state, event);
  const { hops = WAKE_LIMITS.hops, wakes = WAKE_LIMITS.wakes } = state.policy;
  const hint = 'a human can let it continue';
  if (depth + 1 > hops) {
    const times = depth === 1 ? 'once' : `${depth} times in a row`;
    return `agents have woken each other ${times} since a human wrote; ${hint}`;
  }
  const wakeCount = state.routing.spent.find((each) => each.root === root);
  // A cause too old to be counted has expired.
  if (!wakeCount) return isRecent(state, root) ? undefined : `the message that started this is too old; ${hint}`;
  if (wakeCount.wakes >= wakes && state.madeFor?.root === root)
    return `no human has written in this thread, which ${state.creator} created; ${hint}`;
  if (wakeCount.wakes >= wakes)
    return `agents have woken each other ${wakeCount.wakes} times since a human wrote; ${hint}`;
  const times = getOwn(wakeCount.each, id) ?? 0;
  return times >= WAKE_LIMITS.each
    ? `${id} was woken ${times} times by agents since a human wrote; ${hint}`
    : undefined;
}

function isRecent(state: ThreadState, root: string): boolean {
  return state.routing.spent.length < MAX_ROOTS || root === state.lastHuman;
}

/** Maximum number of human messages with a wake count. */
export const MAX_ROOTS = 32;

function isEmptyReply(event: ThreadEvent): boolean {
  if (event.type !== 'message') return false;
  const rest = event.content.toLowerCase().replace(/^[\s"'“”.,!?…()*_-]+/u, '');
  const words = trimEndWhile(rest, (char) => /[\s"'“”.,!?…()*_-]/u.test(char));
  return words === '' || EMPTY_REPLIES.has(words.replace(/\s+/g, ' '));
}

/**
 * Several agents that hear the same message answer one after the other, so that they do not talk over each other (T13).
 */
function queueInTurn(deliveries: readonly Delivery[], { everyone }: Audience): readonly Delivery[] {
  const first = deliveries.find(({ decision }) => decision === 'wake');
  if (everyone === undefined || !first) return deliveries;
  return deliveries.map((each) => {
    if (each === first || each.decision !== 'wake') return each;
    const reason = `${each.reason}; next if ${first.participant} stays silent`;
    return { ...each, decision: 'queue', code: 'queued', reason };
  });
}

/** An invited participant is not woken by another invitation, which only changes its profile (T2). */
function controlReason(control: Control, id: string, { before }: AudienceBefore): string | undefined {
  if ('prod' in control && control.prod.includes(id)) return `${id} was asked to reply`;
  const isInvited = 'invite' in control && control.invite.participant_id === id;
  return isInvited && !getOwn(before, id)?.invited ? `${id} was invited` : undefined;
}

function hasTaskRole(state: ThreadState, task: EventOf<typeof TaskPosted>, id: string): boolean {
  const role = roleOfTask(task.content);
  return role !== undefined && (getOwn(state.participants, id)?.profile.roles?.includes(role) ?? false);
}

function notAddressedReason(event: ThreadEvent, id: string, { mentions: { ids, all } }: Audience): string {
  if (event.type === 'result') return 'a result wakes nobody';
  if (event.type !== 'message') return `a ${event.type} wakes only the participants it names`;
  if (event.to !== 'all') return 'it was addressed to others';
  if (event.meta.by === 'human')
    return ids.length > 0
      ? 'it mentions others'
      : (unknownNameReason(event) ?? 'this thread is large, and nobody was addressed');
  if (ids.includes(id)) return 'agents wake others by a mention only while discussion is on';
  return all ? 'only a human can address everybody' : 'an agent spoke to everyone';
}

/** Unknown names were determined when the message was posted, so that older messages keep their meaning (T27). */
function unknownNameReason({ meta: { unknown } }: ThreadEvent): string | undefined {
  return unknown
    ? `it mentions ${unknown.map((name) => `@${name}`).join(', ')}, and nobody here has that name`
    : undefined;
}

function noDelivery(participant: string, code: Delivery['code'], reason: string): Delivery {
  return { participant, decision: 'no', code, reason };
}
