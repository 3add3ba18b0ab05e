import type { TextKind } from './kinds.ts';
import type { Snippet } from './snippet.ts';

export interface RankedText {
  readonly kind: TextKind;
  /** Milliseconds since 1970. */
  readonly ts: number;
  readonly shown: Pick<Snippet, 'times' | 'length'>;
}

const DAY = 24 * 60 * 60 * 1000;
const HALF_LIFE_DAYS = 30;
const TITLE_BONUS = 1;

/**
 * Sorts the best texts first: many matches in few words, titles, and recent texts. All texts contain every term, so
 * terms need no weights. Age counts from the newest text, which needs no clock; ties keep their order.
 */
export function rankTexts<T extends RankedText>(texts: readonly T[]): readonly T[] {
  const newest = Math.max(...texts.map(({ ts }) => ts));
  const scored = texts.map((item) => ({ item, score: scoreOf(item, newest) }));
  return scored.sort((a, b) => b.score - a.score).map(({ item }) => item);
}

function scoreOf({ kind, ts, shown: { times, length } }: RankedText, newest: number): number {
  const frequency = times / (times + 1 + length / 50);
  const recency = 1 / (1 + (newest - ts) / DAY / HALF_LIFE_DAYS);
  return frequency + recency + (kind === 'title' ? TITLE_BONUS : 0);
}
