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
  /** From where on, asked each time somebody looks again: a cursor, or 'head'. */
  after(): string | Promise<string>;
  onItem(item: StreamItem): void;
  onState(streamState: StreamState): void;
  /** The server will not go on. */
  onRefusal(error: unknown): void;
}

/**
 * What happens in one thread, heard while somebody looks: being connected is
 * being there, and a tab nobody looks at is not (T3). Returns how to stop.
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

/** The log is not the one that was read, such as after an older copy was restored. */
export function isDifferentLog(error: unknown): boolean {
  return error instanceof HeddleRefusal && error.code === 'wrong_cursor';
}

interface VisibleEventsOptions {
  readonly remote: ReturnType<Client['thread']>;
  /** The cursor to begin behind, or 'head'. */
  readonly after: string;
  /** Events as they come, those of one moment together. */
  onEvents(events: readonly WireEvent[]): void;
  /** Done before it is followed again, when somebody looks who did not. */
  onReturn?(): Promise<void>;
  /** The connection is there, again or for the first time. */
  onConnect(): void;
  /** Reads another log than the one that was read, and tells from where on to follow it. */
  reload(): Promise<string>;
}

const BURST_MS = 20;

/** The events of one thread, from a cursor on, while somebody looks. Returns how to stop. */
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
