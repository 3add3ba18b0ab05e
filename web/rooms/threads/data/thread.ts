import { HeddleRefusal, type WireEvent, type WireThreadState } from '../../../../src/client/index.ts';
import type { Control } from '../../../../src/core/threads/schema.ts';
import { connection } from '../../../data/connection.ts';
import { openRoom } from '../../../data/room.ts';
import { describeError } from '../../../data/session.ts';
import { coalesce, createStore } from '../../../data/store.ts';
import { missingQuotes } from '../timeline/entries.ts';
import { createConversationRange } from './conversation.ts';
import { createEventRange } from './event-range.ts';
import { createOutbox } from './outbox.ts';

const STATELESS_TYPES = new Set(['presence', 'notice.posted']);

/**
 * An open thread: its visible range, state, presence and outgoing messages. For a thread that also
 * has a room of its own, the range holds only the discussion.
 */
export function openThread(id: string, me: string, isDiscussion: boolean) {
  const room = openRoom(id, { load, onEvents, onConnect });
  const { remote, presence } = room;
  const outbox = createOutbox(id, me);
  const { range, add, headSeq, ...rangeReader } = (isDiscussion ? createConversationRange : createEventRange)(
    remote,
    onEventsShown,
  );
  const state = createStore<WireThreadState | undefined>(undefined);
  /** When agents must stop without a human's message; undefined without a limit (T8). */
  const deadline = createStore<number | undefined>(undefined);
  const quotedEvents = createStore<ReadonlyMap<string, WireEvent>>(new Map());
  const liveEvents = createStore<readonly WireEvent[]>([]);
  const requestedQuotes = new Set<string>();
  let target: string | undefined;

  const refreshState = coalesce(async () => {
    await ignoreRefusal(async () => {
      const latest = (await remote.state()).state;
      deadline.set(latest.ttl_remaining === undefined ? undefined : Date.now() + latest.ttl_remaining * 1000);
      state.set(latest);
    });
  });

  function open(event?: string): Promise<void> {
    target = event;
    return room.open();
  }

  async function load(): Promise<number | undefined> {
    await Promise.all([
      target === undefined ? rangeReader.showNewest() : rangeReader.showEvent(target),
      refreshState(),
    ]);
    const { phase } = range.get();
    if (phase === 'missing') room.close();
    if (phase !== 'ready') return undefined;
    target = undefined;
    return headSeq();
  }

  function onConnect(): void {
    void outbox.sendPending();
    void refreshState();
    void presence.refresh();
  }

  function onEvents(events: readonly WireEvent[]): void {
    const fresh = add(events);
    if (fresh.length === 0) return;
    outbox.settle(fresh);
    liveEvents.set(fresh);
    const participantIds = new Set(state.get()?.participants.map((participant) => participant.id));
    const affectsState = fresh.some(
      ({ type, from }) => (type === 'message' ? hasAgents() : !STATELESS_TYPES.has(type)) || !participantIds.has(from),
    );
    if (affectsState || state.get()?.done || deadline.get() !== undefined) void refreshState();
  }

  /** If agents are invited, a message may wake them. */
  function hasAgents(): boolean {
    return state.get()?.participants.some(({ invited, profile }) => invited && profile.kind !== 'human') ?? false;
  }

  function onEventsShown(events: readonly WireEvent[]): void {
    outbox.settle(events);
    for (const quoteId of missingQuotes(events)) void fetchQuote(quoteId);
  }

  async function fetchQuote(event: string): Promise<void> {
    if (requestedQuotes.has(event)) return;
    requestedQuotes.add(event);
    await ignoreRefusal(async () => {
      const quoted = (await remote.event(event)).event;
      quotedEvents.set((all) => new Map(all).set(event, quoted));
    });
  }

  /** Posts controls one at a time and stops at the first refusal. */
  async function control(controls: readonly Control[]): Promise<true> {
    for (const content of controls) await remote.post({ type: 'control', content });
    return true;
  }

  return {
    ...rangeReader,
    id,
    me,
    remote,
    control,
    range,
    state,
    deadline,
    presence: presence.list,
    /** Events replied to that are outside the range. */
    quotedEvents,
    connection,
    /** The newest live events, for screen reader announcements. */
    liveEvents,
    outbox,
    open,
    close: room.close,
  };
}

export type OpenThread = ReturnType<typeof openThread>;

/** Auxiliary data may fail silently: the stream brings it again. */
async function ignoreRefusal(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (error instanceof HeddleRefusal) describeError(error);
  });
}
