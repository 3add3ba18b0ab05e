import { describeRun, type RunUnit, type RunView } from '../../core/runs/describe.ts';
import { getOwn } from '../../core/util/get-own.ts';
import { oneLine } from '../output/text.ts';
import { waitingLine } from './progress.ts';

/** A run of a dialogue or of an exchange, as its status shows it. */
export interface RunSummary extends RunView {
  readonly run: number;
  readonly reason?: string | undefined;
  readonly why?: string | undefined;
  readonly interrupted?: true | undefined;
}

interface RunWording {
  readonly unit: RunUnit;
  /** Explanations of why a run ended, keyed by the reason in the log. */
  readonly endReasons: Readonly<Record<string, string>>;
}

/** The status and cost of a run (D31), as the second part of a sentence with its full stop. */
export function summarizeRun(summary: RunSummary, { unit, endReasons }: RunWording, currency: string): string {
  const { run, state, reason, why, interrupted } = summary;
  const { progress, spent: cost, waiting } = describeRun(summary, unit, Date.now(), currency);
  if (interrupted) return `run ${run} was interrupted after ${progress} (${cost}).`;
  if (waiting) return `run ${run} is at ${progress} (${cost}). ${waitingLine(waiting)}`;
  if (state === 'running') return `run ${run} is at ${progress} (${cost}).`;
  if (state === 'paused')
    return `run ${run} is paused after ${progress} (${cost}): ${oneLine(why ?? 'you paused it.')}`;
  if (reason === 'done') return `completed ${progress} (${cost}).`;
  return `run ${run} ended after ${progress} (${cost}): ${getOwn(endReasons, reason ?? '') ?? reason}.`;
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
