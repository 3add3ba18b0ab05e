import {
  HeddleRefusal,
  type StreamItem,
  type StreamState,
  type WireEvent,
  type WirePresence,
  type WireThreadState,
} from '../../../../src/client/index.ts';
import type { Control } from '../../../../src/core/threads/schema.ts';
import { isOtherLog, whileSeen } from '../../../data/follow.ts';
import { client, sentenceFor } from '../../../data/session.ts';
import { createStore, oneAtATime } from '../../../data/store.ts';
import { missingQuotes } from '../timeline/entries.ts';
import { createConversation } from './conversation.ts';
import { createStretch } from './event-range.ts';
import { createOutbox } from './outbox.ts';

const AGAIN_MS = 1_000;
/** Events come in bursts after a connection was lost: they are shown together. */
const BURST_MS = 10;
const NEVER_STATE = new Set(['presence', 'notice.posted']);

/**
 * One thread as it is being read: what is shown of it, how it stands, who is there, what is on its way out. Of one that
 * has a room of its own besides, only what is said in it.
 */
export function openThread(id: string, me: string, isBeside: boolean) {
  const remote = client.thread(id);
  const outbox = createOutbox(id, me);
  const { stretch, add, failed, ...reading } = (isBeside ? createConversation : createStretch)(remote, shown);
  const state = createStore<WireThreadState | undefined>(undefined);
  /** Until when agents may go on by themselves; undefined without a limit (T8). */
  const deadline = createStore<number | undefined>(undefined);
  const presence = createStore<ReadonlyMap<string, WirePresence>>(new Map());
  const elsewhere = createStore<ReadonlyMap<string, WireEvent>>(new Map());
  const connection = createStore<StreamState>('connecting');
  const heard = createStore<readonly WireEvent[]>([]);
  const asked = new Set<string>();
  /** What the stream told while the list of who is there was asked for: it is newer than the answer. */
  let toldMeanwhile: ReadonlyMap<string, WirePresence> = new Map();
  let stop = () => {};
  let arrivals: WireEvent[] = [];
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
      toldMeanwhile = new Map();
      const here = (await remote.presence()).presence;
      presence.set(new Map([...here.map((entry) => [entry.participant, entry] as const), ...toldMeanwhile]));
    });
  });

  async function open(event?: string): Promise<void> {
    while (!closed && stretch.get().phase === 'loading') {
      await Promise.all([event ? reading.showEvent(event) : reading.showNewest(), refreshState()]);
      if (stretch.get().phase === 'loading') await later(AGAIN_MS);
    }
    if (closed || stretch.get().phase !== 'ready') return;
    follow();
  }

  function close(): void {
    closed = true;
    stop();
  }

  /** A tab that nobody looked at catches up when it is looked at. */
  function follow(): void {
    stop = whileSeen({ remote, after: reading.after, take, state: connected, refused });
  }

  function take(item: StreamItem): void {
    if (item.event) hear(item.event);
    else if (item.live.type === 'presence.updated') sawPresence(item.live.content as WirePresence);
  }

  async function refused(error: unknown): Promise<void> {
    failed(error);
    if (!isOtherLog(error)) return;
    stop();
    await reading.showNewest();
    if (!closed) follow();
  }

  function connected(now: StreamState): void {
    connection.set(now);
    if (now !== 'open') return;
    void outbox.sendWaiting();
    void refreshState();
    void refreshPresence();
  }

  function hear(event: WireEvent): void {
    if (arrivals.push(event) === 1) setTimeout(arrive, BURST_MS);
  }

  function arrive(): void {
    const fresh = add(arrivals);
    arrivals = [];
    if (fresh.length === 0) return;
    outbox.settle(fresh);
    heard.set(fresh);
    const known = new Set(state.get()?.participants.map((participant) => participant.id));
    const changes = fresh.some(
      ({ type, from }) => (type === 'message' ? wakes() : !NEVER_STATE.has(type)) || !known.has(from),
    );
    if (changes || state.get()?.done || deadline.get() !== undefined) void refreshState();
  }

  /** Where agents are, words wake them. */
  function wakes(): boolean {
    return state.get()?.participants.some(({ invited, profile }) => invited && profile.kind !== 'human') ?? false;
  }

  function sawPresence(entry: WirePresence): void {
    toldMeanwhile = new Map(toldMeanwhile).set(entry.participant, entry);
    presence.set((all) => new Map(all).set(entry.participant, entry));
  }

  function shown(events: readonly WireEvent[]): void {
    outbox.settle(events);
    for (const missing of missingQuotes(events)) void askFor(missing);
  }

  async function askFor(event: string): Promise<void> {
    if (asked.has(event)) return;
    asked.add(event);
    await quietly(async () => {
      const found = (await remote.event(event)).event;
      elsewhere.set((all) => new Map(all).set(event, found));
    });
  }

  /** One after the other; the first that is refused is the last. */
  async function control(controls: readonly Control[]): Promise<true> {
    for (const content of controls) await remote.post({ type: 'control', content });
    return true;
  }

  return {
    ...reading,
    id,
    me,
    remote,
    control,
    stretch,
    state,
    deadline,
    presence,
    /** Events replied to that are not in the stretch. */
    elsewhere,
    connection,
    /** The newest events heard live, for those who announce them. */
    heard,
    outbox,
    open,
    close,
  };
}

export type Thread = ReturnType<typeof openThread>;

/** What is only an aid may fail in silence: the stream brings it again. */
async function quietly(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (error instanceof HeddleRefusal) sentenceFor(error);
  });
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
