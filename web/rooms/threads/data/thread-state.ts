import type { ThreadClient, WireEvent, WireThreadState } from '../../../../src/client/index.ts';
import type { Event } from '../../../../src/core/events/event.ts';
import type { ThreadState } from '../../../../src/core/threads/state.ts';
import { parseCursor } from '../../../../src/protocol/cursor.ts';
import { createStore } from '../../../data/store.ts';

/** Loaded at once, while the server is reachable, beside the first thread. */
const foldModule = import('./thread-fold.ts').catch(() => undefined);

/** The state of a thread: the server's own at first, then folded on here by the same code, without a request. */
export function createThreadState(remote: ThreadClient) {
  const state = createStore<WireThreadState | undefined>(undefined);
  /** When agents must stop without a human's message; undefined without a limit (T8). */
  const deadline = createStore<number | undefined>(undefined);
  let folded: ThreadState;
  let fold: typeof import('./thread-fold.ts');
  let seq = 0;
  let imported: WireThreadState['imported'];
  let serverClockOffset = 0;

  /** Returns the seq of the loaded state. */
  async function load(): Promise<number> {
    const [answer, module] = await Promise.all([remote.fold(), foldModule]);
    fold = module ?? (await import('./thread-fold.ts'));
    folded = answer.fold as unknown as ThreadState;
    seq = Number(parseCursor('thread', answer.head));
    imported = answer.imported;
    serverClockOffset = Date.parse(answer.now) - Date.now();
    show();
    return seq;
  }

  function apply(events: readonly WireEvent[]): void {
    const { resumed } = folded;
    for (const event of events) {
      if (event.seq <= seq) continue;
      folded = fold.evolve(folded, event as Event);
      seq = event.seq;
    }
    show();
    // What an imported thread waits for depends on the log of imports, too, and the place of a text that was brought
    // here on the kind of thread.
    const isIncomplete = (imported && folded.resumed !== resumed) || events.some(({ meta }) => meta.origin);
    if (isIncomplete) void load().catch(() => {});
  }

  function show(): void {
    const { resumed: _, ...view } = fold.viewThread(folded, new Date(Date.now() + serverClockOffset).toISOString());
    const next = { ...view, ...(imported && { imported }) } as unknown as WireThreadState;
    deadline.set(next.ttl_remaining === undefined ? undefined : Date.now() + next.ttl_remaining * 1000);
    if (JSON.stringify(next) !== JSON.stringify(state.get())) state.set(next);
  }

  return { state, deadline, load, apply };
}
