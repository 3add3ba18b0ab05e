import {
  HeddleRefusal,
  type StreamState,
  type WireEvent,
  type WirePresence,
  type WireThreadState,
} from '../../src/client/index.ts';
import { cursorOf, placeOf } from '../../src/protocol/cursor.ts';
import { client, sentenceFor } from '../session.ts';
import { createStore, oneAtATime } from '../store.ts';
import { missingQuotes } from './entries.ts';
import { createOutbox } from './outbox.ts';

/** A stretch of a thread's events, without gaps. */
export interface Stretch {
  readonly phase: 'loading' | 'ready' | 'missing';
  readonly events: readonly WireEvent[];
  readonly atStart: boolean;
  /** Whether it reaches the newest event, and new ones are added to it. */
  readonly atEnd: boolean;
  /** The last thing that went wrong while reading, as a sentence. */
  readonly problem?: string;
}

const PAGE = 100;
const AGAIN_MS = 1_000;
/** More than this is never kept: a thread of any length costs the same. */
const LONGEST = 500;
const NEVER_STATE = new Set(['message', 'presence', 'notice.posted']);

/** One thread as it is being read: its newest events first, older ones when asked for, new ones as they happen. */
export function openThread(id: string, me: string) {
  const remote = client.thread(id);
  const stretch = createStore<Stretch>({ phase: 'loading', events: [], atStart: false, atEnd: false });
  const state = createStore<WireThreadState | undefined>(undefined);
  /** Until when agents may go on by themselves; undefined without a limit (T8). */
  const deadline = createStore<number | undefined>(undefined);
  const presence = createStore<ReadonlyMap<string, WirePresence>>(new Map());
  const elsewhere = createStore<ReadonlyMap<string, WireEvent>>(new Map());
  const connection = createStore<StreamState>('connecting');
  const heard = createStore<readonly WireEvent[]>([]);
  const outbox = createOutbox(id, me);
  const asked = new Set<string>();
  let following: AbortController | undefined;
  let reading: Promise<void> | undefined;
  let arrivals: WireEvent[] = [];
  let newestSeq = 0;
  let closed = false;

  const refreshState = oneAtATime(async () => {
    await quietly(async () => {
      const now = (await remote.state()).state;
      deadline.set(now.ttl_remaining === undefined ? undefined : Date.now() + now.ttl_remaining * 1000);
      state.set(now);
    });
  });
  const refreshPresence = oneAtATime(async () => {
    await quietly(async () => {
      const here = (await remote.presence()).presence;
      presence.set(new Map(here.map((entry) => [entry.participant, entry])));
    });
  });

  async function open(event?: string): Promise<void> {
    while (!closed && stretch.get().phase === 'loading') {
      await Promise.all([event ? showEvent(event) : showNewest(), refreshState()]);
      if (stretch.get().phase === 'loading') await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
    if (closed || stretch.get().phase !== 'ready') return;
    document.addEventListener('visibilitychange', followWhileSeen);
    followWhileSeen();
  }

  function close(): void {
    closed = true;
    document.removeEventListener('visibilitychange', followWhileSeen);
    following?.abort();
    following = undefined;
  }

  /** Being connected is being there: a tab nobody looks at is not (T3). It catches up when it is looked at. */
  function followWhileSeen(): void {
    if (document.visibilityState === 'visible') follow();
    else {
      following?.abort();
      following = undefined;
    }
  }

  function follow(): void {
    if (following) return;
    following = new AbortController();
    void read(following.signal);
  }

  async function read(signal: AbortSignal): Promise<void> {
    const { events, atEnd } = stretch.get();
    const after = atEnd ? cursorOf('thread', events.at(-1)?.seq ?? 0) : 'head';
    try {
      for await (const item of remote.stream({ after, signal, onState: connected })) {
        if (item.event) hear(item.event);
        else if (item.live.type === 'presence.updated') sawPresence(item.live.content as WirePresence);
      }
    } catch (error) {
      fail(error);
    }
  }

  function connected(now: StreamState): void {
    connection.set(now);
    if (now !== 'open') return;
    void outbox.sendWaiting();
    void refreshState();
    void refreshPresence();
  }

  /** Many may come at once, after a connection was lost: they are shown together. */
  function hear(event: WireEvent): void {
    newestSeq = Math.max(newestSeq, event.seq);
    if (arrivals.push(event) === 1) setTimeout(arrive, 10);
  }

  function arrive(): void {
    const fresh = arrivals;
    arrivals = [];
    const { events, atEnd } = stretch.get();
    const last = events.at(-1)?.seq ?? 0;
    const next = fresh.filter(({ seq }) => seq > last);
    if (next.length === 0) return;
    outbox.settle(next);
    heard.set(next);
    if (atEnd) {
      const joins = next[0]?.seq === last + 1;
      put(joins ? [...events, ...next] : events, { atEnd: joins });
      if (!joins) void showNewer();
    }
    const known = new Set(state.get()?.participants.map((participant) => participant.id));
    const changes = next.some(({ type, from }) => !NEVER_STATE.has(type) || !known.has(from));
    if (changes || state.get()?.done || deadline.get() !== undefined) void refreshState();
  }

  function sawPresence(entry: WirePresence): void {
    presence.set((all) => new Map(all).set(entry.participant, entry));
  }

  /** The end of the thread, whatever was shown before. */
  function showNewest(): Promise<void> {
    return reads(async () => {
      const page = await remote.events({ before: 'head', limit: PAGE });
      put(page.events, { atEnd: true });
    });
  }

  /** The stretch around one event; its beginning and end are read when scrolled to. */
  function showEvent(event: string): Promise<void> {
    if (stretch.get().events.some(({ id }) => id === event)) return Promise.resolve();
    return reads(async () => {
      const found = await remote.event(event).catch((error: unknown) => {
        if (error instanceof HeddleRefusal && error.code === 'unknown_event') return undefined;
        throw error;
      });
      const end = found ? Math.min(found.event.seq + PAGE / 2, Number(placeOf('thread', found.head))) : undefined;
      const page = await remote.events({ before: end ? cursorOf('thread', end) : 'head', limit: PAGE });
      put(page.events, { atEnd: reaches(page.events, page.head) });
      if (!found) stretch.set((now) => ({ ...now, problem: 'What this address points at is not in this thread.' }));
    });
  }

  function showOlder(): Promise<void> {
    const { events, atStart, phase } = stretch.get();
    const first = events[0];
    if (atStart || !first || phase !== 'ready') return Promise.resolve();
    return reads(async () => {
      const page = await remote.events({ before: cursorOf('thread', first.seq - 1), limit: PAGE });
      const all = [...page.events, ...stretch.get().events];
      put(all.slice(0, LONGEST), { atEnd: stretch.get().atEnd && all.length <= LONGEST });
    });
  }

  function showNewer(): Promise<void> {
    const { events, atEnd, phase } = stretch.get();
    const last = events.at(-1);
    if (atEnd || !last || phase !== 'ready') return Promise.resolve();
    return reads(async () => {
      const page = await remote.events({ after: cursorOf('thread', last.seq), limit: PAGE });
      const all = [...stretch.get().events, ...page.events];
      put(all.slice(-LONGEST), { atEnd: reaches(all, page.head) });
    });
  }

  function showOldest(): Promise<void> {
    return reads(async () => {
      const page = await remote.events({ limit: PAGE });
      put(page.events, { atEnd: reaches(page.events, page.head) });
    });
  }

  function put(events: readonly WireEvent[], { atEnd }: { atEnd: boolean }): void {
    // A stretch that grows while being watched gives up its beginning.
    const shown = events.length > LONGEST ? events.slice(-LONGEST) : events;
    outbox.settle(shown);
    // What was heard meanwhile is not in what was read: then this is not the end yet.
    const last = shown.at(-1)?.seq ?? 0;
    if (atEnd && last < newestSeq) setTimeout(showNewer, 0);
    stretch.set({
      phase: 'ready',
      events: shown,
      atStart: (shown[0]?.seq ?? 1) === 1,
      atEnd: atEnd && last >= newestSeq,
    });
    for (const missing of missingQuotes(shown)) void askFor(missing);
  }

  /** One reading at a time; what fails is said and can be tried again. */
  function reads(work: () => Promise<void>): Promise<void> {
    reading ??= work()
      .catch(fail)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  async function askFor(event: string): Promise<void> {
    if (asked.has(event)) return;
    asked.add(event);
    await quietly(async () => {
      const found = (await remote.event(event)).event;
      elsewhere.set((all) => new Map(all).set(event, found));
    });
  }

  function fail(error: unknown): void {
    const problem = sentenceFor(error);
    const isMissing = error instanceof HeddleRefusal && error.code === 'unknown_thread';
    stretch.set((before) => ({ ...before, problem, ...(isMissing && { phase: 'missing' as const }) }));
  }

  return {
    id,
    me,
    remote,
    stretch,
    state,
    deadline,
    presence,
    elsewhere,
    connection,
    /** The newest events heard live, for those who announce them. */
    heard,
    outbox,
    open,
    close,
    showNewest,
    showOldest,
    showEvent,
    showOlder,
    showNewer,
  };
}

export type Thread = ReturnType<typeof openThread>;

function reaches(events: readonly WireEvent[], head: string): boolean {
  return (events.at(-1)?.seq ?? 0) >= Number(placeOf('thread', head));
}

/** What is only an aid may fail in silence: the stream brings it again. */
async function quietly(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (error instanceof HeddleRefusal) sentenceFor(error);
  });
}
