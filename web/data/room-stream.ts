import { type Client, HeddleRefusal, type StreamItem, type StreamState } from '../../src/client/index.ts';
import { cursorOf } from '../../src/protocol/cursor.ts';
import { sleep } from './room-loader.tsx';

interface RoomStreamOptions {
  readonly after: string;
  readonly signal: AbortSignal;
  onState(state: StreamState): void;
}

/** A browser opens six connections to a server: one is for the workspace stream, one stays free for requests. */
const MAX_CONNECTIONS = 4;
const POLL_MS = 1_000;

/**
 * The events of one thread. Up to four visible rooms have a connection each. A fifth polls every
 * second until a connection is free, so that no window ever waits for another.
 */
export async function* roomStream(
  remote: ReturnType<Client['thread']>,
  { after, signal, onState }: RoomStreamOptions,
): AsyncGenerator<StreamItem, void, void> {
  let cursor = after;
  let isOpen = false;
  while (!signal.aborted) {
    const release = await acquireSlot();
    if (release) {
      try {
        return yield* remote.stream({ after: cursor, signal, onState });
      } finally {
        release();
      }
    }
    try {
      const page = await remote.events({ after: cursor, signal });
      cursor = page.cursor;
      if (!isOpen) onState('open');
      isOpen = true;
      yield* page.events.map((event) => ({ event, cursor: cursorOf('thread', event.seq) }));
      if (page.cursor === page.head) await sleep(POLL_MS);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof HeddleRefusal && error.status < 500 && error.status !== 429) throw error;
      if (isOpen) onState('waiting');
      isOpen = false;
      await sleep(POLL_MS);
    }
  }
}

/** Returns a function that releases the slot, or undefined if all slots are taken. */
async function acquireSlot(): Promise<(() => void) | undefined> {
  if (!navigator.locks) return () => {};
  for (let i = 0; i < MAX_CONNECTIONS; i++) {
    const release = await tryLock(`heddle.room.${i}`);
    if (release) return release;
  }
  return undefined;
}

function tryLock(name: string): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    void navigator.locks.request(name, { ifAvailable: true }, (lock) =>
      lock ? new Promise<void>((release) => resolve(release)) : resolve(undefined),
    );
  });
}
