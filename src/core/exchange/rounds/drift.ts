import { centreOf } from '../../pool/centre.ts';
import type { VectorOf } from '../../pool/clusters.ts';
import { activeThoughts, type Pool } from '../../pool/state.ts';
import { dot, SQUARE, type Vector } from '../../pool/vectors.ts';
import type { Drift } from '../state.ts';
import type { Division } from './division.ts';

/** A larger pool is measured by its latest thoughts: a round costs the same however large it is. */
export const LOOKED_AT = 256;

/** What only vectors tell of the pool behind its first `past` thoughts (X11): distances are 1 less the cosine. */
export function distances(pool: Pool, past: number, vectorOf: VectorOf): Pick<Drift, 'diversity' | 'novelty'> {
  const active = activeThoughts(pool)
    .slice(-LOOKED_AT)
    .map(({ id }) => ({ id, vector: vectorOf(id) }));
  const known = active.filter((each): each is { id: number; vector: Vector } => each.vector !== undefined);
  const diversity = known.length < 2 ? null : 1 - centreOf(known.map(({ vector }) => vector)).likeness;
  const novelties: number[] = [];
  for (const [at, { id, vector }] of known.entries()) {
    if (id <= past || at === 0) continue;
    let nearest = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < at; i++) nearest = Math.max(nearest, dot(vector, (known[i] as { vector: Vector }).vector));
    novelties.push(1 - nearest / SQUARE);
  }
  const novelty = novelties.length === 0 ? null : novelties.reduce((sum, each) => sum + each, 0) / novelties.length;
  return { diversity: rounded(diversity), novelty: rounded(novelty) };
}

/** How much of the active pool the largest cluster has, and how much has none. */
export function proportions({ active, without, clusters }: Division): Pick<Drift, 'dominance' | 'noise'> {
  if (active.length === 0) return { dominance: 0, noise: 0 };
  let largest = 0;
  for (const { size } of clusters.values()) largest = Math.max(largest, size);
  return { dominance: largest / active.length, noise: without / active.length };
}

/** Figures to look at: more digits would differ between machines and say nothing. */
function rounded(value: number | null): number | null {
  return value === null ? null : Math.min(2, Math.max(0, Math.round(value * 1e6) / 1e6));
}
