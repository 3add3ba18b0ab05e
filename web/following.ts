import { type Client, HeddleRefusal, type StreamState, type WireEvent } from '../src/client/index.ts';
import { sentenceFor } from './session.ts';

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
  /** The log is not the one that was read, such as after an older copy was restored: reads it anew, tells from where on. */
  anew(): Promise<string>;
}

const BURST_MS = 20;

/**
 * The events of one thread, followed while somebody looks: being connected is
 * being there, and a tab nobody looks at is not (T3). Returns how to stop.
 */
export function followWhileSeen({ remote, after, back, heard, connected, anew }: FollowOptions): () => void {
  let cursor = after;
  let following: AbortController | undefined;
  let arrivals: WireEvent[] = [];
  document.addEventListener('visibilitychange', looked);
  look();

  return () => {
    document.removeEventListener('visibilitychange', looked);
    following?.abort();
  };

  function looked(): void {
    look(back);
  }

  function look(before?: () => Promise<void>): void {
    following?.abort();
    if (document.visibilityState !== 'visible') return;
    following = new AbortController();
    void follow(following.signal, before);
  }

  async function follow(signal: AbortSignal, before?: () => Promise<void>): Promise<void> {
    await before?.();
    if (signal.aborted) return;
    try {
      for await (const item of remote.stream({ after: cursor, signal, onState })) {
        if (item.cursor !== undefined) cursor = item.cursor;
        if (item.event && arrivals.push(item.event) === 1) setTimeout(arrive, BURST_MS);
      }
    } catch (error) {
      sentenceFor(error);
      if (!(error instanceof HeddleRefusal) || error.code !== 'wrong_cursor' || signal.aborted) return;
      cursor = await anew();
      if (!signal.aborted) look();
    }
  }

  function onState(now: StreamState): void {
    if (now === 'open') connected();
  }

  function arrive(): void {
    const events = arrivals;
    arrivals = [];
    heard(events);
  }
}
