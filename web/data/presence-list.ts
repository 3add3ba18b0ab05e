import type { ThreadClient, WirePresence } from '../../src/client/index.ts';
import { coalesce, createStore } from './store.ts';

/** Who is in a thread now, by participant. */
export function createPresenceList(remote: ThreadClient) {
  const list = createStore<ReadonlyMap<string, WirePresence>>(new Map());
  /** Updates that came while the list was loading: they are newer than it. */
  let updates: ReadonlyMap<string, WirePresence> = new Map();

  const refresh = coalesce(async () => {
    updates = new Map();
    const answer = await remote.presence().catch(() => undefined); // The next connection tries again.
    if (answer) list.set(new Map([...answer.presence.map((entry) => [entry.participant, entry] as const), ...updates]));
  });

  function update(entry: WirePresence): void {
    updates = new Map(updates).set(entry.participant, entry);
    list.set((entries) => new Map(entries).set(entry.participant, entry));
  }

  return { list, refresh, update };
}
