import type { Pool } from './state.ts';
import { dot, SQUARE, type Vector } from './vectors.ts';

const EVERY = 64;
/** What two unrelated sentences usually have in common: for a pool too young to tell. */
const USUAL = 0.1;
const MOST = 0.4;

/** The number of thoughts at the last survey: it is held every so often, and so can be repeated from the log. */
export function lastSurvey(pool: Pool): number {
  return pool.thoughts.length - (pool.thoughts.length % EVERY);
}

/** The thoughts it looks at. */
export function surveyOf(pool: Pool): readonly number[] {
  const last = lastSurvey(pool);
  return last === 0 ? [] : Array.from({ length: EVERY }, (_, i) => last - EVERY + 1 + i);
}

/**
 * How alike two thoughts are that need not have anything to do with each other, 1 for equal ones: the median of all
 * pairs. In a pool about one subject everything is somewhat alike, and clusters are what is more so.
 */
export function commonLikeness(vectors: readonly (Vector | undefined)[]): number {
  const known = vectors.filter((vector) => vector !== undefined);
  const pairs = known.flatMap((a, i) => known.slice(i + 1).map((b) => dot(a, b))).sort((a, b) => a - b);
  if (pairs.length === 0) return USUAL;
  return Math.min(MOST, Math.max(0, (pairs[pairs.length >> 1] as number) / SQUARE));
}
