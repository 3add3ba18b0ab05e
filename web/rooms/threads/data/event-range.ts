import { HeddleRefusal, type ThreadClient, type WireEvent } from '../../../../src/client/index.ts';
import { cursorOf, parseCursor } from '../../../../src/protocol/cursor.ts';
import { createStore } from '../../../data/store.ts';
import { createReadQueue } from './read-queue.ts';

/** A contiguous range of a thread's events. */
export interface EventRange {
  readonly phase: 'loading' | 'ready' | 'missing';
  readonly events: readonly WireEvent[];
  readonly atStart: boolean;
  /** Whether the range includes the newest event and grows with new ones. */
  readonly atEnd: boolean;
  /** The range cannot load older events. */
  readonly onlyNewest?: true;
  /** The last read error, as a sentence. */
  readonly problem?: string;
}

/** The first page fills a screen; scrolling loads the rest. */
const FIRST_PAGE_SIZE = 20;
/** While scrolling, a page holds only as many events as one frame can draw. */
const SCROLL_PAGE_SIZE = 8;
/** The number of live events remembered while a page loads. */
const MAX_RECENT = 60;
/** The maximum number of events kept, so that a thread of any length costs the same. */
const MAX_EVENTS = 200;

/**
 * The part of a thread that is shown. Scrolling extends it at one end and drops as many events at
 * the other. New events join the range by their seq.
 */
export function createEventRange(remote: ThreadClient, onShow: (events: readonly WireEvent[]) => void) {
  const range = createStore<EventRange>({ phase: 'loading', events: [], atStart: false, atEnd: false });
  /** The newest live events: those that arrive while a page loads belong after it. */
  let recent: readonly WireEvent[] = [];
  let isAtBottom = true;
  let headSeq = 0;
  const { read, isReading } = createReadQueue(range, () => {
    recent = [];
  });

  /** Shows the end of the thread, whatever was shown before. */
  function showNewest(): Promise<void> {
    return read(async () => {
      const page = await remote.events({ before: 'head', limit: FIRST_PAGE_SIZE });
      setEvents(page.events, reachesHead(page.events, page.head));
    });
  }

  function showOldest(): Promise<void> {
    return read(async () => {
      const page = await remote.events({ limit: FIRST_PAGE_SIZE });
      setEvents(page.events, reachesHead(page.events, page.head));
    });
  }

  /** Shows the part around one event. */
  async function showEvent(event: string): Promise<void> {
    if (range.get().events.some(({ id }) => id === event)) return;
    await read(async () => {
      const located = await remote.event(event).catch((error: unknown) => {
        if (error instanceof HeddleRefusal && error.code === 'unknown_event') return undefined;
        throw error;
      });
      const end = located
        ? Math.min(located.event.seq + FIRST_PAGE_SIZE / 2, Number(parseCursor('thread', located.head)))
        : undefined;
      const page = await remote.events({ before: end ? cursorOf('thread', end) : 'head', limit: FIRST_PAGE_SIZE });
      setEvents(page.events, reachesHead(page.events, page.head));
      if (!located) range.set((now) => ({ ...now, problem: 'There is no message at this address in this thread.' }));
    });
  }

  async function showOlder(): Promise<void> {
    const { events, atStart } = range.get();
    const first = events[0];
    if (isReading() || atStart || !first) return;
    await read(async () => {
      const page = await remote.events({ before: cursorOf('thread', first.seq - 1), limit: SCROLL_PAGE_SIZE });
      const now = range.get();
      if (now.events[0] !== first) return; // The start of the range was dropped meanwhile: the next scroll tries again.
      const all = [...page.events, ...now.events];
      setEvents(all.slice(0, MAX_EVENTS), now.atEnd && all.length <= MAX_EVENTS);
    });
  }

  async function showNewer(): Promise<void> {
    const { events, atEnd } = range.get();
    const last = events.at(-1);
    if (isReading() || atEnd || !last) return;
    await read(async () => {
      const page = await remote.events({ after: cursorOf('thread', last.seq), limit: SCROLL_PAGE_SIZE });
      const now = range.get();
      if (now.events.at(-1) !== last) return;
      const all = [...now.events, ...page.events];
      setEvents(all.slice(-MAX_EVENTS), reachesHead(all, page.head));
    });
  }

  /** Adds live events. Returns those that were not known yet. */
  function add(events: readonly WireEvent[]): readonly WireEvent[] {
    const now = range.get();
    const last = now.events.at(-1)?.seq ?? 0;
    recent = [...recent, ...events].slice(-MAX_RECENT);
    const fresh = events.filter(({ seq }) => seq > last);
    if (fresh.length === 0 || !now.atEnd) return fresh;
    const all = [...now.events, ...fresh];
    const isContiguous = fresh[0]?.seq === last + 1;
    // A reader further up keeps the range; at the bottom, the oldest events are dropped.
    if (isContiguous && (isAtBottom || all.length <= MAX_EVENTS)) setEvents(all.slice(-MAX_EVENTS), true);
    else setEvents(now.events, false);
    return fresh;
  }

  function setEvents(loaded: readonly WireEvent[], atEnd: boolean): void {
    const events = atEnd ? withRecent(loaded) : loaded;
    const isEnd = atEnd && (events.at(-1)?.seq ?? 0) >= (recent.at(-1)?.seq ?? 0);
    range.set({ phase: 'ready', events, atStart: (events[0]?.seq ?? 1) === 1, atEnd: isEnd });
    onShow(events);
  }

  function withRecent(events: readonly WireEvent[]): readonly WireEvent[] {
    const last = events.at(-1)?.seq ?? 0;
    const newer = recent.filter(({ seq }) => seq > last);
    return newer[0]?.seq === last + 1 ? [...events, ...newer] : events;
  }

  function reachesHead(events: readonly WireEvent[], head: string): boolean {
    headSeq = Number(parseCursor('thread', head));
    return (events.at(-1)?.seq ?? 0) >= headSeq;
  }

  return {
    range,
    showNewest,
    showOldest,
    showEvent,
    showOlder,
    showNewer,
    add,
    /** The thread's head as of the last read. */
    headSeq: () => headSeq,
    /** The log was replaced: what came live is not in it. */
    forget() {
      recent = [];
    },
    /** Whether the reader sees the end of the thread. */
    setAtBottom(now: boolean) {
      isAtBottom = now;
    },
  };
}
