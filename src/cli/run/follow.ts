import type { ThreadClient } from '../../client/index.ts';
import type { watchChanges } from '../connect/changes.ts';
import { followText } from '../terminal/live-text.ts';
import type { createRunProgress } from './progress.ts';

type RunProgressDisplay = ReturnType<typeof createRunProgress>;

/** A run in progress, here or on a server, and the functions to follow it. */
export interface RunFollower {
  readonly changes: ReturnType<typeof watchChanges>;
  readonly progress: RunProgressDisplay;
  /** The thread whose stream shows what models are writing. */
  readonly thread: Pick<ThreadClient, 'stream'>;
  readonly signal: AbortSignal;
  /** Reads new events. */
  refresh(): Promise<unknown>;
  /** Prints what is new since the last call; calls `clear` before it writes. */
  printNew(clear: () => void): void;
  isRunning(): boolean;
  /** Whether the run has done the requested amount, even if it could continue. */
  hasReachedLimit(): boolean;
  stop(): Promise<unknown>;
  showProgress(progress: RunProgressDisplay): void;
  /** Throws if no server is left to do the work. */
  assertServed(): Promise<void>;
}

/** Follows a run until it ends. Ctrl-C stops the run itself, so nothing continues unseen; recorded events stay. */
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
