import { describe, expect, test } from 'vitest';
import {
  agreement,
  applyProposal,
  drawTopics,
  fullDensity,
  labelsOf,
  streamThoughts,
  topicSets,
} from '../../../test/support/domain/clusters.ts';
import { seededRandom } from '../util/random.ts';
import { type ClusterIndex, type ClusterProposal, createClusterIndex, thoughtsNeedingVectors } from './clusters.ts';
import { densityGroups } from './density.ts';
import { clusterOf } from './members.ts';
import { addThoughts, emptyPool, type ThoughtPool } from './state.ts';
import { dot, gapOf, SCALE_SQUARED, toUnitVector, type UnitVector } from './vectors.ts';

const fuzzRuns = Number(process.env.HEDDLE_FUZZ_RUNS ?? 6);

const addThoughtsTo = (pool: ThoughtPool, count: number, iter = 1): ThoughtPool =>
  addThoughts(
    pool,
    Array.from({ length: count }, () => ({ iter, text: 'a thought', author: 'mind' })),
  );

const topic = { size: 40, stray: 0.6, directions: 60 };

describe('clusters', () => {
  test.each(topicSets(360, 900))('[D26] clusters agree with full HDBSCAN: $name', ({ vectors }) => {
    expect(agreement(labelsOf(streamThoughts(vectors)), fullDensity(vectors))).toBeGreaterThanOrEqual(0.95);
  });

  test('[D26] a cluster starts when enough unplaced thoughts are alike, and then grows one by one', () => {
    const vectors = drawTopics({ topics: [{ ...topic, size: 6 }] }, 1);
    expect(labelsOf(streamThoughts(vectors.slice(0, 3)))).toEqual([0, 0, 0]);
    expect(labelsOf(streamThoughts(vectors.slice(0, 4)))).toEqual([1, 1, 1, 1]);
    expect(labelsOf(streamThoughts(vectors))).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test('[D26] one repeated thought is one cluster, and unrelated thoughts are noise', () => {
    const [same] = drawTopics({ topics: [{ ...topic, size: 1 }] }, 2) as [UnitVector];
    expect(labelsOf(streamThoughts(Array.from({ length: 8 }, () => same)))).toEqual(new Array(8).fill(1));
    expect(labelsOf(streamThoughts(drawTopics({ topics: [], noise: 60 }, 3)))).toEqual(new Array(60).fill(0));
  });

  test('[D26] a thought never moves to another cluster', () => {
    const vectors = drawTopics({ topics: [topic, topic, topic], noise: 30 }, 4);
    const before = labelsOf(streamThoughts(vectors.slice(0, 90), 50));
    const after = labelsOf(streamThoughts(vectors, 50));
    before.forEach((cluster, i) => {
      if (cluster !== 0) expect(after[i]).toBe(cluster);
    });
  });

  test('[D26] noise is tried again only while it is active', () => {
    const topics = drawTopics({ topics: [{ ...topic, size: 12 }], inTurn: true }, 5);
    const other = drawTopics({ topics: [], noise: 10 }, 6);
    // Three that are too few, then strangers, then more like the three.
    const vectors = [...topics.slice(0, 3), ...other, ...topics.slice(3)];
    expect(labelsOf(streamThoughts(vectors, 50)).slice(0, 3)).toEqual([1, 1, 1]);
    expect(labelsOf(streamThoughts(vectors, 8)).slice(0, 3)).toEqual([0, 0, 0]);
    expect(labelsOf(streamThoughts(vectors, 8)).slice(-5)).toEqual([1, 1, 1, 1, 1]);
  });

  test('[D26] noise joins a cluster that comes nearer', () => {
    const angles = [0, 1, 2, 3, 75, ...Array.from({ length: 20 }, () => 45)].map(vectorAt);
    expect(labelsOf(streamThoughts(angles.slice(0, 6)))).toEqual([1, 1, 1, 1, 0, 1]);
    expect(labelsOf(streamThoughts(angles))[4]).toBe(1);
  });

  test('[D26] noise joins a cluster when thoughts turn out to be less alike than usual', () => {
    const near = toUnitVector([0.62, Math.sqrt(1 - 0.62 ** 2), ...new Array(68).fill(0)]);
    const strangers = Array.from({ length: 60 }, (_, i) => axis(i + 2));
    const vectors = [axis(0), axis(0), axis(0), axis(0), near, ...strangers];
    expect(labelsOf(streamThoughts(vectors.slice(0, 63), 100))[4]).toBe(0);
    expect(labelsOf(streamThoughts(vectors.slice(0, 64), 100))[4]).toBe(1);
  });

  test('[D26] an index rebuilt from the log and the vectors proposes the same at every step', () => {
    for (let seed = 1; seed <= fuzzRuns; seed++) {
      const chance = seededRandom(seed);
      const spread = 0.5 + chance.below(60) / 100;
      const topics = Array.from({ length: 3 + chance.below(6) }, () => ({ size: 25, stray: spread, directions: 20 }));
      const vectors = drawTopics({ topics, noise: 40, kinship: chance.below(5) / 10 }, seed);
      const clusters = createClusterIndex();
      let pool: ThoughtPool = { ...emptyPool, activeSize: 10 + chance.below(60) };
      while (pool.thoughts.length < vectors.length) {
        pool = addThoughtsTo(pool, Math.min(1 + chance.below(4), vectors.length - pool.thoughts.length));
        const proposal = clusters.step(pool, (thought) => vectors[thought - 1]);
        expect(
          clusters.step(pool, (thought) => vectors[thought - 1]),
          `seed ${seed}, asked twice`,
        ).toEqual(proposal);
        if (chance.below(8) === 0) expect(clusterFromScratch(pool, vectors), `seed ${seed}`).toEqual(proposal);
        // Now and then somebody else was faster, and the proposal is lost.
        if (chance.below(6) > 0) pool = applyProposal(pool, proposal);
      }
    }
  });

  test('[D26] a step only needs the vectors that it asks for', () => {
    const vectors = drawTopics({ topics: Array.from({ length: 5 }, () => ({ ...topic, size: 80 })), noise: 40 }, 7);
    let pool = streamThoughts(vectors.slice(0, 400), 50);
    pool = addThoughtsTo(pool, 6);
    const needed = new Set(thoughtsNeedingVectors(pool));
    expect(needed.size).toBeLessThan(5 * 32 + 50 + 64);
    const whole = clusterFromScratch(pool, vectors);
    expect(
      createClusterIndex().step(pool, (thought) => (needed.has(thought) ? vectors[thought - 1] : undefined)),
    ).toEqual(whole);
  });

  test('[D25] a thought without a cached vector waits for it', () => {
    const vectors = drawTopics({ topics: [{ ...topic, size: 6 }] }, 8);
    const clusters = createClusterIndex();
    let pool = addThoughtsTo(emptyPool, 5);
    const vectorWithoutThird = (thought: number) => (thought === 3 ? undefined : vectors[thought - 1]);
    pool = applyProposal(pool, clusters.step(pool, vectorWithoutThird));
    expect([1, 2, 3, 4, 5].map((id) => clusterOf(pool.members, id))).toEqual([1, 1, undefined, 1, 1]);
    expect(clusters.step(pool, (thought) => vectors[thought - 1])).toEqual({
      after: 4,
      assignments: [{ thought: 3, cluster: 1 }],
    });
  });

  test('[D26] a fork and a restart have the same clusters as the original pool', () => {
    const vectors = drawTopics({ topics: [topic, topic], noise: 10 }, 9);
    const clusters = createClusterIndex();
    const trunk = streamThoughts(vectors.slice(0, 60), 50, clusters);
    const next = addThoughtsTo(trunk, 3);
    const restarted: ThoughtPool = JSON.parse(JSON.stringify(next));
    const proposal = clusters.step(next, (thought) => vectors[thought - 1]);
    expect(clusters.step(restarted, (thought) => vectors[thought - 1])).toEqual(proposal);
    // The index has gone on; the fork begins in its past.
    const fork = addThoughtsTo(streamThoughts(vectors.slice(0, 30), 50), 1);
    expect(clusters.step(fork, (thought) => vectors[thought - 1])).toEqual(clusterFromScratch(fork, vectors));
  });

  test('[D26] the work of a step does not grow with the number of thoughts', () => {
    const vectors = drawTopics({ topics: Array.from({ length: 6 }, () => topic), noise: 60 }, 10);
    const countLookups = (total: number): number => {
      const clusters = createClusterIndex();
      let [pool, asked]: [ThoughtPool, number] = [{ ...emptyPool, activeSize: 50 }, 0];
      const vectorOf = (thought: number) => {
        asked++;
        return vectors[(thought - 1) % vectors.length];
      };
      while (pool.thoughts.length < total) pool = runSteps(clusters, addThoughtsTo(pool, 4), vectorOf);
      asked = 0;
      for (let i = 0; i < 75; i++) pool = runSteps(clusters, addThoughtsTo(pool, 4), vectorOf);
      return asked;
    };
    expect(countLookups(6000) / countLookups(900)).toBeLessThan(1.05);
  });
});

describe('density', () => {
  test('[D26] groups of different density are found, and outliers are left out', () => {
    const vectors = [0, 2, 4, 6, 8, 60, 66, 72, 78, 84, 90, 180, 250].map(vectorAt);
    const groups = densityGroups(vectors, { least: 3, neighbour: 1 }).map(({ points }) =>
      [...points].sort((a, b) => a - b),
    );
    expect(groups.sort((a, b) => a[0]! - b[0]!)).toEqual([
      [0, 1, 2, 3, 4],
      [5, 6, 7, 8, 9, 10],
    ]);
  });

  test('[D26] a single group is only found when a reach is given', () => {
    const vectors = [0, 3, 6, 9, 12].map(vectorAt);
    expect(densityGroups(vectors, { least: 3, neighbour: 1 })).toEqual([]);
    const [group, ...more] = densityGroups(vectors, {
      least: 3,
      neighbour: 1,
      reach: gapOf(vectorAt(0), vectorAt(20)),
    });
    expect([group?.points.length, more]).toEqual([5, []]);
    expect(densityGroups(vectors, { least: 3, neighbour: 1, reach: gapOf(vectorAt(0), vectorAt(2)) })).toEqual([]);
    expect(densityGroups(vectors.slice(0, 2), { least: 3, neighbour: 1 })).toEqual([]);
  });

  test('[D26] the result does not depend on the order of the points', () => {
    const vectors = drawTopics({ topics: [topic, topic, topic], noise: 20 }, 11);
    const reversed = vectors.toReversed();
    expect(agreement(fullDensity(vectors), fullDensity(reversed).toReversed())).toBe(1);
  });
});

describe('vectors', () => {
  test('[D26] vectors are integers of unit length with exact products in any order', () => {
    const [a, b] = drawTopics({ topics: [{ ...topic, size: 2 }] }, 12) as [UnitVector, UnitVector];
    expect(Math.abs(dot(a, a) / SCALE_SQUARED - 1)).toBeLessThan(1e-3);
    expect(a.every(Number.isInteger)).toBe(true);
    expect(dot(a.toReversed(), b.toReversed())).toBe(dot(a, b));
    expect(toUnitVector([3, 4])).toEqual(toUnitVector([0.6, 0.8]));
    for (const bad of [
      [0, 0],
      [Number.NaN, 1],
      [Number.POSITIVE_INFINITY, 1],
    ])
      expect([...toUnitVector(bad)]).toEqual([0, 0]);
  });
});

function clusterFromScratch(pool: ThoughtPool, vectors: readonly UnitVector[]): ClusterProposal {
  return createClusterIndex().step(JSON.parse(JSON.stringify(pool)), (thought) => vectors[thought - 1]);
}

function runSteps(
  clusters: ClusterIndex,
  pool: ThoughtPool,
  vectorOf: (thought: number) => UnitVector | undefined,
): ThoughtPool {
  return applyProposal(pool, clusters.step(pool, vectorOf));
}

function vectorAt(degrees: number): UnitVector {
  return toUnitVector([Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]);
}

function axis(number: number): UnitVector {
  return toUnitVector(Array.from({ length: 70 }, (_, i) => (i === number ? 1 : 0)));
}
