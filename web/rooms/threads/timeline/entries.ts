import { authorShown } from '../../../../src/core/events/event.ts';
import { resultText, statusOf } from '../../../../src/core/threads/posts/tasks.ts';
import type { Result } from '../../../../src/core/threads/schema.ts';
import type { WireThreadState } from '../../../../src/protocol/threads.ts';
import type { WireEvent } from '../../../../src/protocol/wire.ts';
import type { Missed } from '../data/unread-range.ts';
import { closedOf } from '../wording/wake.ts';

/** A row of the timeline. */
export interface Entry {
  readonly key: string;
  readonly event: WireEvent;
  readonly kind: 'message' | 'task' | 'result' | 'side.opened' | 'side.returned' | 'side.closed' | 'note';
  /** The same author went on: the name need not be repeated. */
  readonly goesOn: boolean;
  readonly isReply: boolean;
  /** What it answers, when that is near enough to be known. */
  readonly quoted: WireEvent | undefined;
  /** By someone softly muted: kept, and folded (T7). */
  readonly isFolded: boolean;
  readonly isFirstNew: boolean;
  readonly task: TaskState | undefined;
  /** A human said it where agents are, and none has answered or is at it. */
  readonly isUnanswered: boolean;
  /** What was drafted, where this says that it was put away. */
  readonly drafted: WireEvent | undefined;
  /** What told of the end of a wake by which this was written: it says what was used. */
  readonly used: WireEvent | undefined;
}

export interface TaskState {
  readonly state: 'open' | 'claimed' | 'done' | 'failed' | 'cancelled' | 'finished';
  readonly by?: string;
}

export interface Around {
  readonly state: WireThreadState | undefined;
  readonly me: string;
  /** Undefined when nothing counts as new. */
  readonly missed: Missed | undefined;
  /** Events replied to that are not among those loaded. */
  readonly elsewhere: ReadonlyMap<string, WireEvent>;
}

const GOES_ON_MS = 5 * 60_000;
const SPOKEN = new Set(['message', 'task', 'result']);

export function entriesOf(events: readonly WireEvent[], { state, me, missed, elsewhere }: Around): readonly Entry[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  const results = resultsOf(events);
  const mutedSince = softMutes(events, state);
  const unanswered = unansweredIn(events, state);
  const isMissed = ({ seq }: WireEvent) => missed !== undefined && seq > missed.after && seq <= missed.upTo;
  const firstNew = events.find((event) => isMissed(event) && event.from !== me && isShown(event));
  let before: Entry | undefined;
  return events.filter(isShown).map((event): Entry => {
    const kind = kindOf(event);
    const replyTo = SPOKEN.has(event.type) ? event.meta.reply_to : undefined;
    const since = mutedSince.get(event.from);
    const entry: Entry = {
      key: event.meta.command && event.type === 'message' ? `${event.from}/${event.meta.command}` : event.id,
      event,
      kind,
      goesOn: kind === 'message' && !replyTo && event !== firstNew && continues(before, event),
      isReply: replyTo !== undefined,
      quoted: replyTo ? (byId.get(replyTo) ?? elsewhere.get(replyTo)) : undefined,
      isFolded: SPOKEN.has(kind) && since !== undefined && event.seq > since,
      isFirstNew: event === firstNew,
      drafted: event.type === 'draft.settled' ? draftedIn(events, event) : undefined,
      isUnanswered: unanswered.has(event.id),
      used: kind === 'message' ? usedFor(bySeq.get(event.seq - 1), event) : undefined,
      task: kind === 'task' ? taskState(event, state, results.get(event.id)) : undefined,
    };
    before = entry;
    return entry;
  });
}

/** The rows as they are now, each the very one it was where nothing of it has changed: it need not be drawn again. */
export function keptEntries(before: readonly Entry[], now: readonly Entry[]): readonly Entry[] {
  const known = new Map(before.map((entry) => [entry.key, entry]));
  return now.map((entry) => {
    const old = known.get(entry.key);
    return old && isSame(old, entry) ? old : entry;
  });
}

function isSame(one: Entry, other: Entry): boolean {
  return (Object.keys(one) as (keyof Entry)[]).every((field) =>
    field === 'task'
      ? one.task?.state === other.task?.state && one.task?.by === other.task?.by
      : one[field] === other[field],
  );
}

/** Replies to events outside: worth asking the server for. */
export function missingQuotes(events: readonly WireEvent[]): readonly string[] {
  const ids = new Set(events.map((event) => event.id));
  const asked = events.flatMap((event) => (SPOKEN.has(event.type) && event.meta.reply_to ? [event.meta.reply_to] : []));
  return [...new Set(asked)].filter((id) => !ids.has(id));
}

