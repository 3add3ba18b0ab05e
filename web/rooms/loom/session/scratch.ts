import {
  type Restored,
  restoreWeave,
  type ScratchEdit,
  scratchOf,
  type Weave,
  type WeaveNode,
} from '../../../../src/core/loom/weave/weave.ts';
import { kept } from '../../../data/browser-storage.ts';
import { client } from '../../../data/session.ts';

type Scratch = ReturnType<typeof scratchOf>;

const PAUSE_MS = 400;

/**
 * Keeps what is not committed, so that it is back after a crash, a reload or a closed tab (W9): in this browser at
 * once, and with the server, whose copy is as good as soon as it has it.
 */
export function createScratch(loom: string, me: string, now: () => Weave) {
  const name = `${loom}.${me}`;
  const remote = client.thread(loom).loom;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 'null';
  let found: Scratch | undefined;

  function save(): void {
    clearTimeout(timer);
    timer = undefined;
    const all = scratchOf(now());
    const scratch = all.edits.length === 0 && all.buffer === '' ? null : all;
    const text = JSON.stringify(scratch);
    if (text === last) return;
    last = text;
    kept.keepScratch(name, scratch ?? undefined);
    void remote
      .keepScratch(scratch as never)
      .then(() => last === text && kept.keepScratch(name, undefined))
      .catch(() => {}); // It is kept here.
  }

  function changed(): void {
    timer ??= setTimeout(save, PAUSE_MS);
  }

  const hidden = () => timer !== undefined && save();
  addEventListener('pagehide', hidden);
  document.addEventListener('visibilitychange', hidden);

  return {
    changed,
    save,
    /** What this browser has is newer than what it could tell the server. */
    async load(): Promise<void> {
      found = kept.scratch<Scratch>(name);
      if (found) return;
      const answer = await remote.scratch().catch(() => undefined);
      found = answer?.scratch ?? undefined;
      last = JSON.stringify(found ?? null);
    },
    restore(nodes: readonly WeaveNode[], finished: (edit: ScratchEdit) => ScratchEdit): Restored | undefined {
      return found && restoreWeave(nodes, { ...found, edits: found.edits.map(finished) });
    },
    close(): void {
      hidden();
      removeEventListener('pagehide', hidden);
      document.removeEventListener('visibilitychange', hidden);
    },
  };
}
