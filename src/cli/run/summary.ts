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
  /** How many it was asked for. */
  readonly limit: number | undefined;
  /** Why it ended, by the reason that the log has. */
  readonly endReasons: Readonly<Record<string, string>>;
}

/** How a run stands, and what it cost (D31): the middle of a sentence, up to its end. */
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
