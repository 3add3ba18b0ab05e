import { listen } from './connection.ts';
import { keepStore } from './kept/kept-page.ts';
import { client } from './session.ts';
import { createStore } from './store.ts';

/** The threads that the person has pinned, in their order. */
export const pinnedThreads = createStore<readonly string[]>([]);
keepStore('pins', pinnedThreads);

/** Loads the pins and follows changes that the person makes in other browsers; call the result to stop. */
export function openPins(): () => void {
  void loadPins();
  return listen({
    onItem: ({ live }) => void (live?.type === 'pins.updated' && pinnedThreads.set(live.content.threads)),
    onStart: () => void loadPins(),
  });
}

export async function setPinned(thread: string, on: boolean): Promise<void> {
  pinnedThreads.set((await client.pins.set({ thread, on })).pins);
}

/** Without an answer the pins stay as they are; the next connection reads them again. */
async function loadPins(): Promise<void> {
  await client.pins.list().then(
    ({ pins }) => pinnedThreads.set(pins),
    () => {},
  );
}
