import { type Client, HeddleRefusal, type StreamItem, type StreamState } from '../../src/client/index.ts';

/** A message from one tab to the others. */
type TabMessage = { readonly item: StreamItem } | { readonly state: StreamState } | { readonly ask: 'state' };

export interface SharedStreamOptions {
  readonly client: Client;
  /** The stream starts after this workspace cursor. */
  readonly after: string;
  onItem(item: StreamItem): void;
  onStateChange(state: StreamState): void;
  /** The server refuses to continue: the session has ended. */
  onRefusal(refusal: HeddleRefusal): void;
}

const CHANNEL_NAME = 'heddle.stream';

/**
 * The workspace's events, over one connection for all tabs of this browser: a browser opens only
 * six to a server, and each tab would hold one permanently. The tab that has the lock reads the
 * stream and forwards it to the others. Each tab remembers its own cursor, so the next one to get
 * the lock continues without a gap. Returns a function that stops it.
 */
export function shareStream({ client, after, onItem, onStateChange, onRefusal }: SharedStreamOptions): () => void {
  const channel = new BroadcastChannel(CHANNEL_NAME);
  const controller = new AbortController();
  let cursor = after;
  let leaderState: StreamState | undefined;

  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if ('item' in data) receiveItem(data.item);
    else if ('state' in data) onStateChange(data.state);
    else if (leaderState) broadcast({ state: leaderState });
  };
  broadcast({ ask: 'state' });
  if (navigator.locks) void navigator.locks.request(CHANNEL_NAME, { signal: controller.signal }, lead).catch(() => {});
  else void lead();

  return () => {
    controller.abort();
    channel.close();
  };

  async function lead(): Promise<void> {
    try {
      for await (const item of client.stream({ after: cursor, signal: controller.signal, onState })) {
        receiveItem(item);
        broadcast({ item });
      }
    } catch (error) {
      if (error instanceof HeddleRefusal) onRefusal(error);
    } finally {
      leaderState = undefined;
    }
  }

  function receiveItem(item: StreamItem): void {
    if (item.cursor !== undefined) cursor = item.cursor;
    onItem(item);
  }

  function onState(streamState: StreamState): void {
    leaderState = streamState;
    onStateChange(streamState);
    broadcast({ state: streamState });
  }

  function broadcast(message: TabMessage): void {
    if (!controller.signal.aborted) channel.postMessage(message);
  }
}
