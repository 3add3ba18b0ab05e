import { describeError } from '../data/session.ts';
import { createStore, useStore } from '../data/store.ts';
import { ActionButton } from './action-button.tsx';
import { RefusalMessage } from './refusal.tsx';
import { escapeBidi } from './text/escape-bidi.ts';
import type { WorkContext } from './work-context.ts';

/** Why an action without a place of its own on the page failed. */
const notice = createStore<string | undefined>(undefined);
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
  notice.set(undefined);
  try {
    await work({
      signal: controller.signal,
      onProgress: (status, fraction) =>
        runningWork.set((all) => [...others(all), { label, status, fraction, controller }]),
    });
  } catch (error) {
    if (!controller.signal.aborted) notice.set(describeError(error));
  } finally {
    runningWork.set(others);
  }
}

/** Shows a sentence at the bottom of the page. */
export function showNotice(message: string | undefined): void {
  notice.set(message);
}

export function Notice() {
  const message = useStore(notice);
  const running = useStore(runningWork);
  if (!message && running.length === 0) return null;
  return (
    <div className="notice">
      {running.map(({ label, status, fraction, controller }) => (
        <div key={label}>
          <p role="status" dir="auto">
            {escapeBidi(label)}
          </p>
          <progress aria-label={label} value={fraction} />
          <p className="soft" aria-hidden="true">
            {status}
          </p>
          <ActionButton onClick={() => controller.abort()}>Stop</ActionButton>
        </div>
      ))}
      {message && (
        <div>
          <RefusalMessage reason={message} />
          <ActionButton onClick={() => notice.set(undefined)}>Close</ActionButton>
        </div>
      )}
    </div>
  );
}
