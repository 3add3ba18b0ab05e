import type { ExchangeStatus } from '../../client/index.ts';
import { ROUNDS_END_REASONS } from '../../core/exchange/describe.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { oneLine } from '../output/text.ts';
import { capitalize, type RunSummary, summarizeRun } from '../run/summary.ts';

/** The status and cost of a run. */
export function summarizeRounds(run: RunSummary, currency: string): string {
  return capitalize(summarizeRun(run, { unit: 'round', endReasons: ROUNDS_END_REASONS }, currency));
}

/** The reasons for a restart request. */
export function restartReasons({ pending }: Pick<ExchangeStatus, 'pending'>): readonly string[] {
  return (pending?.evidence ?? []).map((each) =>
    each.by === 'mind'
      ? `${oneLine(each.mind)} asks for a restart: ${oneLine(each.reason)}`
      : `Cluster ${each.cluster} is about a restart, with thoughts of ${pluralize(each.iterations.length, 'answer')}, ${Math.round(each.share * 100)} % of those in the active pool.`,
  );
}
