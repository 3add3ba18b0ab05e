import type { ExchangeStatus, RunView } from '../../core/exchange/view/view.ts';
import { counted } from '../output/numbers.ts';
import { oneLine } from '../output/text.ts';
import { capital, runWords as wordsOfRun } from '../run/summary.ts';

export const ROUNDS_ENDS: Readonly<Record<string, string>> = {
  done: 'all rounds are done',
  stopped: 'they were stopped',
  replaced: 'others were begun',
  halted: 'the exchange was halted',
  branched: 'it goes on in a branch',
  rolled_back: 'it goes on from an earlier round, in a branch',
};

/** How a run stands, and what it cost. */
export function runWords(run: RunView): string {
  return capital(wordsOfRun(run, { unit: 'round', most: run.rounds, ends: ROUNDS_ENDS }));
}

/** What a restart request rests on. */
export function restartWords({ pending }: Pick<ExchangeStatus, 'pending'>): readonly string[] {
  return (pending?.evidence ?? []).map((each) =>
    each.by === 'mind'
      ? `${oneLine(each.mind)} asks for it: ${oneLine(each.reason)}`
      : `Cluster ${each.cluster} is about it, with thoughts of ${counted(each.iterations.length, 'iteration')}, ${Math.round(each.share * 100)} % of those in the active pool.`,
  );
}
