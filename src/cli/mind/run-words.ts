import type { RunView } from '../../core/dialogue/view.ts';
import { money } from '../models/figures.ts';
import { oneLine } from '../text.ts';
import { counted } from './numbers.ts';

const ENDS: Readonly<Record<string, string>> = {
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
  return `run ${run} ended after ${far}: ${ENDS[reason ?? ''] ?? reason}.`;
}

/** What is left of a run's budget, each kind of it. */
export function budgetLeft({ budget, spent, iterations, done, since }: RunView, now: number): string {
  const left = [
    iterations !== undefined && counted(Math.max(0, iterations - done), 'iteration'),
    budget.iterations !== undefined && counted(Math.max(0, budget.iterations - spent.iterations), 'iteration'),
    budget.tokens !== undefined && counted(Math.max(0, budget.tokens - spent.tokens), 'token'),
    budget.money !== undefined && money(Math.max(0, budget.money - spent.money)),
    budget.seconds !== undefined && `${Math.max(0, Math.ceil(budget.seconds - (now - Date.parse(since)) / 1000))} s`,
  ].filter(Boolean);
  return left.join(', ');
}
