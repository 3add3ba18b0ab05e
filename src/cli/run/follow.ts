import type { ThreadClient } from '../../client/index.ts';
import type { watchChanges } from '../connect/changes.ts';
import { followText } from '../terminal/live-text.ts';
import type { createRunProgress } from './progress.ts';

type RunProgressDisplay = ReturnType<typeof createRunProgress>;

/** Work that goes on somewhere, and how it is seen. */
export interface RunFollower {
  readonly changes: ReturnType<typeof watchChanges>;
  readonly progress: RunProgressDisplay;
  /** Where what models write can be seen as it comes. */
  readonly thread: Pick<ThreadClient, 'stream'>;
  readonly signal: AbortSignal;
  /** Takes in what is new. */
  refresh(): Promise<unknown>;
  /** Tells what came since it was last asked; calls `clear` before it writes. */
  printNew(clear: () => void): void;
  isRunning(): boolean;
  /** It has done what was wanted, though it would go on. */
  hasReachedLimit(): boolean;
  stop(): Promise<unknown>;
  showProgress(progress: RunProgressDisplay): void;
  /** Fails when nobody is left to do it. */
  assertServed(): Promise<void>;
}

/** Until it is over. Ctrl-C ends it: what was recorded stays, and nothing goes on unseen. */
export async function followRun(follower: RunFollower): Promise<void> {
  const { changes, progress, signal, thread } = follower;
  const liveTexts = progress.isShown
    ? followText(thread.stream, () => progress.setTexts(liveTexts?.current() ?? []))
    : undefined;
  try {
    for (let isStopping = false; ; ) {
      const nextChange = changes.next();
      await follower.refresh();
      follower.printNew(progress.clear);
      if (!follower.isRunning()) return;
      if (!isStopping && (signal.aborted || follower.hasReachedLimit())) {
        isStopping = true;
        await follower.stop();
        continue;
      }
      follower.showProgress(progress);
      await follower.assertServed();
      await nextChange;
    }
  } finally {
    liveTexts?.close();
    progress.clear();
  }
}
