import type { RunView } from '../../core/dialogue/view/view.ts';
import { runWords as wordsOfRun } from '../run/summary.ts';

export const RUN_ENDS: Readonly<Record<string, string>> = {
  done: 'all iterations are done',
  silence: 'the mind had nothing more to say',
  signal: 'the mind signalled that you should look',
  accepted: 'a draft was accepted',
  withdrawn: 'the message was withdrawn',
  stopped: 'it was stopped',
  replaced: 'another run was started',
};

const EMPTY = 'the model answered with nothing, counted as silence';

/** How a run stands, and what it cost. */
export function runWords(run: RunView): string {
  const ends = run.empty ? { ...RUN_ENDS, silence: EMPTY, signal: EMPTY } : RUN_ENDS;
  return wordsOfRun(run, { unit: 'iteration', most: run.iterations, ends });
}
