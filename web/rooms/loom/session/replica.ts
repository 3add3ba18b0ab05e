import {
  HeddleRefusal,
  type StreamItem,
  type StreamState,
  type WireEvent,
  type WirePresence,
} from '../../../../src/client/index.ts';
import type { ContentOf } from '../../../../src/core/events/define.ts';
import type { Event } from '../../../../src/core/events/event.ts';
import { readEvent } from '../../../../src/core/events/read.ts';
import type { CursorMoved, LoomEvent, LoomLiveItem } from '../../../../src/core/loom/events.ts';
import { evolveLoom } from '../../../../src/core/loom/evolve.ts';
import { initialLoom, type LoomState } from '../../../../src/core/loom/state.ts';
import { cursorOf } from '../../../../src/protocol/cursor.ts';
import { streamWhileVisible } from '../../../data/follow.ts';
import type { RoomLoadState } from '../../../data/room-loader.tsx';
import { client, describeError } from '../../../data/session.ts';
import { createStore } from '../../../data/store.ts';
import { createStreams } from './streams.ts';

/** Another participant's caret, from the live stream. */
export type RemoteCursor = ContentOf<typeof CursorMoved>;

type WatchedItem = LoomLiveItem | { readonly type: 'presence.updated'; readonly content: WirePresence };

const PAGE_SIZE = 1000;
const RETRY_MS = 1_000;

/**
 * The loom's state, folded in the browser by the same code as on the server, so
 * the room can show everything without a request.
 */
export function openReplica(id: string) {
  const remote = client.thread(id);
  const loadState = createStore<RoomLoadState>({ phase: 'loading' });
  const loom = createStore<LoomState>(initialLoom());
  const connection = createStore<StreamState>('connecting');
  const streams = createStreams();
  const cursors = createStore<ReadonlyMap<string, RemoteCursor>>(new Map());
  const presences = createStore<ReadonlyMap<string, WirePresence>>(new Map());
  const outOfOrder = new Map<number, WireEvent>();
  const listeners = new Set<(events: readonly LoomEvent[]) => void>();
  const stop = new AbortController();
  let stopFollowing = () => {};
  let seq = 0;

  /** Events come from the stream and with answers to commands, in any order; each is folded once, in log order. */
  function receive(events: readonly WireEvent[]): void {
    for (const event of events) if (event.seq > seq) outOfOrder.set(event.seq, event);
    const newEvents: LoomEvent[] = [];
    let state = loom.get();
    for (let next = outOfOrder.get(seq + 1); next; next = outOfOrder.get(seq + 1)) {
      outOfOrder.delete(next.seq);
      seq = next.seq;
      state = evolveLoom(state, next as Event);
      newEvents.push(readEvent<LoomEvent>(next));
    }
    if (newEvents.length === 0) return;
    for (const event of newEvents) streams.handleEvent(event);
    loom.set(state);
    for (const listener of listeners) listener(newEvents);
  }

  async function open(): Promise<void> {
    while (!stop.signal.aborted && loadState.get().phase === 'loading') {
      try {
        await readAll();
        loadState.set({ phase: 'ready' });
      } catch (error) {
        if (stop.signal.aborted) return;
        const isFinal = error instanceof HeddleRefusal && error.status < 500;
        loadState.set({ phase: isFinal ? 'missing' : 'loading', problem: describeError(error) });
        if (!isFinal) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    if (stop.signal.aborted) return;
    follow();
  }

  async function readAll(): Promise<void> {
    for (;;) {
      const page = await remote.events({ after: cursorOf('thread', seq), limit: PAGE_SIZE, signal: stop.signal });
      receive(page.events);
      if (page.events.length === 0 || page.cursor === page.head) return;
    }
  }

  function follow(): void {
    const onRefusal = (error: unknown) => loadState.set({ phase: 'missing', problem: describeError(error) });
    stopFollowing = streamWhileVisible({
      remote,
      after: () => cursorOf('thread', seq),
      onItem: handleItem,
      onState: onConnectionChange,
      onRefusal,
    });
  }

  function handleItem({ event, live }: StreamItem): void {
    if (event) receive([event]);
    else handleLive(live as WatchedItem);
  }

  function handleLive({ type, content }: WatchedItem): void {
    if (type === 'generation.streamed') streams.append(content);
    else if (type === 'cursor.moved') updateCursor(content);
    else if (type === 'presence.updated') updatePresence(content);
  }

  function close(): void {
    stop.abort();
    stopFollowing();
  }

  function onConnectionChange(state: StreamState): void {
    connection.set(state);
    if (state !== 'open') return;
    void remote.presence().then(
      ({ presence }) => presences.set(new Map(presence.map((entry) => [entry.participant, entry]))),
      () => {},
    );
  }

  /** Removes the caret of a participant who has left. */
  function updatePresence(entry: WirePresence): void {
    presences.set((all) => new Map(all).set(entry.participant, entry));
    if (entry.state !== 'offline' || !cursors.get().has(entry.participant)) return;
    cursors.set((all) => new Map([...all].filter(([id]) => id !== entry.participant)));
  }

  function updateCursor(cursor: RemoteCursor): void {
    cursors.set((all) => new Map(all).set(cursor.participant, cursor));
  }

  return {
    id,
    remote,
    loadState,
    loom,
    connection,
    streams,
    cursors,
    presences,
    receive,
    seq: () => seq,
    open,
    close,
    /** Calls the listener once per event, after folding it. */
    onEvents(listener: (events: readonly LoomEvent[]) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export type Replica = ReturnType<typeof openReplica>;
