import { authorLabelOf } from '../../../../src/core/events/event.ts';
import { readEvent } from '../../../../src/core/events/read.ts';
import { controlOf, threadContent } from '../../../../src/core/threads/content.ts';
import type { ThreadEvent } from '../../../../src/core/threads/events.ts';
import { resultStatusOf, resultTextOf } from '../../../../src/core/threads/posts/tasks.ts';
import type { WireThreadState } from '../../../../src/protocol/threads.ts';
import type { WireEvent } from '../../../../src/protocol/wire.ts';
import type { UnreadRange } from '../data/unread-range.ts';
import { withVersions } from '../data/versions.ts';
import { wakeClosureOf } from '../wording/wake.ts';

/** A row of the timeline. */
export interface TimelineEntry {
  readonly key: string;
  readonly event: WireEvent;
  readonly kind: 'message' | 'task' | 'result' | 'side.opened' | 'side.returned' | 'side.closed' | 'note' | 'cut';
  /** The previous entry has the same author, so the name is not repeated. */
  readonly isContinuation: boolean;
  readonly isReply: boolean;
  /** The event it replies to, if that one is loaded. */
  readonly quoted: WireEvent | undefined;
  /** By a softly muted participant: kept, but folded (T7). */
  readonly isFolded: boolean;
  readonly isFirstNew: boolean;
  /** The first of its day. */
  readonly isFirstOfDay: boolean;
  /** The row above is what it answers, so that it is not quoted. */
  readonly isBelowQuoted: boolean;
  /** Its author has answered the same message before (T39). */
  readonly isAnotherReply: boolean;
  /** It grew before the reader's eyes, so it stays unfolded however long it is. */
  readonly wasWatched: boolean;
  readonly task: TaskState | undefined;
  /** A human's message in a thread with agents that none has answered or is answering. */
  readonly isUnanswered: boolean;
  /** The draft, if this entry says that it was dismissed. */
  readonly draft: WireEvent | undefined;
  /** The event that closed the wake that wrote this entry: it reports the usage. */
  readonly usageEvent: WireEvent | undefined;
}

export interface TaskState {
  readonly state: 'open' | 'claimed' | 'done' | 'failed' | 'cancelled' | 'finished';
  readonly by?: string;
}

export interface EntryContext {
  readonly state: WireThreadState | undefined;
  readonly me: string;
  /** Undefined when nothing counts as unread. */
  readonly unread: UnreadRange | undefined;
  /** Events replied to that are not among those loaded. */
  readonly quotedEvents: ReadonlyMap<string, WireEvent>;
  /** The first of these events is the first of the thread. */
  readonly atStart?: boolean;
  /** Ids of messages that were seen being written. */
  readonly watched?: ReadonlySet<string>;
}

const CONTINUATION_MS = 5 * 60_000;
const TEXT_TYPES = new Set(['message', 'task', 'result']);

export function buildEntries(
  loaded: readonly WireEvent[],
  { state, me, unread, quotedEvents, atStart = false, watched }: EntryContext,
): readonly TimelineEntry[] {
  const events = withVersions(loaded);
  const byId = new Map(events.map((event) => [event.id, event]));
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  const results = resultsByTask(events);
  const mutedSince = softMutes(events, state);
  const unanswered = findUnanswered(events, state);
  const isUnread = ({ seq }: WireEvent) => unread !== undefined && seq > unread.after && seq <= unread.upTo;
  const cuts = findCuts(events, state);
  const isRow = (event: WireEvent) => isShown(event) || cuts.has(event.id);
  const firstNew = events.find((event) => isUnread(event) && event.from !== me && isRow(event));
  const replies = new Set<string>();
  let previous: TimelineEntry | undefined;
  return events.filter(isRow).map((event): TimelineEntry => {
    const kind = cuts.has(event.id) ? 'cut' : entryKind(event);
    const replyTo = TEXT_TYPES.has(event.type) ? event.meta.reply_to : undefined;
    const since = mutedSince.get(event.from);
    const reply = `${authorLabelOf(event)} ${replyTo}`;
    const isAnotherReply = replyTo !== undefined && event.meta.by === 'agent' && replies.has(reply);
    replies.add(reply);
    const entry: TimelineEntry = {
      key: event.meta.command && event.type === 'message' ? `${event.from}/${event.meta.command}` : event.id,
      event,
      kind,
      isContinuation: kind === 'message' && !replyTo && event !== firstNew && isContinuation(previous, event),
      isReply: replyTo !== undefined,
      quoted: replyTo ? (byId.get(replyTo) ?? quotedEvents.get(replyTo)) : undefined,
      isFolded: TEXT_TYPES.has(kind) && since !== undefined && event.seq > since,
      isFirstNew: event === firstNew,
      isFirstOfDay: previous ? dayOf(previous.event) !== dayOf(event) : atStart,
      isBelowQuoted: replyTo !== undefined && event.meta.by === 'agent' && previous?.event.id === replyTo,
      isAnotherReply,
      wasWatched: watched?.has(event.id) ?? false,
      draft: event.type === 'draft.settled' ? findDraft(events, event) : undefined,
      isUnanswered: unanswered.has(event.id),
      usageEvent: kind === 'message' ? findUsageEvent(bySeq.get(event.seq - 1), event) : undefined,
      task: kind === 'task' ? taskState(event, state, results.get(event.id)) : undefined,
    };
    previous = entry;
    return entry;
  });
}

