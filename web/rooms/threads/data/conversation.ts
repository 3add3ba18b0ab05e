import type { Client, WireEvent } from '../../../../src/client/index.ts';
import { isOfConversation } from '../../../../src/core/threads/event-types.ts';
import { cursorOf } from '../../../../src/protocol/cursor.ts';
import { createStore } from '../../../data/store.ts';
import type { Stretch } from './event-range.ts';
import { readingOf } from './read-queue.ts';

/** As long as a stretch may become. */
const LONGEST = 200;

/**
 * What is said beside the work of a dialogue, an exchange or a loom: the newest of it at once, without the events
 * between, which their own rooms show. In the place of a stretch, with what a stretch can do.
 */
export function createConversation(
  remote: ReturnType<Client['thread']>,
  shown: (events: readonly WireEvent[]) => void,
) {
  const stretch = createStore<Stretch>({ phase: 'loading', events: [], atStart: false, atEnd: false });
  const { read, failed } = readingOf(stretch);
  let head = 'head';

  function showNewest(): Promise<void> {
    return read(async () => {
      const said = await remote.conversation();
      head = said.head;
      put(said.events);
    });
  }

  async function showEvent(event: string): Promise<void> {
    const isShown = () => stretch.get().events.some(({ id }) => id === event);
    if (isShown()) return;
    await showNewest();
    if (isShown()) return;
    const problem = 'What this address points at is not among the newest of what was said here.';
    stretch.set((now) => ({ ...now, problem }));
  }

  function add(events: readonly WireEvent[]): readonly WireEvent[] {
    const [now, newest] = [stretch.get().events, events.at(-1)];
    if (newest) head = cursorOf('thread', newest.seq);
    const last = now.at(-1)?.seq ?? 0;
    const fresh = events.filter(({ seq, type }) => seq > last && isOfConversation(type));
    if (fresh.length > 0) put([...now, ...fresh]);
    return fresh;
  }

  function put(events: readonly WireEvent[]): void {
    const kept = events.slice(-LONGEST);
    stretch.set({ phase: 'ready', events: kept, atStart: kept[0]?.seq === 1, atEnd: true, onlyNewest: true });
    shown(kept);
  }

  return {
    stretch,
    showNewest,
    showOldest: showNewest,
    showEvent,
    showOlder: async () => {},
    showNewer: async () => {},
    add,
    failed,
    /** Behind what was read: the work of its kind may have gone on far beyond the last word. */
    after: () => head,
    setAtBottom(_now: boolean) {},
  };
}
