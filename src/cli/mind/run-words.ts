import type { RunView } from '../../core/dialogue/view.ts';
import { runWords as wordsOfRun } from '../run-words.ts';

export const RUN_ENDS: Readonly<Record<string, string>> = {
  done: 'all iterations are done',
  silence: 'the mind had nothing more to say',
  signal: 'the mind signalled that you should look',
  accepted: 'a draft was accepted',
  withdrawn: 'the message was withdrawn',
  stopped: 'it was stopped',
  replaced: 'another run was started',
};

/** How a run stands, and what it cost. */
export function runWords(run: RunView): string {
  return wordsOfRun(run, { unit: 'iteration', most: run.iterations, ends: RUN_ENDS });
}
