import { RUN_END_REASONS } from '../../core/dialogue/describe.ts';
import { type RunSummary, summarizeRun } from '../run/summary.ts';

const EMPTY_ANSWER = 'the model’s answer was empty, counted as silence';

/** The status and cost of a run. */
export function summarizeMindRun(run: RunSummary & { readonly empty?: true | undefined }, currency: string): string {
  const endReasons = run.empty ? { ...RUN_END_REASONS, silence: EMPTY_ANSWER, signal: EMPTY_ANSWER } : RUN_END_REASONS;
  return summarizeRun(run, { unit: 'iteration', endReasons }, currency);
}
