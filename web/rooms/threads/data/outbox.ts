import { HeddleRefusal, type NewEvent, type WireEvent } from '../../../../src/client/index.ts';
import { kept } from '../../../data/browser-storage.ts';
import { client, sentenceFor } from '../../../data/session.ts';
import { createStore, oneAtATime } from '../../../data/store.ts';

/** Something written here that the timeline does not show yet. Its command's id tells it apart when it comes back. */
export interface Outgoing {
  readonly command: string;
  readonly body: Extract<NewEvent, { type: 'message' | 'task' }>;
  readonly ts: string;
  /** Why the server did not take it. */
  readonly refusal?: string;
}

/**
 * Messages on their way out of one thread, in the order they were written. They
 * outlast a lost connection, a reload and a closed tab: sent again under the
 * same command id, they are stored once.
 */
export function createOutbox(thread: string, me: string) {
  const items = createStore<readonly Outgoing[]>(kept.outbox<Outgoing>(thread));
  const taken = new Set<string>();

  /** Sends all that wait; when nobody answers, the rest waits for the connection. */
  const sendWaiting = oneAtATime(async () => {
    for (let next = nextWaiting(); next; next = nextWaiting()) {
      try {
        await client.thread(thread).post(next.body, { id: next.command });
        taken.add(next.command);
      } catch (error) {
        if (!(error instanceof HeddleRefusal)) return;
        const refusal = sentenceFor(error);
        if (error.code === 'unauthenticated') return;
        put({ ...next, refusal });
      }
    }
  });

  function nextWaiting(): Outgoing | undefined {
    return items.get().find(({ command, refusal }) => !refusal && !taken.has(command));
  }

  function send(body: Outgoing['body']): void {
    put({ command: newCommand(), body, ts: new Date().toISOString() });
    void sendWaiting();
  }

  function sendAgain({ refusal: _, ...item }: Outgoing): void {
    put(item);
    void sendWaiting();
  }

  /** Takes items out: they came back, or are to be written anew. */
  function remove(commands: ReadonlySet<string | undefined>): void {
    const leaving = items.get().filter(({ command }) => commands.has(command));
    if (leaving.length === 0) return;
    for (const { command } of leaving) kept.forgetOutgoing(thread, command);
    items.set((all) => all.filter((item) => !leaving.includes(item)));
  }

  /** Events of the timeline: what they stored is no longer outgoing. */
  function settle(events: readonly WireEvent[]): void {
    remove(new Set(events.filter(({ from }) => from === me).map(({ meta }) => meta.command)));
  }

  function put(item: Outgoing): void {
    kept.keepOutgoing(thread, item.command, item);
    items.set((all) =>
      all.some(({ command }) => command === item.command)
        ? all.map((one) => (one.command === item.command ? item : one))
        : [...all, item],
    );
  }

  return { items, send, sendWaiting, sendAgain, settle, remove: (command: string) => remove(new Set([command])) };
}

/** Begins with the time, so that what is found again after a reload is in order. */
function newCommand(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  const random = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `page-${Date.now().toString(36)}-${random}`;
}
