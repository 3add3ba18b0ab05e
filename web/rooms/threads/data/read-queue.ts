import { HeddleRefusal } from '../../../../src/client/index.ts';
import { sentenceFor } from '../../../data/session.ts';
import type { Store } from '../../../data/store.ts';
import type { Stretch } from './event-range.ts';

/** One reading after the other; what fails is said, and can be tried again. */
export function readingOf(stretch: Store<Stretch>, otherLog: () => void = () => {}) {
  let reading: Promise<void> | undefined;

  function read(work: () => Promise<void>): Promise<void> {
    const mine = (reading ? reading.then(work) : work()).catch(failed).finally(() => {
      if (reading === mine) reading = undefined;
    });
    reading = mine;
    return mine;
  }

  function failed(error: unknown): void {
    const problem = sentenceFor(error);
    const code = error instanceof HeddleRefusal ? error.code : undefined;
    if (code === 'wrong_cursor') otherLog();
    const isMissing = code === 'unknown_thread';
    stretch.set((before) => ({ ...before, problem, ...(isMissing && { phase: 'missing' as const }) }));
  }

  return { read, failed, isReading: () => reading !== undefined };
}