/** The current entries. Unchanged ones keep their identity, so that they are not drawn again. */
export function reuseEntries(
  before: readonly TimelineEntry[],
  now: readonly TimelineEntry[],
): readonly TimelineEntry[] {
  const previousByKey = new Map(before.map((entry) => [entry.key, entry]));
  return now.map((entry) => {
    const old = previousByKey.get(entry.key);
    return old && isSame(old, entry) ? old : entry;
  });
}

function isSame(one: TimelineEntry, other: TimelineEntry): boolean {
  return (Object.keys(one) as (keyof TimelineEntry)[]).every((field) =>
    field === 'task'
      ? one.task?.state === other.task?.state && one.task?.by === other.task?.by
      : one[field] === other[field],
  );
}

/** Events replied to that are not loaded and must be fetched. */
export function missingQuotes(events: readonly WireEvent[]): readonly string[] {
  const ids = new Set(events.map((event) => event.id));
  const replyTargets = events.flatMap((event) =>
    TEXT_TYPES.has(event.type) && event.meta.reply_to ? [event.meta.reply_to] : [],
  );
  return [...new Set(replyTargets)].filter((id) => !ids.has(id));
}

/** The text of an event; empty if it has none. */
export function eventText(stored: WireEvent): string {
  if (stored.edited) return stored.edited.text;
  if (stored.content === null) return '';
  const event = readEvent<ThreadEvent>(stored);
  if (typeof event.content === 'string') return event.content;
  switch (event.type) {
    case 'result':
      return resultTextOf(event.content);
    case 'task':
    case 'draft.proposed':
    case 'notice.posted':
      return event.content.text;
    case 'draft.settled':
      return event.content.text ?? '';
    case 'side.opened':
      return event.content.question;
    case 'side.closed':
    case 'side.returned':
      return event.content.summary;
    default:
      return '';
  }
}

/**
 * Events with words that a model had written when it was cut off: the newest of each answer, unless the answer has come
 * since or is being written again.
 */
function findCuts(events: readonly WireEvent[], state: WireThreadState | undefined): ReadonlySet<string> {
  const cuts = new Map<string, string>();
  for (const event of events) {
    const content = threadContent(event, 'wake.waiting') ?? wakeClosureOf(event);
    if (!content) continue;
    const key = `${content.participant} ${content.event}`;
    if ('outcome' in content && content.outcome !== 'failed' && content.outcome !== 'stopped') cuts.delete(key);
    else if (content.partial) cuts.set(key, event.id);
  }
  const isRetrying = (key: string) =>
    state?.wakes.some(({ participant, event, waiting }) => `${participant} ${event}` === key && !waiting);
  return new Set([...cuts].flatMap(([key, id]) => (isRetrying(key) ? [] : id)));
}

/** What a model had written when it was cut off. */
export function partialTextOf(event: WireEvent): string {
  return (threadContent(event, 'wake.waiting') ?? wakeClosureOf(event))?.partial ?? '';
}

function dayOf({ ts }: WireEvent): string {
  return new Date(ts).toDateString();
}

function entryKind({ type }: WireEvent): TimelineEntry['kind'] {
  if (type === 'message' || type === 'task' || type === 'result') return type;
  return type === 'side.opened' || type === 'side.returned' || type === 'side.closed' ? type : 'note';
}

