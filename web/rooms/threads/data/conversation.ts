import type { ThreadClient, WireEvent } from '../../../../src/client/index.ts';
import { isConversationType } from '../../../../src/core/threads/event-types.ts';
import { parseCursor } from '../../../../src/protocol/cursor.ts';
import { createStore } from '../../../data/store.ts';
import type { EventRange } from './event-range.ts';
import { createReadQueue } from './read-queue.ts';

/** The maximum length of the range. */
const MAX_EVENTS = 200;

/**
 * The discussion in a dialogue, an exchange or a loom: only its newest messages, without the events
 * between them, which the thread's own room shows. Has the same interface as an event range.
 */
export function createConversationRange(remote: ThreadClient, onShow: (events: readonly WireEvent[]) => void) {
  const range = createStore<EventRange>({ phase: 'loading', events: [], atStart: false, atEnd: false });
  const { read } = createReadQueue(range);
  let headSeq = 0;

  function showNewest(): Promise<void> {
    return read(async () => {
      const page = await remote.conversation();
      headSeq = Number(parseCursor('thread', page.head));
      setEvents(page.events);
    });
  }

  async function showEvent(event: string): Promise<void> {
    const isShown = () => range.get().events.some(({ id }) => id === event);
    if (isShown()) return;
    await showNewest();
    if (isShown()) return;
    const problem = 'The message at this address is not among the newest ones.';
    range.set((now) => ({ ...now, problem }));
  }

  function add(events: readonly WireEvent[]): readonly WireEvent[] {
    const now = range.get().events;
    const last = now.at(-1)?.seq ?? 0;
    const fresh = events.filter(({ seq, type }) => seq > last && isConversationType(type));
    if (fresh.length > 0) setEvents([...now, ...fresh]);
    return fresh;
  }

  function setEvents(events: readonly WireEvent[]): void {
    const latest = events.slice(-MAX_EVENTS);
    range.set({ phase: 'ready', events: latest, atStart: latest[0]?.seq === 1, atEnd: true, onlyNewest: true });
    onShow(latest);
  }

  return {
    range,
    showNewest,
    showOldest: showNewest,
    showEvent,
    showOlder: async () => {},
    showNewer: async () => {},
    add,
    /** The thread's head as of the last read: its other events may have gone far past the last message. */
    headSeq: () => headSeq,
    forget() {},
    setAtBottom(_now: boolean) {},
  };
}
