import { Suspense } from 'react';
import { describeError } from '../data/session.ts';
import { createStore, useStore } from '../data/store.ts';
import { Button } from './controls/button.tsx';
import { showToast } from './floating/toast.tsx';
import { lazyWithRetry } from './lazy.ts';
import styles from './notice.module.css';
import { escapeBidi } from './text/escape-bidi.ts';
import type { WorkContext } from './work-context.ts';

const Progress = lazyWithRetry(async () => (await import('./status/progress.tsx')).Progress);

/** Tasks that take long enough to report progress. */
const runningWork = createStore<readonly RunningWork[]>([]);

interface RunningWork {
  readonly label: string;
  readonly status: string;
  readonly fraction: number | undefined;
  readonly controller: AbortController;
}

/** Runs a task without a place of its own on the page; its progress and errors appear at the bottom. */
export async function runWithNotice(work: (context: WorkContext) => Promise<unknown>, label = ''): Promise<void> {
  const controller = new AbortController();
  const others = (all: readonly RunningWork[]) => all.filter((each) => each.controller !== controller);
  try {
    await work({
      signal: controller.signal,
      onProgress: (status, fraction) =>
        runningWork.set((all) => [...others(all), { label, status, fraction, controller }]),
    });
  } catch (error) {
    if (!controller.signal.aborted) showNotice(describeError(error));
  } finally {
    runningWork.set(others);
  }
}

/** Says why something did not work, at the bottom of the page. */
export function showNotice(message: string | undefined): void {
  if (message) showToast({ message: escapeBidi(message), kind: 'failure' });
}

/** What is under way, how far it is, and a way to stop it. */
export function Notice() {
  const running = useStore(runningWork);
  if (running.length === 0) return null;
  return (
    <div className={styles.notices}>
      {running.map(({ label, status, fraction, controller }) => (
        <div key={label} className={styles.notice}>
          <p role="status" dir="auto">
            {escapeBidi(label)}
          </p>
          <Suspense fallback={<span />}>
            <Progress label={label} fraction={fraction ?? null} />
          </Suspense>
          <p className={styles.status} aria-hidden="true">
            {status}
          </p>
          <Button kind="quiet" onClick={() => controller.abort()}>
            Stop
          </Button>
        </div>
      ))}
    </div>
  );
}