/**
 * Shows a rename once, by the event it caused and not by the control. Shows an answer or a posted
 * draft by its message.
 */
function isShown(event: WireEvent): boolean {
  const { type } = event;
  if (wakeClosureOf(event)?.outcome === 'answered') return false;
  if (type === 'message.versioned') return false; // Shown as the text of its message.
  if (type === 'wake.waiting') return false; // Shown at the end while it waits.
  if (type === 'draft.proposed') return false; // Shown at the end while it is open.
  if (type === 'draft.settled') return threadContent(event, 'draft.settled')?.outcome !== 'accepted';
  const control = controlOf(event);
  return !(control && 'rename' in control);
}

function findUnanswered(events: readonly WireEvent[], state: WireThreadState | undefined): ReadonlySet<string> {
  const unanswered = new Set<string>();
  const isAgent = ({ invited, profile }: WireThreadState['participants'][number]) =>
    invited && profile.kind !== 'human' && profile.kind !== 'automation';
  if (!state?.participants.some(isAgent)) return unanswered;
  const awaitedEvents = new Set(state.wakes.map(({ event }) => event));
  let answeredUpTo = 0;
  let isAgentReply = false;
  for (const event of events.toReversed()) {
    const closure = wakeClosureOf(event);
    if (closure?.outcome === 'answered') answeredUpTo = Math.max(answeredUpTo, closure.up_to);
    if (!TEXT_TYPES.has(event.type)) continue;
    const isHumanMessage = event.meta.by === 'human' && event.type === 'message';
    if (isHumanMessage && !isAgentReply && event.seq > answeredUpTo && !awaitedEvents.has(event.id))
      unanswered.add(event.id);
    // An agent's message answers the human's message before it, whatever caused the agent to write.
    isAgentReply = event.meta.by === 'agent';
  }
  return unanswered;
}

function findDraft(events: readonly WireEvent[], settlement: WireEvent): WireEvent | undefined {
  const index = threadContent(settlement, 'draft.settled')?.index;
  return events.find((event) => threadContent(event, 'draft.proposed')?.index === index);
}

function findUsageEvent(previous: WireEvent | undefined, event: WireEvent): WireEvent | undefined {
  const isOwnWake = event.meta.by === 'agent' && previous && wakeClosureOf(previous)?.participant === event.from;
  return isOwnWake ? previous : undefined;
}

function isContinuation(previous: TimelineEntry | undefined, event: WireEvent): boolean {
  if (
    previous?.kind !== 'message' ||
    dayOf(previous.event) !== dayOf(event) ||
    authorLabelOf(previous.event) !== authorLabelOf(event) ||
    previous.isFolded
  )
    return false;
  if (String(previous.event.to) !== String(event.to)) return false;
  return Date.parse(event.ts) - Date.parse(previous.event.ts) < CONTINUATION_MS;
}

function resultsByTask(events: readonly WireEvent[]): Map<string, WireEvent> {
  const results = new Map<string, WireEvent>();
  for (const event of events)
    if (event.type === 'result' && event.meta.reply_to) results.set(event.meta.reply_to, event);
  return results;
}

/** The outcome a result gives its task. */
export function taskOutcome(result: WireEvent): Exclude<TaskState['state'], 'open' | 'finished'> {
  return resultStatusOf(threadContent(result, 'result') ?? '');
}

function taskState(task: WireEvent, state: WireThreadState | undefined, result: WireEvent | undefined): TaskState {
  if (result) return { state: taskOutcome(result), by: result.from };
  const openTask = state?.open_tasks.find(({ id }) => id === task.id);
  if (openTask) return openTask.claimedBy ? { state: 'claimed', by: openTask.claimedBy } : { state: 'open' };
  return { state: state ? 'finished' : 'open' };
}

/** For each softly muted participant, the seq from which messages are folded: its mute, or the first loaded event. */
function softMutes(events: readonly WireEvent[], state: WireThreadState | undefined): Map<string, number> {
  const softMuted = state?.participants.filter(({ muted }) => muted === 'soft').map(({ id }) => id) ?? [];
  const since = new Map(softMuted.map((id) => [id, 0]));
  for (const event of events) {
    const control = controlOf(event);
    if (!control || !('mute' in control)) continue;
    for (const id of control.mute.targets) if (since.has(id)) since.set(id, event.seq);
  }
  return since;
}
