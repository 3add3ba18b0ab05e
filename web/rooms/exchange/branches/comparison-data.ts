import type { AuditItem, BranchComparison, RoundItem, TermValues } from '../../../../src/client/index.ts';
import { client } from '../../../data/session.ts';
import type { LiveExchange } from '../live-exchange.ts';

export const MAX_ROUNDS = 60;

export interface ComparisonData {
  readonly comparison: BranchComparison;
  readonly rounds: readonly [ReadonlyMap<number, RoundItem>, ReadonlyMap<number, RoundItem>];
  readonly audits: readonly [ReadonlyMap<number, AuditItem>, ReadonlyMap<number, AuditItem>];
  readonly terms: readonly [TermValues, TermValues];
}

export async function loadComparison(a: LiveExchange['queries'], other: string): Promise<ComparisonData> {
  const b = client.thread(other).exchange;
  const [comparison, ...rest] = await Promise.all([
    a.compare(other),
    ...[a, b].map((side) =>
      Promise.all([side.rounds({ limit: MAX_ROUNDS }), side.audits({ limit: MAX_ROUNDS }), side.terms()] as const),
    ),
  ]);
  const [left, right] = rest as [(typeof rest)[number], (typeof rest)[number]];
  const rounds = (side: typeof left) => new Map(side[0].rounds.map((each) => [each.round, each]));
  const audits = (side: typeof left) => new Map(side[1].audits.map((each) => [each.audit, each]));
  return {
    comparison,
    rounds: [rounds(left), rounds(right)],
    audits: [audits(left), audits(right)],
    terms: [left[2].now.terms, right[2].now.terms],
  };
}
