import type { Client } from '../../client/index.ts';
import type { createWakes } from '../connect/wakes.ts';
import { followText } from '../terminal/live-text.ts';
import type { createRunProgress } from './progress.ts';

type Progress = ReturnType<typeof createRunProgress>;

/** Work that goes on somewhere, and how it is seen. */
export interface Followable {
  readonly wakes: ReturnType<typeof createWakes>;
  readonly progress: Progress;
  /** Where what models write can be seen as it comes. */
  readonly thread: Pick<ReturnType<Client['thread']>, 'stream'>;
  readonly signal: AbortSignal;
  /** Takes in what is new. */
  refresh(): Promise<unknown>;
  /** Tells what came since it was last asked; calls `clear` before it writes. */
  tell(clear: () => void): void;
  goesOn(): boolean;
  /** It has done what was wanted, though it would go on. */
  enough(): boolean;
  stop(): Promise<unknown>;
  show(progress: Progress): void;
  /** Fails when nobody is left to do it. */
  mustBeServed(): Promise<void>;
}

/** Until it is over. Ctrl-C ends it: what was recorded stays, and nothing goes on unseen. */
export async function followWork(work: Followable): Promise<void> {
  const { wakes, progress, signal, thread } = work;
  const writing = progress.isShown
    ? followText(thread.stream, () => progress.setTexts(writing?.current() ?? []))
    : undefined;
  try {
    for (let stopped = false; ; ) {
      const woken = wakes.next();
      await work.refresh();
      work.tell(progress.clear);
      if (!work.goesOn()) return;
      if (!stopped && (signal.aborted || work.enough())) {
        stopped = true;
        await work.stop();
        continue;
      }
      work.show(progress);
      await work.mustBeServed();
      await woken;
    }
  } finally {
    writing?.close();
    progress.clear();
  }
}
