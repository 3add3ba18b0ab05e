import { HeddleRefusal, type NewEventBody, type WireEvent } from '../../../../src/client/index.ts';
import { browserStorage } from '../../../data/browser-storage.ts';
import { connection, isThreadOpen } from '../../../data/connection.ts';
import { client, describeError } from '../../../data/session.ts';
import { coalesce, createStore } from '../../../data/store.ts';

/** A message written here that the timeline does not show yet. Its command id identifies it when its event arrives. */
export interface OutgoingMessage {
  readonly command: string;
  readonly body: Extract<NewEventBody, { type: 'message' | 'task' }>;
  readonly ts: string;
  /** Why the server refused it. */
  readonly refusal?: string;
}

/**
 * Outgoing messages of one thread, in the order they were written. They survive a lost connection,
 * a reload and a closed tab. They are resent under the same command id, so each is stored once.
 */
export function createOutbox(thread: string, me: string) {
  const items = createStore<readonly OutgoingMessage[]>(browserStorage.outbox<OutgoingMessage>(thread));
  const acceptedCommands = new Set<string>();

  /** Sends all pending messages; if the server does not answer, the rest wait for the connection. */
  const sendPending = coalesce(async () => {
    for (let next = nextPending(); next; next = nextPending()) {
      try {
        await client.thread(thread).post(next.body, { id: next.command });
        acceptedCommands.add(next.command);
      } catch (error) {
        if (!(error instanceof HeddleRefusal)) return;
        const refusal = describeError(error);
        if (error.code === 'unauthenticated') return;
        saveItem({ ...next, refusal });
      }
    }
  });

  function nextPending(): OutgoingMessage | undefined {
    return items.get().find(({ command, refusal }) => !refusal && !acceptedCommands.has(command));
  }

  function send(body: OutgoingMessage['body']): void {
    saveItem({ command: newCommandId(), body, ts: new Date().toISOString() });
    void sendPending();
  }

  function sendAgain({ refusal: _, ...item }: OutgoingMessage): void {
    saveItem(item);
    void sendPending();
  }

  /** Removes items whose events arrived or that are to be edited again. */
  function remove(commands: ReadonlySet<string | undefined>): void {
    const removedItems = items.get().filter(({ command }) => commands.has(command));
    if (removedItems.length === 0) return;
    for (const { command } of removedItems) browserStorage.removeOutgoing(thread, command);
    items.set((all) => all.filter((item) => !removedItems.includes(item)));
  }

  /** Removes the messages whose events are now in the timeline. */
  function settle(events: readonly WireEvent[]): void {
    remove(new Set(events.filter(({ from }) => from === me).map(({ meta }) => meta.command)));
  }

  function saveItem(item: OutgoingMessage): void {
    browserStorage.setOutgoing(thread, item.command, item);
    items.set((all) =>
      all.some(({ command }) => command === item.command)
        ? all.map((other) => (other.command === item.command ? item : other))
        : [...all, item],
    );
  }

  return {
    items,
    send,
    sendPending,
    sendAgain,
    settle,
    remove: (command: string) => remove(new Set([command])),
    /** Whether the server has it. */
    isAccepted: (command: string) => acceptedCommands.has(command),
  };
}

/** Sends what waits in threads that are not open, whenever the server is back. Returns a function that stops it. */
export function sendFromClosedThreads(me: string): () => void {
  const send = coalesce(async () => {
    const closed = browserStorage.threadsWithOutgoing().filter((thread) => !isThreadOpen(thread));
    for (const thread of closed) {
      const { items, sendPending, remove, isAccepted } = createOutbox(thread, me);
      await sendPending();
      for (const { command } of items.get()) if (isAccepted(command)) remove(command);
    }
  });
  const onConnection = () => void (connection.get() === 'open' && send());
  onConnection();
  return connection.watch(onConnection);
}

/** Starts with the time, so that messages restored after a reload are in order. */
function newCommandId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  const random = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `page-${Date.now().toString(36)}-${random}`;
}
