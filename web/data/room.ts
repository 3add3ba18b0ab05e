import { HeddleRefusal, isFinal, type LiveItem, type StreamItem, type WireEvent } from '../../src/client/index.ts';
import { cursorOf, parseCursor } from '../../src/protocol/cursor.ts';
import { connection, enterThread, listen } from './connection.ts';
import { keepRoom } from './kept/kept-room.ts';
import { roomShownFrom } from './kept/shown-from.ts';
import { createLiveTexts } from './live-texts.ts';
import { createPresenceList } from './presence-list.ts';
import { describeError } from './session.ts';
import { sleep } from './sleep.ts';
import { coalesce, createStore } from './store.ts';
import { threadRows } from './workspace.ts';

export interface RoomLoadState {
  readonly phase: 'loading' | 'ready' | 'missing';
  readonly problem?: string;
  /** The room shows what it showed at this time, in milliseconds: the server does not answer. */
  readonly keptAt?: number;
  /** The server does not answer, and nothing is kept of this room. */
  readonly isOutOfReach?: boolean;
}

/** What is particular to one kind of room. */
interface RoomParts {
  /**
   * Loads what the room shows, and returns the seq up to which it is complete; undefined to try again later. `isNewLog`:
   * at first, and after the log was replaced, for example by an older backup.
   */
  load(isNewLog: boolean): Promise<number | undefined>;
  /** New events: each once and in order, those of one burst together. */
  onEvents(events: readonly WireEvent[]): void;
  onLive?(item: LiveItem): void;
  /** The room is followed from now on, or again after the connection was lost. */
  onConnect?(): void;
  /** Runs before events are shown to a person who returns to the tab. */
  onReturn?(): Promise<void>;
}

const RETRY_MS = 1_000;
/** A lone event is shown at once, a burst at most this often. */
const BURST_MS = 33;
const GAP_PAGE_SIZE = 1000;
const MISSING_CODES = new Set(['unknown_thread', 'wrong_kind', 'wrong_cursor']);

/**
 * One thread as a room shows it: loaded once, then kept current from the connection that all tabs share. A hidden tab
 * is not present (T3) and follows nothing; it reads what it missed when the person returns.
 */
