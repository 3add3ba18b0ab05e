import { HeddleRefusal, type WireEvent } from '../../../../src/client/index.ts';
import type { Control } from '../../../../src/core/threads/schema.ts';
import { connection } from '../../../data/connection.ts';
import { openRoom } from '../../../data/room.ts';
import { describeError } from '../../../data/session.ts';
import { createStore } from '../../../data/store.ts';
import { missingQuotes } from '../timeline/entries.ts';
import { createConversationRange } from './conversation.ts';
import { createEventRange } from './event-range.ts';
import { createOutbox } from './outbox.ts';
import { createThreadState } from './thread-state.ts';

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
  const { state, deadline, ...stateFold } = createThreadState(remote);
  const quotedEvents = createStore<ReadonlyMap<string, WireEvent>>(new Map());
  const liveEvents = createStore<readonly WireEvent[]>([]);
  const requestedQuotes = new Set<string>();
  const watched = new Set<string>();
  let target: string | undefined;

  function open(event?: string): Promise<void> {
    target = event;
    return room.open();
  }

  async function load(isNewLog: boolean): Promise<number | undefined> {
    if (isNewLog) rangeReader.forget();
    const [stateSeq] = await Promise.all([
      stateFold.load().catch(() => undefined),
      target === undefined ? rangeReader.showNewest() : rangeReader.showEvent(target),
    ]);
    const { phase } = range.get();
    if (phase === 'missing') room.close();
    if (phase !== 'ready' || stateSeq === undefined) return undefined;
    target = undefined;
    return Math.min(stateSeq, headSeq());
  }

  function onConnect(): void {
    void outbox.sendPending();
    void presence.refresh();
  }

  function onEvents(events: readonly WireEvent[]): void {
    const writers = new Set(room.liveTexts.get().map(({ from }) => from));
    for (const { id, from, type } of events) if (type === 'message' && writers.has(from)) watched.add(id);
    stateFold.apply(events);
    const fresh = add(events);
    if (fresh.length === 0) return;
    outbox.settle(fresh);
    liveEvents.set(fresh);
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
    loadState: room.loadState,
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
    /** What models write right now. */
    liveTexts: room.liveTexts,
    /** Ids of messages that were seen being written. */
    watched,
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
