import type { RunView } from '../../core/dialogue/view.ts';
import { own } from '../../core/own.ts';
import { costWords } from '../models/figures.ts';
import { counted } from '../numbers.ts';
import { waitingLine } from '../run-progress.ts';
import { oneLine } from '../text.ts';

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
export function runWords(view: RunView): string {
  const { run, state, done, iterations, reason, why, spent, waiting, interrupted } = view;
  const far = iterations === undefined ? counted(done, 'iteration') : `${done} of ${counted(iterations, 'iteration')}`;
  const cost = costWords(spent);
  if (interrupted) return `run ${run} was interrupted after ${far} (${cost}).`;
  if (state === 'running' && waiting) return `run ${run} is at ${far} (${cost}). ${waitingLine(waiting)}`;
  if (state === 'running') return `run ${run} is at ${far} (${cost}).`;
  if (state === 'paused') return `run ${run} is paused after ${far} (${cost}): ${oneLine(why ?? 'you paused it.')}`;
  if (reason === 'done') return `completed ${far} (${cost}).`;
  return `run ${run} ended after ${far} (${cost}): ${own(RUN_ENDS, reason ?? '') ?? reason}.`;
}
