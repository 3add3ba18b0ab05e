import { HeddleRefusal } from '../../../../src/client/index.ts';
import { describeError } from '../../../data/session.ts';
import type { Store } from '../../../data/store.ts';
import type { EventRange } from './event-range.ts';

/** Runs reads one at a time; a failure is reported and can be retried. */
export function createReadQueue(range: Store<EventRange>, onDifferentLog: () => void = () => {}) {
  let pendingRead: Promise<void> | undefined;

  function read(work: () => Promise<void>): Promise<void> {
    const current = (pendingRead ? pendingRead.then(work) : work()).catch(reportError).finally(() => {
      if (pendingRead === current) pendingRead = undefined;
    });
    pendingRead = current;
    return current;
  }

  function reportError(error: unknown): void {
    const problem = describeError(error);
    const code = error instanceof HeddleRefusal ? error.code : undefined;
    if (code === 'wrong_cursor') onDifferentLog();
    const isMissing = code === 'unknown_thread';
    range.set((previous) => ({ ...previous, problem, ...(isMissing && { phase: 'missing' as const }) }));
  }

  return { read, isReading: () => pendingRead !== undefined };
}
