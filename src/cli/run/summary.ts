import type { ModelWait } from '../../core/runs/wait.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { getOwn } from '../../core/util/get-own.ts';
import { formatCost } from '../output/figures.ts';
import { oneLine } from '../output/text.ts';
import { isWaiting, waitingLine } from './progress.ts';

/** A run of a dialogue or of an exchange, as its status shows it. */
interface RunSummary {
  readonly run: number;
  readonly state: string;
  readonly done: number;
  readonly reason?: string | undefined;
  readonly why?: string | undefined;
  readonly spent: { readonly tokens: number; readonly money: number };
  readonly waiting?: ModelWait | undefined;
  readonly interrupted?: true | undefined;
}

interface RunWording {
  readonly unit: 'iteration' | 'round';
  /** The requested number of units. */
  readonly limit: number | undefined;
  /** Explanations of why a run ended, keyed by the reason in the log. */
  readonly endReasons: Readonly<Record<string, string>>;
}

/** The status and cost of a run (D31), as the second part of a sentence with its full stop. */
export function summarizeRun(
  { run, state, done, reason, why, spent, waiting, interrupted }: RunSummary,
  { unit, limit, endReasons }: RunWording,
): string {
  const progress = limit === undefined ? pluralize(done, unit) : `${done} of ${pluralize(limit, unit)}`;
  const cost = formatCost(spent);
  if (interrupted) return `run ${run} was interrupted after ${progress} (${cost}).`;
  if (state === 'running' && isWaiting(waiting))
    return `run ${run} is at ${progress} (${cost}). ${waitingLine(waiting)}`;
  if (state === 'running') return `run ${run} is at ${progress} (${cost}).`;
  if (state === 'paused')
    return `run ${run} is paused after ${progress} (${cost}): ${oneLine(why ?? 'you paused it.')}`;
  if (reason === 'done') return `completed ${progress} (${cost}).`;
  return `run ${run} ended after ${progress} (${cost}): ${getOwn(endReasons, reason ?? '') ?? reason}.`;
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
