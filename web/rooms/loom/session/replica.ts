import {
  HeddleRefusal,
  type StreamItem,
  type StreamState,
  type WireEvent,
  type WirePresence,
} from '../../../../src/client/index.ts';
import type { Event } from '../../../../src/core/events/event.ts';
import { evolveLoom } from '../../../../src/core/loom/evolve.ts';
import { initialLoom, type LoomState } from '../../../../src/core/loom/state.ts';
import { cursorOf } from '../../../../src/protocol/cursor.ts';
import { whileSeen } from '../../../data/follow.ts';
import type { Opened } from '../../../data/room-loader.tsx';
import { client, sentenceFor } from '../../../data/session.ts';
import { createStore } from '../../../data/store.ts';
import { createStreams, type Delta } from './streams.ts';

/** Where somebody's caret is, as the stream tells it. */
export interface FarCursor {
  readonly participant: string;
  readonly node: string | null;
  readonly from: number;
  readonly to: number;
}

const PAGE = 1000;
const AGAIN_MS = 1_000;

/**
 * The loom as its events have made it, folded here by the same code as on the
 * server: whatever the room shows is found without asking anybody.
 */
export function openReplica(id: string) {
  const remote = client.thread(id);
  const reading = createStore<Opened>({ phase: 'loading' });
  const loom = createStore<LoomState>(initialLoom());
  const connection = createStore<StreamState>('connecting');
  const streams = createStreams();
  const cursors = createStore<ReadonlyMap<string, FarCursor>>(new Map());
  const present = createStore<ReadonlyMap<string, WirePresence>>(new Map());
  const early = new Map<number, WireEvent>();
  const hearers = new Set<(events: readonly WireEvent[]) => void>();
  const stop = new AbortController();
  let stopFollowing = () => {};
  let seq = 0;

  /** Events come from the stream and with the answers to commands, in any order; each is folded once, in its turn. */
  function hear(events: readonly WireEvent[]): void {
    for (const event of events) if (event.seq > seq) early.set(event.seq, event);
    const fresh: WireEvent[] = [];
    let state = loom.get();
    for (let next = early.get(seq + 1); next; next = early.get(seq + 1)) {
      early.delete(next.seq);
      seq = next.seq;
      state = evolveLoom(state, next as Event);
      fresh.push(next);
    }
    if (fresh.length === 0) return;
    for (const event of fresh) streams.heard(event);
    loom.set(state);
    for (const hearer of hearers) hearer(fresh);
  }

  async function open(): Promise<void> {
    while (!stop.signal.aborted && reading.get().phase === 'loading') {
      try {
        await readAll();
        reading.set({ phase: 'ready' });
      } catch (error) {
        if (stop.signal.aborted) return;
        const isFinal = error instanceof HeddleRefusal && error.status < 500;
        reading.set({ phase: isFinal ? 'missing' : 'loading', problem: sentenceFor(error) });
        if (!isFinal) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
    if (stop.signal.aborted) return;
    follow();
  }

  async function readAll(): Promise<void> {
    for (;;) {
      const page = await remote.events({ after: cursorOf('thread', seq), limit: PAGE, signal: stop.signal });
      hear(page.events);
      if (page.events.length === 0 || page.cursor === page.head) return;
    }
  }

  function follow(): void {
    const refused = (error: unknown) => reading.set({ phase: 'missing', problem: sentenceFor(error) });
    stopFollowing = whileSeen({ remote, after: () => cursorOf('thread', seq), take, state: onState, refused });
  }

  function take({ event, live }: StreamItem): void {
    if (event) hear([event]);
    else if (live.type === 'generation.streamed') streams.grow(live.content as Delta);
    else if (live.type === 'cursor.moved') moved(live.content as FarCursor);
    else if (live.type === 'presence.updated') met(live.content as WirePresence);
  }

  function close(): void {
    stop.abort();
    stopFollowing();
  }

  function onState(now: StreamState): void {
    connection.set(now);
    if (now !== 'open') return;
    void remote.presence().then(
      ({ presence }) => present.set(new Map(presence.map((entry) => [entry.participant, entry]))),
      () => {},
    );
  }

  /** Whoever has gone has no caret. */
  function met(entry: WirePresence): void {
    present.set((all) => new Map(all).set(entry.participant, entry));
    if (entry.state !== 'offline' || !cursors.get().has(entry.participant)) return;
    cursors.set((all) => new Map([...all].filter(([id]) => id !== entry.participant)));
  }

  function moved(cursor: FarCursor): void {
    cursors.set((all) => new Map(all).set(cursor.participant, cursor));
  }

  return {
    id,
    remote,
    reading,
    loom,
    connection,
    streams,
    cursors,
    present,
    hear,
    seq: () => seq,
    open,
    close,
    /** Tells of each event once, after it was folded. */
    onEvents(hearer: (events: readonly WireEvent[]) => void): () => void {
      hearers.add(hearer);
      return () => void hearers.delete(hearer);
    },
  };
}

export type Replica = ReturnType<typeof openReplica>;
