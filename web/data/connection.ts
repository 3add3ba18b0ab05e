import { type Client, HeddleRefusal, type StreamItem, type StreamState } from '../../src/client/index.ts';
import { cursorOf, parseCursor } from '../../src/protocol/cursor.ts';
import { coalesce, createStore } from './store.ts';
import { createWatchList } from './watch-list.ts';

/** A message between the tabs of this browser. */
type TabMessage =
  | { readonly item: StreamItem }
  | { readonly state: StreamState; readonly cursor: string }
  | { readonly tab: string; readonly threads: readonly string[] }
  | { readonly ask: 'state' | 'threads' };

/** Receives what the stream brings to this tab: every event of the workspace once and in order, and live items. */
export interface StreamListener {
  onItem(item: StreamItem): void;
  /** The stream starts at another place: after the page has loaded the list of threads, for the first time or again. */
  onStart?(): void;
}

interface ConnectionOptions {
  readonly client: Client;
  /** The stream starts after this workspace cursor. */
  readonly after: string;
  /** The server refuses to continue: the session has ended, or the log was replaced. */
  onRefusal(refusal: HeddleRefusal): void;
}

const CHANNEL_NAME = 'heddle.stream';
const GAP_PAGE_SIZE = 1000;

/** The state of the one connection of this browser. */
export const connection = createStore<StreamState>('connecting');
const listeners = new Set<StreamListener>();
/** The threads whose rooms are visible in this tab. */
const openThreads = createStore<readonly string[]>([]);

export function listen(listener: StreamListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The person has this thread before their eyes, which counts as presence (T3). Call the result when that ends. */
export function enterThread(thread: string): () => void {
  openThreads.set((threads) => [...threads, thread]);
  return () => openThreads.set((threads) => threads.toSpliced(threads.indexOf(thread), 1));
}

/** Whether this tab shows the thread. */
export function isThreadOpen(thread: string): boolean {
  return openThreads.get().includes(thread);
}

/**
 * One connection for all tabs of this browser: a browser opens only six to a server. The tab that has the lock reads
 * the stream and forwards it to the others. Positions have no gaps, so each tab notices what it missed and reads that
 * from the log; the next tab to get the lock continues after its own position. Returns a function that stops it.
 */
export function openConnection({ client, after, onRefusal }: ConnectionOptions): () => void {
  const channel = new BroadcastChannel(CHANNEL_NAME);
  const controller = new AbortController();
  const { signal } = controller;
  const tab = Math.random().toString(36);
  let position = positionOf(after);
  let watchList: ReturnType<typeof createWatchList> | undefined;
  let heldState: StreamState | undefined;

  const readGap = coalesce(async () => {
    for (let hasMore = true; hasMore && !signal.aborted; ) {
      const start = position;
      const page = await client.events({ after: cursorOf('workspace', start), limit: GAP_PAGE_SIZE, signal });
      for (const [i, event] of page.events.entries())
        receiveItem({ event, cursor: cursorOf('workspace', start + i + 1) });
      hasMore = page.events.length > 0 && page.cursor !== page.head;
    }
  });

  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if ('item' in data) receiveItem(data.item);
    else if ('tab' in data) watchList?.setTab(data.tab, data.threads);
    else if ('state' in data) onHolderState(data.state, data.cursor);
    else if (data.ask === 'threads') announceThreads();
    else broadcastState();
  };
  const unwatch = openThreads.watch(announceThreads);
  document.addEventListener('visibilitychange', askState);
  addEventListener('pagehide', sayGoodbye);
  askState();
  announceThreads();
  for (const { onStart } of listeners) onStart?.();
  if (navigator.locks) void navigator.locks.request(CHANNEL_NAME, { signal }, hold).catch(() => {});
  else void hold();

  return () => {
    controller.abort();
    unwatch();
    document.removeEventListener('visibilitychange', askState);
    removeEventListener('pagehide', sayGoodbye);
    channel.close();
  };

  async function hold(): Promise<void> {
    watchList = createWatchList(client, callRoll);
    callRoll();
    try {
      for await (const item of client.stream({ after: cursorOf('workspace', position), signal, onState })) {
        broadcast({ item });
        receiveItem(item);
      }
    } catch (error) {
      if (error instanceof HeddleRefusal) onRefusal(error);
    } finally {
      heldState = undefined;
      watchList.stop();
      watchList = undefined;
    }
  }

  function onState(state: StreamState, stream?: string): void {
    heldState = state;
    connection.set(state);
    broadcastState();
    if (stream) watchList?.setStream(stream);
  }

  /** Another tab holds the connection; what it received before this tab listened is in the log. */
  function onHolderState(state: StreamState, cursor: string): void {
    connection.set(state);
    if (positionOf(cursor) > position) fillGap();
  }

  function receiveItem(item: StreamItem): void {
    if (item.cursor !== undefined) {
      const next = positionOf(item.cursor);
      if (next > position + 1) fillGap();
      if (next !== position + 1) return;
      position = next;
    }
    for (const { onItem } of [...listeners]) onItem(item);
  }

  /** If the server does not answer, the next event or the next state of the connection tries again. */
  function fillGap(): void {
    void readGap().catch(() => {});
  }

  function askState(): void {
    if (document.visibilityState === 'visible') broadcast({ ask: 'state' });
  }

  function callRoll(): void {
    announceThreads();
    broadcast({ ask: 'threads' });
  }

  function announceThreads(): void {
    const threads = openThreads.get();
    if (watchList) watchList.setTab(tab, threads);
    else broadcast({ tab, threads });
  }

  function sayGoodbye(): void {
    broadcast({ tab, threads: [] });
  }

  function broadcastState(): void {
    if (heldState) broadcast({ state: heldState, cursor: cursorOf('workspace', position) });
  }

  function broadcast(message: TabMessage): void {
    if (!signal.aborted) channel.postMessage(message);
  }
}

function positionOf(cursor: string): number {
  return Number(parseCursor('workspace', cursor));
}
