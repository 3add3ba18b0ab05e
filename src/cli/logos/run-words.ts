import type { ExchangeStatus, RunView } from '../../core/exchange/view.ts';
import { own } from '../../core/own.ts';
import { counted } from '../numbers.ts';
import { oneLine } from '../text.ts';

export const ROUNDS_ENDS: Readonly<Record<string, string>> = {
  done: 'all that were asked for',
  stopped: 'they were stopped',
  replaced: 'others were begun',
  halted: 'the exchange was halted',
  branched: 'it goes on in a branch',
  rolled_back: 'it goes on from an earlier round, in a branch',
};

/** How a run stands, as a sentence. */
export function runWords({ run, state, done, rounds, reason, why, interrupted }: RunView): string {
  const far = rounds === undefined ? counted(done, 'round') : `${done} of ${counted(rounds, 'round')}`;
  if (interrupted) return `Run ${run} was interrupted after ${far}.`;
  if (state === 'running') return `Run ${run} goes on (${far}).`;
  if (state === 'paused') return `Run ${run} is paused after ${far}: ${oneLine(why ?? 'it was asked to.')}`;
  return `Run ${run} ended after ${far}: ${own(ROUNDS_ENDS, reason ?? '') ?? reason}.`;
}

/** What a restart request rests on. */
export function restartWords({ pending }: Pick<ExchangeStatus, 'pending'>): readonly string[] {
  return (pending?.evidence ?? []).map((each) =>
    each.by === 'mind'
      ? `${oneLine(each.mind)} asks for it: ${oneLine(each.reason)}`
      : `Cluster ${each.cluster} is about it, with thoughts of ${counted(each.iterations.length, 'iteration')}, ${Math.round(each.share * 100)} % of those in the active pool.`,
  );
}
