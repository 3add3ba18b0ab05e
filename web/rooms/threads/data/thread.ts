import {
  HeddleRefusal,
  type StreamItem,
  type StreamState,
  type WireEvent,
  type WirePresence,
  type WireThreadState,
} from '../../../../src/client/index.ts';
import type { Control } from '../../../../src/core/threads/schema.ts';
import { isDifferentLog, streamWhileVisible } from '../../../data/follow.ts';
import { sleep } from '../../../data/room-loader.tsx';
import { client, describeError } from '../../../data/session.ts';
import { coalesce, createStore } from '../../../data/store.ts';
import { missingQuotes } from '../timeline/entries.ts';
import { createConversationRange } from './conversation.ts';
import { createEventRange } from './event-range.ts';
import { createOutbox } from './outbox.ts';

const RETRY_MS = 1_000;
/** Events come in bursts after a lost connection: they are shown together. */
const BURST_MS = 10;
const STATELESS_TYPES = new Set(['presence', 'notice.posted']);

/**
 * An open thread: its visible range, state, presence and outgoing messages. For a thread that also
 * has a room of its own, the range holds only the discussion.
 */
export function openThread(id: string, me: string, isDiscussion: boolean) {
  const remote = client.thread(id);
  const outbox = createOutbox(id, me);
  const { range, add, reportError, ...rangeReader } = (isDiscussion ? createConversationRange : createEventRange)(
    remote,
    onEventsShown,
  );
  const state = createStore<WireThreadState | undefined>(undefined);
  /** When agents must stop without a human's message; undefined without a limit (T8). */
  const deadline = createStore<number | undefined>(undefined);
  const presence = createStore<ReadonlyMap<string, WirePresence>>(new Map());
  const quotedEvents = createStore<ReadonlyMap<string, WireEvent>>(new Map());
  const connection = createStore<StreamState>('connecting');
  const liveEvents = createStore<readonly WireEvent[]>([]);
  const requestedQuotes = new Set<string>();
  /** Presence updates streamed while the presence list was loading: they are newer than the list. */
  let presenceUpdates: ReadonlyMap<string, WirePresence> = new Map();
  let stop = () => {};
  let pendingEvents: WireEvent[] = [];
  let isClosed = false;

  const refreshState = coalesce(async () => {
    await ignoreRefusal(async () => {
      const latest = (await remote.state()).state;
      deadline.set(latest.ttl_remaining === undefined ? undefined : Date.now() + latest.ttl_remaining * 1000);
      state.set(latest);
    });
  });
  const refreshPresence = coalesce(async () => {
    await ignoreRefusal(async () => {
      presenceUpdates = new Map();
      const present = (await remote.presence()).presence;
      presence.set(new Map([...present.map((entry) => [entry.participant, entry] as const), ...presenceUpdates]));
    });
  });

  async function open(event?: string): Promise<void> {
    while (!isClosed && range.get().phase === 'loading') {
      await Promise.all([event ? rangeReader.showEvent(event) : rangeReader.showNewest(), refreshState()]);
      if (range.get().phase === 'loading') await sleep(RETRY_MS);
    }
    if (isClosed || range.get().phase !== 'ready') return;
    follow();
  }

  function close(): void {
    isClosed = true;
    stop();
  }

  /** A hidden tab catches up when it becomes visible. */
  function follow(): void {
    stop = streamWhileVisible({ remote, after: rangeReader.after, onItem, onState: onStreamState, onRefusal });
  }

  function onItem(item: StreamItem): void {
    if (item.event) queueEvent(item.event);
    else if (item.live.type === 'presence.updated') updatePresence(item.live.content);
  }

  async function onRefusal(error: unknown): Promise<void> {
    reportError(error);
    if (!isDifferentLog(error)) return;
    stop();
    await rangeReader.showNewest();
    if (!isClosed) follow();
  }

  function onStreamState(now: StreamState): void {
    connection.set(now);
    if (now !== 'open') return;
    void outbox.sendPending();
    void refreshState();
    void refreshPresence();
  }

  function queueEvent(event: WireEvent): void {
    if (pendingEvents.push(event) === 1) setTimeout(flushEvents, BURST_MS);
  }

  function flushEvents(): void {
    const fresh = add(pendingEvents);
    pendingEvents = [];
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

  function updatePresence(entry: WirePresence): void {
    presenceUpdates = new Map(presenceUpdates).set(entry.participant, entry);
    presence.set((all) => new Map(all).set(entry.participant, entry));
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
    presence,
    /** Events replied to that are outside the range. */
    quotedEvents,
    connection,
    /** The newest live events, for screen reader announcements. */
    liveEvents,
    outbox,
    open,
    close,
  };
}

export type OpenThread = ReturnType<typeof openThread>;

/** Auxiliary data may fail silently: the stream brings it again. */
async function ignoreRefusal(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (error instanceof HeddleRefusal) describeError(error);
  });
}
