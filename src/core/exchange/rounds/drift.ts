import { centreOf } from '../../pool/centre.ts';
import type { VectorOf } from '../../pool/clusters.ts';
import { activeThoughts, type ThoughtPool } from '../../pool/state.ts';
import { dot, SCALE_SQUARED, type UnitVector } from '../../pool/vectors.ts';
import type { Drift } from '../state.ts';
import type { PoolDivision } from './division.ts';

/** A larger pool is measured by its latest thoughts, so that the cost of a round does not grow with it. */
export const MAX_MEASURED = 256;

/** Measures that need vectors, for the pool after its first `pastCount` thoughts (X11). Distance is 1 minus cosine. */
export function measureDistances(
  pool: ThoughtPool,
  pastCount: number,
  vectorOf: VectorOf,
): Pick<Drift, 'diversity' | 'novelty'> {
  const active = activeThoughts(pool)
    .slice(-MAX_MEASURED)
    .map(({ id }) => ({ id, vector: vectorOf(id) }));
  const measured = active.filter((each): each is { id: number; vector: UnitVector } => each.vector !== undefined);
  const diversity = measured.length < 2 ? null : 1 - centreOf(measured.map(({ vector }) => vector)).similarity;
  const novelties: number[] = [];
  for (const [at, { id, vector }] of measured.entries()) {
    if (id <= pastCount || at === 0) continue;
    let nearest = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < at; i++)
      nearest = Math.max(nearest, dot(vector, (measured[i] as { vector: UnitVector }).vector));
    novelties.push(1 - nearest / SCALE_SQUARED);
  }
  const novelty = novelties.length === 0 ? null : novelties.reduce((sum, each) => sum + each, 0) / novelties.length;
  return { diversity: roundFigure(diversity), novelty: roundFigure(novelty) };
}

/** The largest cluster's share of the active pool, and the share without a cluster. */
export function measureProportions({
  active,
  unclustered,
  clusters,
}: PoolDivision): Pick<Drift, 'dominance' | 'noise'> {
  if (active.length === 0) return { dominance: 0, noise: 0 };
  let largest = 0;
  for (const { size } of clusters.values()) largest = Math.max(largest, size);
  return { dominance: largest / active.length, noise: unclustered / active.length };
}

/** Rounds for display: further digits would differ between machines and carry no information. */
function roundFigure(value: number | null): number | null {
  return value === null ? null : Math.min(2, Math.max(0, Math.round(value * 1e6) / 1e6));
}
