import type { LiveItem, WireEvent } from '../../../../src/client/index.ts';
import type { ContentOf } from '../../../../src/core/events/define.ts';
import type { Event } from '../../../../src/core/events/event.ts';
import { readEvent } from '../../../../src/core/events/read.ts';
import type { CursorMoved, LoomEvent } from '../../../../src/core/loom/events.ts';
import { evolveLoom } from '../../../../src/core/loom/evolve.ts';
import { initialLoom, type LoomState } from '../../../../src/core/loom/state.ts';
import { cursorOf } from '../../../../src/protocol/cursor.ts';
import { openRoom } from '../../../data/room.ts';
import { createStore } from '../../../data/store.ts';
import { createStreams } from './streams.ts';

/** Another participant's caret, from the live stream. */
export type RemoteCursor = ContentOf<typeof CursorMoved>;

const PAGE_SIZE = 1000;

/**
 * The loom's state, folded in the browser by the same code as on the server, so
 * the room can show everything without a request.
 */
export function openReplica(id: string) {
  const room = openRoom(id, {
    load: readAll,
    onEvents: fold,
    onLive,
    onConnect: () => void room.presence.refresh(),
  });
  const { remote, presence } = room;
  const loom = createStore<LoomState>(initialLoom());
  const streams = createStreams();
  const cursors = createStore<ReadonlyMap<string, RemoteCursor>>(new Map());
  const listeners = new Set<(events: readonly LoomEvent[]) => void>();
  let foldedSeq = 0;

  function fold(events: readonly WireEvent[]): void {
    let state = loom.get();
    for (const event of events) state = evolveLoom(state, event as Event);
    foldedSeq = events.at(-1)?.seq ?? foldedSeq;
    const newEvents = events.map(readEvent<LoomEvent>);
    for (const event of newEvents) streams.handleEvent(event);
    loom.set(state);
    for (const listener of listeners) listener(newEvents);
  }

  async function readAll(): Promise<number> {
    for (;;) {
      const page = await remote.events({ after: cursorOf('thread', foldedSeq), limit: PAGE_SIZE });
      if (page.events.length > 0 && !room.isClosed()) fold(page.events);
      if (page.events.length === 0 || page.cursor === page.head || room.isClosed()) return foldedSeq;
    }
  }

  function onLive(item: LiveItem): void {
    if (item.type === 'generation.streamed') streams.append(item.content);
    else if (item.type === 'cursor.moved')
      cursors.set((all) => new Map(all).set(item.content.participant, item.content));
    else if (item.type === 'presence.updated' && item.content.state === 'offline')
      removeCursor(item.content.participant);
  }

  /** Removes the caret of a participant who has left. */
  function removeCursor(participant: string): void {
    if (cursors.get().has(participant))
      cursors.set((all) => new Map([...all].filter(([each]) => each !== participant)));
  }

  return {
    ...room,
    loom,
    streams,
    cursors,
    presences: presence.list,
    /** Calls the listener once per event, after folding it. */
    onEvents(listener: (events: readonly LoomEvent[]) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export type Replica = ReturnType<typeof openReplica>;
