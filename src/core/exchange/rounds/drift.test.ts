import { expect, test } from 'vitest';
import { addThoughts, assign, emptyPool, type ThoughtPool } from '../../pool/state.ts';
import { toUnitVector, type UnitVector } from '../../pool/vectors.ts';
import { divisionOf } from './division.ts';
import { MAX_MEASURED, measureDistances, measureProportions } from './drift.ts';

const poolOf = (count: number, activeSize = 1000): ThoughtPool =>
  addThoughts(
    { ...emptyPool, activeSize },
    Array.from({ length: count }, (_, i) => ({ iter: i + 1, text: `thought ${i}`, author: 'mind_0' })),
  );
/** Thought 1 has the first of these directions, and so on. */
const vectorsAt = (...directions: readonly (readonly number[])[]) => {
  const vectors = directions.map((values) => toUnitVector(values));
  return (id: number): UnitVector | undefined => vectors[id - 1];
};
const [EAST, NORTH, NORTH_EAST] = [[1, 0], [0, 1], [1, 1]] as const; // biome-ignore format: a table
const COSINE = Math.SQRT1_2;

test('[X11] diversity is the mean distance between active thoughts', () => {
  expect(measureDistances(poolOf(1), 0, vectorsAt(EAST)).diversity).toBeNull();
  expect(measureDistances(poolOf(3), 0, vectorsAt(EAST, EAST, EAST)).diversity).toBeCloseTo(0, 4);
  expect(measureDistances(poolOf(2), 0, vectorsAt(EAST, NORTH)).diversity).toBeCloseTo(1, 4);
  const three = measureDistances(poolOf(3), 0, vectorsAt(EAST, NORTH, NORTH_EAST)).diversity;
  expect(three).toBeCloseTo((1 + 2 * (1 - COSINE)) / 3, 4);
  // Of those that are no longer active, nothing counts.
  expect(measureDistances(poolOf(3, 2), 0, vectorsAt(NORTH, EAST, EAST)).diversity).toBeCloseTo(0, 4);
});

test('[X11] novelty is the mean distance of the round’s thoughts to their nearest earlier thought', () => {
  expect(measureDistances(poolOf(1), 0, vectorsAt(EAST)).novelty).toBeNull();
  expect(measureDistances(poolOf(3), 2, vectorsAt(EAST, NORTH, NORTH_EAST)).novelty).toBeCloseTo(1 - COSINE, 4);
  expect(measureDistances(poolOf(3), 2, vectorsAt(EAST, NORTH, EAST)).novelty).toBeCloseTo(0, 4);
  // The second thought of a round is compared with the first of it, too.
  expect(measureDistances(poolOf(3), 1, vectorsAt(EAST, NORTH, NORTH)).novelty).toBeCloseTo(0.5, 4);
});

test('[X11] drift skips thoughts without a vector and looks at only the latest of many', () => {
  expect(
    measureDistances(poolOf(3), 2, (id) => (id === 2 ? undefined : vectorsAt(EAST, NORTH, EAST)(id))).diversity,
  ).toBeCloseTo(0, 4);
  const lookups = new Set<number>();
  measureDistances(poolOf(900), 899, (id) => {
    lookups.add(id);
    return toUnitVector(EAST);
  });
  expect([lookups.size, Math.min(...lookups)]).toEqual([MAX_MEASURED, 900 - MAX_MEASURED + 1]);
});

test('[X11] dominance is the largest cluster’s share of the active pool, and noise is the share without a cluster', () => {
  expect(measureProportions(divisionOf(emptyPool))).toEqual({ dominance: 0, noise: 0 });
  const placed = [1, 1, 2, null, 1].reduce<ThoughtPool>(
    (pool, cluster, i) => assign(pool, { thought: i + 1, cluster }),
    poolOf(5),
  );
  expect(measureProportions(divisionOf(placed))).toEqual({ dominance: 0.6, noise: 0.2 });
});
