import { HeddleRefusal } from '../../../../src/client/index.ts';
import type { Scratch } from '../../../../src/core/loom/weave/weave.ts';
import { browserStorage } from '../../../data/browser-storage.ts';
import { connection } from '../../../data/connection.ts';
import { client } from '../../../data/session.ts';
import { createStore } from '../../../data/store.ts';

/** What this tab keeps in the browser; of scratch that the server has, only that it is this tab's. */
type StoredScratch = Partial<Scratch> & { readonly isOnServer?: boolean };

const SAVE_DELAY_MS = 400;
const RETRY_DELAY_MS = 1000;

/**
 * Saves uncommitted changes, so that they survive a crash, a reload or a closed tab (W9): in this browser immediately,
 * and on the server, whose copy is enough once it has arrived. The server has one copy for each person: if several tabs
 * have changes, it is the first one's, and the others keep theirs in the browser.
 */
export function createScratch(loom: string, me: string, currentScratch: () => Scratch) {
  const key = `${loom}.${me}`;
  const remote = client.thread(loom).loom;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let [lastSaved, storedText] = ['null', 'null'];
  /** Whether the server has all changes. */
  const isSaved = createStore(true);

  function save(): void {
    clearTimeout(timer);
    timer = undefined;
    const current = currentScratch();
    const scratch = current.edits.length === 0 && current.buffer === '' ? null : current;
    const text = JSON.stringify(scratch);
    isSaved.set(scratch === null || text === storedText);
    if (text === lastSaved) return;
    lastSaved = text;
    const isOnServer = !isServerCopyTaken();
    browserStorage.setScratch(key, scratch ? { ...scratch, isOnServer } : undefined);
    if (isOnServer) void send(scratch, text);
  }

  async function send(scratch: Scratch | null, text: string): Promise<void> {
    try {
      await remote.keepScratch(scratch as never);
      storedText = text;
      if (lastSaved !== text) return;
      isSaved.set(timer === undefined);
      if (scratch) browserStorage.setScratch(key, { isOnServer: true });
    } catch {
      if (lastSaved === text) lastSaved = ''; // The browser keeps its copy, and the next connection tries again.
    }
  }

  function isServerCopyTaken(): boolean {
    return browserStorage.scratchOfOthers<StoredScratch>(key).some(({ isOnServer }) => isOnServer);
  }

  function scheduleSave(): void {
    isSaved.set(false);
    timer ??= setTimeout(save, SAVE_DELAY_MS);
  }

  /** Until it is known what the server has, nothing may be saved over it: a failed request is repeated. */
  async function readServerCopy(): Promise<Scratch | null> {
    while (!isClosed) {
      try {
        return (await remote.scratch()).scratch;
      } catch (error) {
        if (error instanceof HeddleRefusal && error.code !== 'rate_limited') return null;
        await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
      }
    }
    return null;
  }

  const flush = () => timer !== undefined && save();
  addEventListener('pagehide', flush);
  document.addEventListener('visibilitychange', flush);
  const unwatch = connection.watch(() => connection.get() === 'open' && !isSaved.get() && save());

  return {
    isSaved,
    scheduleSave,
    save,
    /** Prefers the browser's copy: it exists only until the server has it, so it is newer. */
    async load(): Promise<Scratch | undefined> {
      const stored = browserStorage.scratch<StoredScratch>(key);
      if (stored?.edits) {
        scheduleSave();
        return stored as Scratch;
      }
      if (!stored && isServerCopyTaken()) return undefined;
      browserStorage.setScratch(key, { isOnServer: true }); // At once, so that no other tab takes it, too.
      const kept = await readServerCopy();
      if (kept === null) browserStorage.setScratch(key, undefined);
      lastSaved = storedText = JSON.stringify(kept);
      return kept ?? undefined;
    },
    close(): void {
      isClosed = true;
      flush();
      unwatch();
      removeEventListener('pagehide', flush);
      document.removeEventListener('visibilitychange', flush);
    },
  };
}
