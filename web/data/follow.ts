import {
  type Client,
  HeddleRefusal,
  type StreamItem,
  type StreamState,
  type WireEvent,
} from '../../src/client/index.ts';
import { roomStream } from './room-stream.ts';
import { describeError } from './session.ts';

interface VisibleStreamOptions {
  readonly remote: ReturnType<Client['thread']>;
  /** The start cursor, or 'head'. Called each time the tab becomes visible again. */
  after(): string | Promise<string>;
  onItem(item: StreamItem): void;
  onState(streamState: StreamState): void;
  /** The server refuses to continue the stream. */
  onRefusal(error: unknown): void;
}

/**
 * Streams the events of one thread while the tab is visible. A connection counts as presence, and a
 * hidden tab is not present (T3). Returns a function that stops it.
 */
export function streamWhileVisible({ remote, after, onItem, onState, onRefusal }: VisibleStreamOptions): () => void {
  let controller: AbortController | undefined;
  document.addEventListener('visibilitychange', onVisibilityChange);
  onVisibilityChange();

  return () => {
    document.removeEventListener('visibilitychange', onVisibilityChange);
    controller?.abort();
  };

  function onVisibilityChange(): void {
    controller?.abort();
    if (document.visibilityState !== 'visible') return;
    controller = new AbortController();
    void follow(controller.signal);
  }

  async function follow(signal: AbortSignal): Promise<void> {
    try {
      const cursor = await after();
      for await (const item of roomStream(remote, { after: cursor, signal, onState: onState })) onItem(item);
    } catch (error) {
      if (!signal.aborted) onRefusal(error);
    }
  }
}

/** Whether the log differs from the one read before, for example after an older backup was restored. */
export function isDifferentLog(error: unknown): boolean {
  return error instanceof HeddleRefusal && error.code === 'wrong_cursor';
}

interface VisibleEventsOptions {
  readonly remote: ReturnType<Client['thread']>;
  /** The stream starts after this cursor, or at 'head'. */
  readonly after: string;
  /** Receives new events; those of one burst come together. */
  onEvents(events: readonly WireEvent[]): void;
  /** Runs before the stream resumes, when the person returns to the tab. */
  onReturn?(): Promise<void>;
  /** The connection opened, for the first time or again. */
  onConnect(): void;
  /** Loads the log that replaced the earlier one, and returns the cursor to follow it from. */
  reload(): Promise<string>;
}

const BURST_MS = 20;

/** Follows the events of one thread after a cursor while the tab is visible. Returns a function that stops it. */
export function followWhileVisible({
  remote,
  after,
  onReturn,
  onEvents,
  onConnect,
  reload,
}: VisibleEventsOptions): () => void {
  let cursor = after;
  let isStarting = true;
  let isStopped = false;
  let pendingEvents: WireEvent[] = [];
  let stop = startStream();

  return () => {
    isStopped = true;
    stop();
  };

  function startStream(): () => void {
    isStarting = true;
    const stopStream = streamWhileVisible({
      remote,
      after: startCursor,
      onItem,
      onState: (streamState) => streamState === 'open' && onConnect(),
      onRefusal,
    });
    isStarting = false;
    return stopStream;
  }

  async function startCursor(): Promise<string> {
    if (!isStarting) await onReturn?.();
    return cursor;
  }

  function onItem(item: StreamItem): void {
    if (item.cursor !== undefined) cursor = item.cursor;
    if (item.event && pendingEvents.push(item.event) === 1) setTimeout(flushEvents, BURST_MS);
  }

  async function onRefusal(error: unknown): Promise<void> {
    describeError(error);
    if (!isDifferentLog(error)) return;
    stop();
    cursor = await reload();
    if (!isStopped) stop = startStream();
  }

  function flushEvents(): void {
    const events = pendingEvents;
    pendingEvents = [];
    onEvents(events);
  }
}
