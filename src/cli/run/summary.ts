import type { Waiting } from '../../core/runs/wait.ts';
import { own } from '../../core/util/get-own.ts';
import { costWords } from '../output/figures.ts';
import { counted } from '../output/numbers.ts';
import { oneLine } from '../output/text.ts';
import { isWaiting, waitingLine } from './progress.ts';

/** A run of a dialogue or of an exchange, as its status shows it. */
interface RunShown {
  readonly run: number;
  readonly state: string;
  readonly done: number;
  readonly reason?: string | undefined;
  readonly why?: string | undefined;
  readonly spent: { readonly tokens: number; readonly money: number };
  readonly waiting?: Waiting | undefined;
  readonly interrupted?: true | undefined;
}

interface Words {
  readonly unit: 'iteration' | 'round';
  /** How many it was asked for. */
  readonly most: number | undefined;
  /** Why it ended, by the reason that the log has. */
  readonly ends: Readonly<Record<string, string>>;
}

/** How a run stands, and what it cost (D31): the middle of a sentence, up to its end. */
export function runWords(
  { run, state, done, reason, why, spent, waiting, interrupted }: RunShown,
  { unit, most, ends }: Words,
): string {
  const far = most === undefined ? counted(done, unit) : `${done} of ${counted(most, unit)}`;
  const cost = costWords(spent);
  if (interrupted) return `run ${run} was interrupted after ${far} (${cost}).`;
  if (state === 'running' && isWaiting(waiting)) return `run ${run} is at ${far} (${cost}). ${waitingLine(waiting)}`;
  if (state === 'running') return `run ${run} is at ${far} (${cost}).`;
  if (state === 'paused') return `run ${run} is paused after ${far} (${cost}): ${oneLine(why ?? 'you paused it.')}`;
  if (reason === 'done') return `completed ${far} (${cost}).`;
  return `run ${run} ended after ${far} (${cost}): ${own(ends, reason ?? '') ?? reason}.`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
