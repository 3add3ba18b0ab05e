import {
  type RestoredWeave,
  restoreWeave,
  type ScratchEdit,
  scratchOf,
  type Weave,
  type WeaveNode,
} from '../../../../src/core/loom/weave/weave.ts';
import { browserStorage } from '../../../data/browser-storage.ts';
import { client } from '../../../data/session.ts';

type SavedScratch = ReturnType<typeof scratchOf>;

const SAVE_DELAY_MS = 400;

/**
 * Saves uncommitted changes, so that they survive a crash, a reload or a closed tab (W9): in this browser immediately,
 * and on the server, whose copy is enough once it has arrived.
 */
export function createScratch(loom: string, me: string, currentWeave: () => Weave) {
  const key = `${loom}.${me}`;
  const remote = client.thread(loom).loom;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastSaved = 'null';
  let savedScratch: SavedScratch | undefined;

  function save(): void {
    clearTimeout(timer);
    timer = undefined;
    const current = scratchOf(currentWeave());
    const scratch = current.edits.length === 0 && current.buffer === '' ? null : current;
    const text = JSON.stringify(scratch);
    if (text === lastSaved) return;
    lastSaved = text;
    browserStorage.setScratch(key, scratch ?? undefined);
    void remote
      .keepScratch(scratch as never)
      .then(() => lastSaved === text && browserStorage.setScratch(key, undefined))
      .catch(() => {}); // The browser keeps its copy.
  }

  function scheduleSave(): void {
    timer ??= setTimeout(save, SAVE_DELAY_MS);
  }

  const flush = () => timer !== undefined && save();
  addEventListener('pagehide', flush);
  document.addEventListener('visibilitychange', flush);

  return {
    scheduleSave,
    save,
    /** Prefers the browser's copy: it exists only until the server has it, so it is newer. */
    async load(): Promise<void> {
      savedScratch = browserStorage.scratch<SavedScratch>(key);
      if (savedScratch) return;
      const response = await remote.scratch().catch(() => undefined);
      savedScratch = response?.scratch ?? undefined;
      lastSaved = JSON.stringify(savedScratch ?? null);
    },
    restore(nodes: readonly WeaveNode[], mapEdit: (edit: ScratchEdit) => ScratchEdit): RestoredWeave | undefined {
      return savedScratch && restoreWeave(nodes, { ...savedScratch, edits: savedScratch.edits.map(mapEdit) });
    },
    close(): void {
      flush();
      removeEventListener('pagehide', flush);
      document.removeEventListener('visibilitychange', flush);
    },
  };
}
