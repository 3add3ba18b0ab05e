import { type Client, HeddleRefusal, type StreamItem, type StreamState } from '../../src/client/index.ts';

/** What one tab tells the others. */
type Said = { readonly item: StreamItem } | { readonly state: StreamState } | { readonly ask: 'state' };

export interface SharedStream {
  readonly client: Client;
  /** Behind which workspace cursor to begin. */
  readonly after: string;
  heard(item: StreamItem): void;
  state(state: StreamState): void;
  /** The server will not go on: the session has ended. */
  refused(refusal: HeddleRefusal): void;
}

const NAME = 'heddle.stream';

/**
 * The workspace's events, over one connection for all tabs of this browser: a
 * browser opens only six to a server, and each tab would hold one for good.
 * The tab that has the lock reads and tells the others; each tab remembers its
 * own cursor, so whoever is next goes on without a gap. Returns how to stop.
 */
export function shareStream({ client, after, heard, state, refused }: SharedStream): () => void {
  const channel = new BroadcastChannel(NAME);
  const stop = new AbortController();
  let cursor = after;
  let leading: StreamState | undefined;

  channel.onmessage = ({ data }: MessageEvent<Said>) => {
    if ('item' in data) take(data.item);
    else if ('state' in data) state(data.state);
    else if (leading) tell({ state: leading });
  };
  tell({ ask: 'state' });
  if (navigator.locks) void navigator.locks.request(NAME, { signal: stop.signal }, lead).catch(() => {});
  else void lead();

  return () => {
    stop.abort();
    channel.close();
  };

  async function lead(): Promise<void> {
    try {
      for await (const item of client.stream({ after: cursor, signal: stop.signal, onState })) {
        take(item);
        tell({ item });
      }
    } catch (error) {
      if (error instanceof HeddleRefusal) refused(error);
    } finally {
      leading = undefined;
    }
  }

  function take(item: StreamItem): void {
    if (item.cursor !== undefined) cursor = item.cursor;
    heard(item);
  }

  function onState(now: StreamState): void {
    leading = now;
    state(now);
    tell({ state: now });
  }

  function tell(said: Said): void {
    if (!stop.signal.aborted) channel.postMessage(said);
  }
}
