import {
  type Client,
  HeddleRefusal,
  type StreamItem,
  type StreamState,
  type WireEvent,
} from '../../src/client/index.ts';
import { roomStream } from './room-stream.ts';
import { sentenceFor } from './session.ts';

interface Watched {
  readonly remote: ReturnType<Client['thread']>;
  /** From where on, asked each time somebody looks again: a cursor, or 'head'. */
  after(): string | Promise<string>;
  take(item: StreamItem): void;
  state(now: StreamState): void;
  /** The server will not go on. */
  refused(error: unknown): void;
}

/**
 * What happens in one thread, heard while somebody looks: being connected is
 * being there, and a tab nobody looks at is not (T3). Returns how to stop.
 */
export function whileSeen({ remote, after, take, state, refused }: Watched): () => void {
  let following: AbortController | undefined;
  document.addEventListener('visibilitychange', look);
  look();

  return () => {
    document.removeEventListener('visibilitychange', look);
    following?.abort();
  };

  function look(): void {
    following?.abort();
    if (document.visibilityState !== 'visible') return;
    following = new AbortController();
    void follow(following.signal);
  }

  async function follow(signal: AbortSignal): Promise<void> {
    try {
      const from = await after();
      for await (const item of roomStream(remote, { after: from, signal, onState: state })) take(item);
    } catch (error) {
      if (!signal.aborted) refused(error);
    }
  }
}

/** The log is not the one that was read, such as after an older copy was restored. */
export function isOtherLog(error: unknown): boolean {
  return error instanceof HeddleRefusal && error.code === 'wrong_cursor';
}

interface FollowOptions {
  readonly remote: ReturnType<Client['thread']>;
  /** The cursor to begin behind, or 'head'. */
  readonly after: string;
  /** Events as they come, those of one moment together. */
  heard(events: readonly WireEvent[]): void;
  /** Done before it is followed again, when somebody looks who did not. */
  back?(): Promise<void>;
  /** The connection is there, again or for the first time. */
  connected(): void;
  /** Reads another log than the one that was read, and tells from where on to follow it. */
  anew(): Promise<string>;
}

const BURST_MS = 20;

/** The events of one thread, from a cursor on, while somebody looks. Returns how to stop. */
export function followWhileSeen({ remote, after, back, heard, connected, anew }: FollowOptions): () => void {
  let cursor = after;
  let isBeginning = true;
  let isStopped = false;
  let arrivals: WireEvent[] = [];
  let stop = watch();

  return () => {
    isStopped = true;
    stop();
  };

  function watch(): () => void {
    isBeginning = true;
    const unwatch = whileSeen({ remote, after: from, take, state: (now) => now === 'open' && connected(), refused });
    isBeginning = false;
    return unwatch;
  }

  async function from(): Promise<string> {
    if (!isBeginning) await back?.();
    return cursor;
  }

  function take(item: StreamItem): void {
    if (item.cursor !== undefined) cursor = item.cursor;
    if (item.event && arrivals.push(item.event) === 1) setTimeout(arrive, BURST_MS);
  }

  async function refused(error: unknown): Promise<void> {
    sentenceFor(error);
    if (!isOtherLog(error)) return;
    stop();
    cursor = await anew();
    if (!isStopped) stop = watch();
  }

  function arrive(): void {
    const events = arrivals;
    arrivals = [];
    heard(events);
  }
}
