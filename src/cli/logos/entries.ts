import type { EntryType, Exchange } from '../../core/exchange/state.ts';
import { type EntryRow, entriesView, roundsView, type ThoughtRow, thoughtRow } from '../../core/exchange/view/view.ts';

export const TYPES = [
  'thought',
  'injection',
  'audit',
  'auditor_role',
  'observer_role',
  'observer',
  'restart',
  'policy',
] as const;
export type LogType = (typeof TYPES)[number];

export type Said = EntryRow | (ThoughtRow & { readonly type: 'thought'; readonly round: number; readonly ts: string });

/** Thoughts and everything else that was said, the oldest first. */
export function logOf(exchange: Exchange, types: readonly LogType[]): readonly Said[] {
  const entryTypes = types.filter((type): type is EntryType => type !== 'thought');
  const entries = entriesView(exchange, { types: entryTypes, limit: exchange.entries.length }).entries;
  if (!types.includes('thought')) return entries.toReversed();
  const all: readonly Said[] = [...thoughtsOf(exchange), ...entries.toReversed()];
  return all.toSorted((a, b) => (a.ts === b.ts ? 0 : a.ts < b.ts ? -1 : 1));
}

function thoughtsOf(exchange: Exchange): readonly Said[] {
  return exchange.calls.slice().flatMap(({ ts, content, thoughtsAfter }) =>
    content.thoughts.flatMap((_, i) => {
      const row = thoughtRow(exchange, thoughtsAfter + i + 1);
      return row ? [{ type: 'thought' as const, round: content.round, ts, ...row }] : [];
    }),
  );
}

/** How many thoughts each round added to each cluster. */
export function perRound(exchange: Exchange, latest: number) {
  const rounds = roundsView(exchange, { limit: latest }).rounds.toReversed();
  const counts = new Map<number, number[]>();
  for (const [at, { thoughts }] of rounds.entries()) {
    for (const { cluster } of thoughts) {
      if (cluster === null) continue;
      const row = counts.get(cluster) ?? new Array<number>(rounds.length).fill(0);
      row[at] = (row[at] ?? 0) + 1;
      counts.set(cluster, row);
    }
  }
  return { rounds: rounds.map(({ round }) => round), counts };
}
