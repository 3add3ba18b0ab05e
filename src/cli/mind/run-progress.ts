import type { RunView } from '../../core/dialogue/view.ts';
import { money } from '../models/figures.ts';
import type { Output } from '../output.ts';
import { shorten } from '../text.ts';
import { budgetLeft } from './run-words.ts';

/** One line under what a mind writes: how far, how fast, what it cost and what is left (I3); on a terminal only. */
export function createRunProgress({ json }: Output) {
  const { stderr } = process;
  const start = performance.now();
  let first: number | undefined;
  let shown = false;

  function show(run: RunView, iteration: number) {
    if (json || !stderr.isTTY) return;
    first ??= run.done;
    const minutes = (performance.now() - start) / 60_000;
    const made = run.done - first;
    const left = budgetLeft(run, Date.now());
    const parts = [
      `Iteration ${iteration}`,
      ...(made > 0 ? [`${(made / minutes).toFixed(1)} a minute`] : []),
      `cost ${money(run.spent.money)}`,
      ...(left ? [`left: ${left}`] : []),
    ];
    stderr.write(`\r\x1b[K${shorten(`${parts.join(' · ')} (Ctrl-C stops)`, (stderr.columns || 80) - 1)}`);
    shown = true;
  }

  /** Removes the line. */
  function clear() {
    if (shown) stderr.write('\r\x1b[K');
    shown = false;
  }

  return { show, clear };
}
