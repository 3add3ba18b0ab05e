import type { RoundItem } from '../../client/index.ts';
import type { Exchange } from '../../core/exchange/state.ts';
import type { EntryRow, ExchangeEntryType, ThoughtRow } from '../../core/exchange/view/schema.ts';
import { entriesView, thoughtRow } from '../../core/exchange/view/view.ts';

export const LOG_TYPES = [
  'thought',
  'injection',
  'audit',
  'auditor_role',
  'observer_role',
  'observer',
  'restart',
  'policy',
] as const;
export type ExchangeLogType = (typeof LOG_TYPES)[number];

export type ExchangeLogEntry =
  | EntryRow
  | (ThoughtRow & { readonly type: 'thought'; readonly round: number; readonly ts: string });

/** Thoughts and other entries of the given types, oldest first. */
export function logEntriesOf(exchange: Exchange, types: readonly ExchangeLogType[]): readonly ExchangeLogEntry[] {
  const entryTypes = types.filter((type): type is ExchangeEntryType => type !== 'thought');
  const entries = entriesView(exchange, { types: entryTypes, limit: exchange.entries.length }).entries;
  if (!types.includes('thought')) return entries.toReversed();
  const all: readonly ExchangeLogEntry[] = [...thoughtEntriesOf(exchange), ...entries.toReversed()];
  return all.toSorted((a, b) => (a.ts === b.ts ? 0 : a.ts < b.ts ? -1 : 1));
}

function thoughtEntriesOf(exchange: Exchange): readonly ExchangeLogEntry[] {
  return exchange.calls.slice().flatMap(({ ts, content, thoughtsAfter }) =>
    content.thoughts.flatMap((_, i) => {
      const row = thoughtRow(exchange, thoughtsAfter + i + 1);
      return row ? [{ type: 'thought' as const, round: content.round, ts, ...row }] : [];
    }),
  );
}

/** How many thoughts each round added to each cluster; the rounds are given newest first. */
export function clusterCountsByRound(newestFirst: readonly RoundItem[]) {
  const rounds = newestFirst.toReversed();
  const counts = new Map<number, number[]>();
  for (const [index, { thoughts }] of rounds.entries()) {
    for (const { cluster } of thoughts) {
      if (cluster === null) continue;
      const row = counts.get(cluster) ?? new Array<number>(rounds.length).fill(0);
      row[index] = (row[index] ?? 0) + 1;
      counts.set(cluster, row);
    }
  }
  return { rounds: rounds.map(({ round }) => round), counts };
}
