import type { DialogueRunView } from '../../core/dialogue/view/view.ts';
import { summarizeRun as summarizeAnyRun } from '../run/summary.ts';

export const RUN_END_REASONS: Readonly<Record<string, string>> = {
  done: 'all iterations are done',
  silence: 'the mind had nothing more to say',
  signal: 'the mind signalled that you should look',
  accepted: 'a draft was accepted',
  withdrawn: 'the message was withdrawn',
  stopped: 'it was stopped',
  replaced: 'another run was started',
};

const EMPTY_ANSWER = 'the model answered with nothing, counted as silence';

/** The status and cost of a run. */
export function summarizeMindRun(run: DialogueRunView): string {
  const endReasons = run.empty ? { ...RUN_END_REASONS, silence: EMPTY_ANSWER, signal: EMPTY_ANSWER } : RUN_END_REASONS;
  return summarizeAnyRun(run, { unit: 'iteration', limit: run.iterations, endReasons });
}
