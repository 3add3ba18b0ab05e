import { canonicalJson } from '../../events/canonical.ts';
import { clusterOf, membersOf, topCluster } from '../../pool/members.ts';
import { activeSizes, activeThoughts, type ThoughtPool, thoughtOf } from '../../pool/state.ts';
import { currentTerms, type Exchange } from '../state.ts';
import type { ClusterPair, ClusterSide, ComparedSide, ExchangeComparison } from '../view/schema.ts';

/** Two branches side by side, aligned by round (X9). */
export function compareExchanges(a: Exchange, b: Exchange, latest = 200): ExchangeComparison {
  const common = commonRounds(a, b);
  const maxRounds = Math.max(a.rounds.length, b.rounds.length);
  const first = common + 1;
  const from = Math.max(1, maxRounds - latest + 1);
  const [auditsA, auditsB] = [auditsByRound(a), auditsByRound(b)];
  return {
    a: sideOf(a),
    b: sideOf(b),
    common,
    first_difference: first > maxRounds ? null : { round: first, a: thoughtsIn(a, first), b: thoughtsIn(b, first) },
    terms: differingTerms(a, b),
    clusters: pairsOf(a, b, common),
    rounds: Array.from({ length: maxRounds - from + 1 }, (_, i) => {
      const round = from + i;
      return {
        round,
        a: a.rounds.at(round - 1)?.drift ?? null,
        b: b.rounds.at(round - 1)?.drift ?? null,
        audits: [auditsA.get(round) ?? null, auditsB.get(round) ?? null] as const,
      };
    }),
  };
}

/** Forks share the events of their past, so a binary search finds the last common round. */
function commonRounds(a: Exchange, b: Exchange): number {
  let [low, high] = [0, Math.min(a.rounds.length, b.rounds.length)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (a.rounds.at(middle - 1)?.event === b.rounds.at(middle - 1)?.event) low = middle;
    else high = middle - 1;
  }
  return low;
}

function sideOf(state: Exchange): ComparedSide {
  return {
    rounds: state.rounds.length,
    thoughts: state.pool.thoughts.length,
    audits: state.audits.length,
    phase: state.phase,
    control: state.branch?.kind === 'control',
  };
}

function thoughtsIn({ rounds, pool }: Exchange, round: number): readonly string[] | null {
  const foundRound = rounds.at(round - 1);
  if (!foundRound) return null;
  return pool.thoughts.slice(...foundRound.thoughts).map(({ text }) => text);
}

function differingTerms(a: Exchange, b: Exchange): readonly string[] {
  const [one, other] = [currentTerms(a).terms, currentTerms(b).terms];
  return (Object.keys(one) as (keyof typeof one)[]).filter(
    (name) => canonicalJson(one[name]) !== canonicalJson(other[name]),
  );
}

function auditsByRound({ audits }: Exchange): ReadonlyMap<number, number> {
  return new Map(audits.slice().map(({ content }) => [content.round, content.audit]));
}

const MIN_SIMILARITY = 0.2;

/** Pairs clusters of the common past by id, and the others by the words their active thoughts share. */
function pairsOf(a: Exchange, b: Exchange, common: number): readonly ClusterPair[] {
  const sharedThoughts = a.rounds.at(common - 1)?.thoughts[1] ?? 0;
  const lastSharedCluster =
    common === 0 ? 0 : Math.min(highestClusterAt(a.pool, sharedThoughts), highestClusterAt(b.pool, sharedThoughts));
  const [left, right] = [clustersOf(a.pool), clustersOf(b.pool)];
  const pairs: ClusterPair[] = [];
  for (const [id, one] of left) {
    const other = id <= lastSharedCluster ? right.get(id) : undefined;
    if (!other) continue;
    pairs.push({ a: one.side, b: other.side, match: 'same', likeness: wordOverlap(one.words, other.words) });
    left.delete(id);
    right.delete(id);
  }
  const candidates = [...left.values()].flatMap((one) =>
    [...right.values()].map((other) => ({ one, other, likeness: wordOverlap(one.words, other.words) })),
  );
  candidates.sort((p, q) => q.likeness - p.likeness || p.one.side.id - q.one.side.id);
  for (const { one, other, likeness: score } of candidates) {
    if (score < MIN_SIMILARITY || !left.has(one.side.id) || !right.has(other.side.id)) continue;
    pairs.push({ a: one.side, b: other.side, match: 'alike', likeness: score });
    left.delete(one.side.id);
    right.delete(other.side.id);
  }
  for (const { side } of left.values()) pairs.push({ a: side, b: null, match: null, likeness: 0 });
  for (const { side } of right.values()) pairs.push({ a: null, b: side, match: null, likeness: 0 });
  const size = ({ a: one, b: other }: ClusterPair) => (one?.active ?? 0) + (other?.active ?? 0);
  return pairs.sort((p, q) => size(q) - size(p));
}

/** The highest cluster id with a thought in the common past. */
function highestClusterAt(pool: ThoughtPool, thoughts: number): number {
  for (let id = topCluster(pool.members); id > 0; id--) {
    for (const member of membersOf(pool.members, id)) if (member <= thoughts) return id;
  }
  return 0;
}

interface ClusterWords {
  readonly side: ClusterSide;
  readonly words: ReadonlySet<string>;
}

function clustersOf(pool: ThoughtPool): Map<number, ClusterWords> {
  const texts = new Map<number, string[]>();
  for (const { id, text } of activeThoughts(pool)) {
    const cluster = clusterOf(pool.members, id);
    if (typeof cluster === 'number') texts.set(cluster, [...(texts.get(cluster) ?? []), text]);
  }
  return new Map(
    [...activeSizes(pool)].map(([id, active]) => {
      const ownTexts = texts.get(id) ?? [];
      const [latest = 0] = membersOf(pool.members, id);
      const label = (thoughtOf(pool, latest)?.text ?? '').slice(0, 160).replace(/\s+/g, ' ').slice(0, 80);
      return [id, { side: { id, active, label }, words: wordsOf(ownTexts) }];
    }),
  );
}

function wordsOf(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.toLowerCase().match(/\p{L}{4,}/gu) ?? []));
}

/** Shared words divided by all words of both sets. */
function wordOverlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared++;
  const total = one.size + other.size - shared;
  return total === 0 ? 0 : Math.round((shared / total) * 1000) / 1000;
}