export function textOf(event: WireEvent): string {
  const { content } = event;
  if (typeof content === 'string') return content;
  if (event.type === 'result') return resultText(content ?? {});
  const { text, question, summary } = (content ?? {}) as { text?: unknown; question?: unknown; summary?: unknown };
  const said = text ?? question ?? summary ?? '';
  return typeof said === 'string' ? said : JSON.stringify(said);
}

function kindOf({ type }: WireEvent): Entry['kind'] {
  if (type === 'message' || type === 'task' || type === 'result') return type;
  return type === 'side.opened' || type === 'side.returned' || type === 'side.closed' ? type : 'note';
}

/** A rename is told once, by the fact and not by the wish; an answer and a draft that was posted by their words. */
function isShown(event: WireEvent): boolean {
  const { type, content } = event;
  if (closedOf(event)?.outcome === 'answered') return false;
  if (type === 'wake.waiting') return false; // It stands at the end while it waits.
  if (type === 'draft.proposed') return false; // While it is open it stands at the end.
  if (type === 'draft.settled') return (content as { outcome: string }).outcome !== 'accepted';
  return !(type === 'control' && typeof content === 'object' && content !== null && 'rename' in content);
}

function unansweredIn(events: readonly WireEvent[], state: WireThreadState | undefined): ReadonlySet<string> {
  const unanswered = new Set<string>();
  const isAgent = ({ invited, profile }: WireThreadState['participants'][number]) =>
    invited && profile.kind !== 'human' && profile.kind !== 'automation';
  if (!state?.participants.some(isAgent)) return unanswered;
  const awaited = new Set(state.wakes.map(({ event }) => event));
  let answeredUpTo = 0;
  let spoken = false;
  for (const event of events.toReversed()) {
    const closed = closedOf(event);
    if (closed?.outcome === 'answered') answeredUpTo = Math.max(answeredUpTo, closed.up_to);
    if (!SPOKEN.has(event.type)) continue;
    const isAsked = event.meta.by === 'human' && event.type === 'message';
    if (isAsked && !spoken && event.seq > answeredUpTo && !awaited.has(event.id)) unanswered.add(event.id);
    // An agent's words answer the human's before them, whichever way the agent came by them.
    spoken = event.meta.by === 'agent';
  }
  return unanswered;
}

function draftedIn(events: readonly WireEvent[], settled: WireEvent): WireEvent | undefined {
  const indexOf = ({ content }: WireEvent) => (content as { index: number }).index;
  return events.find((event) => event.type === 'draft.proposed' && indexOf(event) === indexOf(settled));
}

function usedFor(before: WireEvent | undefined, event: WireEvent): WireEvent | undefined {
  const isFor = event.meta.by === 'agent' && before && closedOf(before)?.participant === event.from;
  return isFor ? before : undefined;
}

function continues(before: Entry | undefined, event: WireEvent): boolean {
  if (before?.kind !== 'message' || authorShown(before.event) !== authorShown(event) || before.isFolded) return false;
  if (String(before.event.to) !== String(event.to)) return false;
  return Date.parse(event.ts) - Date.parse(before.event.ts) < GOES_ON_MS;
}

function resultsOf(events: readonly WireEvent[]): Map<string, WireEvent> {
  const results = new Map<string, WireEvent>();
  for (const event of events)
    if (event.type === 'result' && event.meta.reply_to) results.set(event.meta.reply_to, event);
  return results;
}

/** The outcome a result gives its task. */
export function outcomeOf(result: WireEvent): Exclude<TaskState['state'], 'open' | 'finished'> {
  return statusOf(result.content as Result);
}

function taskState(task: WireEvent, state: WireThreadState | undefined, result: WireEvent | undefined): TaskState {
  if (result) return { state: outcomeOf(result), by: result.from };
  const open = state?.open_tasks.find(({ id }) => id === task.id);
  if (open) return open.claimedBy ? { state: 'claimed', by: open.claimedBy } : { state: 'open' };
  return { state: state ? 'finished' : 'open' };
}

/** From which seq on each softly muted participant's words are folded: since its mute, or all that is loaded. */
function softMutes(events: readonly WireEvent[], state: WireThreadState | undefined): Map<string, number> {
  const soft = state?.participants.filter(({ muted }) => muted === 'soft').map(({ id }) => id) ?? [];
  const since = new Map(soft.map((id) => [id, 0]));
  for (const { type, content, seq } of events) {
    const mute =
      type === 'control' && typeof content === 'object'
        ? (content as { mute?: { targets: string[] } }).mute
        : undefined;
    for (const id of mute?.targets ?? []) if (since.has(id)) since.set(id, seq);
  }
  return since;
}