export function openRoom(id: string, { load, onEvents, onLive, onConnect, onReturn }: RoomParts) {
  const kept = keepRoom(id, isAway);
  const { remote } = kept;
  const presence = createPresenceList(remote);
  const liveTexts = createLiveTexts();
  const loadState = createStore<RoomLoadState>({ phase: 'loading' });
  /** Events after one that is still missing, by seq. */
  const early = new Map<number, WireEvent>();
  const stops: (() => void)[] = [];
  let seq = 0;
  let unshownEvents: WireEvent[] = [];
  /** Events that came while the room was loaded: what they ended was ended then, not when they are shown. */
  const arrivedEarly = new WeakSet<WireEvent>();
  let shownAt = 0;
  let isLoading = true;
  let isNewLog = true;
  let isCatchingUp = false;
  let isClosed = false;
  /** Leaves the thread; undefined while the tab is hidden. */
  let leave: (() => void) | undefined;

  async function open(): Promise<void> {
    stops.push(listen({ onItem, onStart: checkHead }));
    stops.push(connection.watch(onConnection), kept.close);
    while (!isClosed && loadState.get().phase === 'loading') {
      await reload();
      if (loadState.get().phase !== 'loading') break;
      loadState.set({ phase: 'loading', isOutOfReach: isAway() });
      await sleep(RETRY_MS);
    }
    if (isClosed || loadState.get().phase === 'missing') return;
    document.addEventListener('visibilitychange', onVisibilityChange);
    stops.push(() => document.removeEventListener('visibilitychange', onVisibilityChange));
    if (document.visibilityState === 'visible') follow();
    if (isKept()) void catchUp().then(sayAge);
    else checkHead();
  }

  /** Kept state may be shown: the connection is lost, and the room has nothing newer. */
  function isAway(): boolean {
    return connection.get() === 'waiting' && (loadState.get().phase === 'loading' || isKept());
  }

  function isKept(): boolean {
    return loadState.get().keptAt !== undefined;
  }

  /** A room that is as new as the lists needs no time of its own. */
  function sayAge(): void {
    const head = threadRows.get()?.get(id)?.last.cursor;
    if (head === undefined || Number(parseCursor('thread', head)) > seq) roomShownFrom.set(loadState.get().keptAt);
  }

  function onConnection(): void {
    if (isKept() && connection.get() === 'open') void goLive();
    if (leave) notifyConnected();
  }

  /** The server is back: what was kept is replaced by what it has. */
  async function goLive(): Promise<void> {
    while (!isClosed && isKept() && connection.get() === 'open') {
      await reload();
      if (isKept()) await sleep(RETRY_MS);
    }
    roomShownFrom.set(undefined);
    checkHead();
  }

  function close(): void {
    isClosed = true;
    if (isKept()) roomShownFrom.set(undefined);
    for (const stop of stops) stop();
    leave?.();
    leave = undefined;
  }

  function follow(): void {
    leave = enterThread(id);
    notifyConnected();
  }

  function onVisibilityChange(): void {
    if (document.visibilityState === 'visible') return void resume();
    leave?.();
    leave = undefined;
    early.clear();
    liveTexts.clear();
  }

  async function resume(): Promise<void> {
    await onReturn?.();
    if (leave || isClosed || document.visibilityState !== 'visible') return;
    follow();
    await catchUp();
  }

  function notifyConnected(): void {
    if (connection.get() === 'open') onConnect?.();
  }

  /** Loads again. Events that come meanwhile wait. */
  const reload = coalesce(async () => {
    isLoading = true;
    early.clear();
    let loadedSeq: number | undefined;
    kept.begin(isNewLog);
    try {
      loadedSeq = await load(isNewLog);
      if (loadedSeq === undefined) return;
      seq = loadedSeq;
    } catch (error) {
      handleError(error);
    } finally {
      const keptAt = kept.end(loadedSeq !== undefined);
      if (loadedSeq !== undefined) {
        isNewLog = keptAt !== undefined;
        loadState.set({ phase: 'ready', ...(keptAt !== undefined && { keptAt }) });
      }
      isLoading = false;
      takeEarly();
    }
  });

  /** Reads the events after the last one from the log. */
  const catchUp = coalesce(async () => {
    if (isLoading || !leave) return;
    isCatchingUp = true;
    try {
      for (let hasMore = true; hasMore && leave; ) {
        const page = await remote.events({ after: cursorOf('thread', seq), limit: GAP_PAGE_SIZE });
        take(page.events);
        hasMore = early.size > 0 || (page.events.length > 0 && page.cursor !== page.head);
      }
    } catch (error) {
      describeError(error);
      isNewLog = error instanceof HeddleRefusal && error.code === 'wrong_cursor';
      if (isNewLog) await reload();
      else if (!isFinal(error)) {
        await sleep(RETRY_MS);
        void catchUp();
      }
    } finally {
      isCatchingUp = false;
    }
  });

  /** The list of threads was read before or after this room was: then events between the two are missing here. */
  function checkHead(): void {
    const head = threadRows.get()?.get(id)?.last.cursor;
    if (head !== undefined && Number(parseCursor('thread', head)) !== seq) void catchUp();
  }

  function onItem({ event, live }: StreamItem): void {
    if ((event ?? live)?.thread !== id || !(leave || isLoading)) return;
    if (event) {
      take([event]);
      if (isLoading) {
        liveTexts.onEvents([event]);
        arrivedEarly.add(event);
      }
      if (!isLoading && !isCatchingUp && event.seq > seq) void catchUp();
    } else {
      showEvents(); // A live item may refer to an event that came just before it.
      if (live.type === 'presence.updated') presence.update(live.content);
      liveTexts.onLive(live);
      onLive?.(live);
    }
  }

  function take(events: readonly WireEvent[]): void {
    for (const event of events) if (event.seq > seq) early.set(event.seq, event);
    if (!isLoading) takeEarly();
  }

  function takeEarly(): void {
    for (const event of [...early.values()].sort((a, b) => a.seq - b.seq)) {
      if (event.seq > seq + 1) return;
      early.delete(event.seq);
      if (event.seq <= seq) continue;
      seq = event.seq;
      if (unshownEvents.push(event) === 1) setTimeout(showEvents, shownAt + BURST_MS - performance.now());
    }
  }

  function showEvents(): void {
    const events = unshownEvents;
    if (events.length === 0 || isClosed) return;
    unshownEvents = [];
    shownAt = performance.now();
    kept.add(events);
    onEvents(events);
    liveTexts.onEvents(events.filter((event) => !arrivedEarly.has(event)));
  }

  /** Runs work that may fail: the next event triggers it again. */
  async function runQuietly(work: () => Promise<unknown>): Promise<void> {
    await work().catch(handleError);
  }

  function handleError(error: unknown): void {
    const problem = describeError(error);
    if (error instanceof HeddleRefusal && MISSING_CODES.has(error.code)) loadState.set({ phase: 'missing', problem });
  }

  return {
    id,
    remote,
    loadState,
    presence,
    /** What models write in this thread right now. */
    liveTexts: liveTexts.texts,
    open,
    close,
    reload,
    runQuietly,
    isClosed: () => isClosed,
    seq: () => seq,
    /** Takes events that an answer to a command brought, before the stream does. */
    receive(events: readonly WireEvent[]): void {
      take(events);
      showEvents();
    },
  };
}
