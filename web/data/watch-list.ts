import { type Client, HeddleRefusal } from '../../src/client/index.ts';
import { MAX_WATCHED_THREADS } from '../../src/protocol/stream-id.ts';
import { coalesce } from './store.ts';

/** A tab that crashed says nothing: who does not answer a roll call before the next one is gone. */
const ROLL_CALL_MS = 5_000;

/**
 * Tells the server which threads are open in visible tabs. Only the tab that holds the connection has one.
 * `callRoll` makes every tab say again which threads it has open.
 */
export function createWatchList(client: Client, callRoll: () => void) {
  const tabs = new Map<string, { readonly threads: readonly string[]; readonly round: number }>();
  const unknownThreads = new Set<string>();
  let stream: string | undefined;
  let declared = '';
  let round = 0;

  const declare = coalesce(async () => {
    const open = new Set([...tabs.values()].flatMap(({ threads }) => threads));
    for (const thread of unknownThreads) open.delete(thread);
    const threads = [...open].sort().slice(0, MAX_WATCHED_THREADS);
    if (stream === undefined || threads.join() === declared) return;
    const declaredStream = stream;
    try {
      await client.watch(declaredStream, threads);
      if (declaredStream === stream) declared = threads.join();
    } catch (error) {
      // Without an answer, the next roll call declares it again.
      const unknown = error instanceof HeddleRefusal && error.code === 'unknown_thread' && error.details.thread;
      if (!unknown) return;
      unknownThreads.add(String(unknown));
      void declare();
    }
  });

  const timer = setInterval(() => {
    for (const [tab, { round: lastRound }] of tabs) if (lastRound < round) tabs.delete(tab);
    round++;
    callRoll();
    void declare();
  }, ROLL_CALL_MS);

  return {
    setTab(tab: string, threads: readonly string[]): void {
      tabs.set(tab, { threads, round });
      void declare();
    },
    /** A new connection: the server knows of no open thread yet. */
    setStream(id: string): void {
      stream = id;
      declared = '';
      void declare();
    },
    stop: () => clearInterval(timer),
  };
}
