import type { ThoughtPool } from './state.ts';
import { dot, SCALE_SQUARED, type UnitVector } from './vectors.ts';

const SURVEY_SIZE = 64;
/** What two unrelated sentences usually have in common: for a pool too young to tell. */
const DEFAULT_BASELINE = 0.1;
const MAX_BASELINE = 0.4;

/** The number of thoughts at the last survey: it is held every so often, and so can be repeated from the log. */
export function lastSurvey(pool: ThoughtPool): number {
  return pool.thoughts.length - (pool.thoughts.length % SURVEY_SIZE);
}

/** The thoughts it looks at. */
export function surveyedThoughts(pool: ThoughtPool): readonly number[] {
  const last = lastSurvey(pool);
  return last === 0 ? [] : Array.from({ length: SURVEY_SIZE }, (_, i) => last - SURVEY_SIZE + 1 + i);
}

/**
 * How alike two thoughts are that need not have anything to do with each other, 1 for equal ones: the median of all
 * pairs. In a pool about one subject everything is somewhat alike, and clusters are what is more so.
 */
export function baselineSimilarity(vectors: readonly (UnitVector | undefined)[]): number {
  const present = vectors.filter((vector) => vector !== undefined);
  const pairs = present.flatMap((a, i) => present.slice(i + 1).map((b) => dot(a, b))).sort((a, b) => a - b);
  if (pairs.length === 0) return DEFAULT_BASELINE;
  return Math.min(MAX_BASELINE, Math.max(0, (pairs[pairs.length >> 1] as number) / SCALE_SQUARED));
}
