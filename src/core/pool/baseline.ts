import type { ThoughtPool } from './state.ts';
import { dot, SCALE_SQUARED, type UnitVector } from './vectors.ts';

const SURVEY_SIZE = 64;
/** Typical similarity of two unrelated sentences, for a pool that is too small to measure it. */
const DEFAULT_BASELINE = 0.1;
const MAX_BASELINE = 0.4;

/**
 * The number of thoughts at the last survey. Surveys happen at fixed intervals, so the log is enough to repeat them.
 */
export function lastSurvey(pool: ThoughtPool): number {
  return pool.thoughts.length - (pool.thoughts.length % SURVEY_SIZE);
}

/** Ids of the thoughts in the last survey. */
export function surveyedThoughts(pool: ThoughtPool): readonly number[] {
  const last = lastSurvey(pool);
  return last === 0 ? [] : Array.from({ length: SURVEY_SIZE }, (_, i) => last - SURVEY_SIZE + 1 + i);
}

/**
 * The similarity of two unrelated thoughts, where 1 means equal: the median over all pairs. In a pool about one subject
 * all thoughts are somewhat similar; a cluster has to be more similar than that.
 */
export function baselineSimilarity(vectors: readonly (UnitVector | undefined)[]): number {
  const present = vectors.filter((vector) => vector !== undefined);
  const pairs = present.flatMap((a, i) => present.slice(i + 1).map((b) => dot(a, b))).sort((a, b) => a - b);
  if (pairs.length === 0) return DEFAULT_BASELINE;
  return Math.min(MAX_BASELINE, Math.max(0, (pairs[pairs.length >> 1] as number) / SCALE_SQUARED));
}
