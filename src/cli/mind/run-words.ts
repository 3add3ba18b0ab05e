import type { RunView } from '../../core/dialogue/view.ts';
import { own } from '../../core/own.ts';
import { counted } from '../numbers.ts';
import { oneLine } from '../text.ts';

export const RUN_ENDS: Readonly<Record<string, string>> = {
  done: 'it did what it was asked to',
  silence: 'the mind had nothing more to say',
  accepted: 'a draft was accepted',
  withdrawn: 'the message was taken back',
  stopped: 'it was stopped',
  replaced: 'another one was begun',
};

/** How a run stands. */
export function runWords({ run, state, done, iterations, reason, why }: RunView): string {
  const far = iterations === undefined ? counted(done, 'iteration') : `${done} of ${counted(iterations, 'iteration')}`;
  if (state === 'running') return `run ${run} goes on (${far}).`;
  if (state === 'paused') return `run ${run} is paused after ${far}: ${oneLine(why ?? 'it was asked to.')}`;
  return `run ${run} ended after ${far}: ${own(RUN_ENDS, reason ?? '') ?? reason}.`;
}
