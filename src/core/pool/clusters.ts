/*
 * Assigns new thoughts to clusters (D26) without looking at the whole pool again.
 *
 * Invariants:
 * - The index is a cache: rebuilt from the pool and the vectors, it proposes exactly the same assignments.
 * - Since a cluster last changed, every thought noted as noise was tried against it. So only the clusters that the last
 *   events changed need trying; trying all of them, as after a rebuild, finds nothing else.
 * - A step looks at the new thoughts, the active noise and at most `MAX_CLUSTERS` clusters, never at all thoughts.
 */

import { baselineSimilarity, lastSurvey, surveyedThoughts } from './baseline.ts';
import { type Centre, centreOf, cosineTo, similarityBetween, similarityTo, similarityWithin } from './centre.ts';
import { densityGroups } from './density.ts';
import {
  type Assignment,
  assignmentAt,
  assignmentsFrom,
  clusterOf,
  clustersOf,
  membersOf,
  topCluster,
} from './members.ts';
import { activeThoughts, isActive, type ThoughtPool } from './state.ts';
import { gapOf, SCALE_SQUARED, type UnitVector } from './vectors.ts';

/** Assignments computed for a pool with `after` assignments; for any other pool they are out of date. */
export interface ClusterProposal {
  readonly after: number;
  readonly assignments: readonly Assignment[];
}

/** A thought's vector, if known. All vectors come from one embedder. */
export type VectorOf = (thought: number) => UnitVector | undefined;

export interface ClusterIndex {
  /** Proposes clusters for the new thoughts, and for noise that now fits one. */
  step(pool: ThoughtPool, vectorOf: VectorOf): ClusterProposal;
}

/** Maximum number of clusters that can gain members: those that gained one most recently. */
const MAX_CLUSTERS = 512;
const CENTRE_WINDOW = 32;
const NEIGHBOURHOOD = 96;
/** Thoughts with a cosine below 0.35 never start a cluster together; above 0.9 they count as the same. */
const DENSITY = {
  least: 4,
  neighbour: 2,
  reach: Math.round(SCALE_SQUARED * 0.65),
  blur: Math.round(SCALE_SQUARED * 0.1),
};
/*
 * Required similarity as a share of the members' similarity, both counted from the baseline of the pool: for a
 * newcomer, for the founders of a cluster, and for a group that would only duplicate a cluster.
 */
const NEWCOMER_SHARE = 0.6;
const FOUNDER_SHARE = 0.85;
const DUPLICATE_SHARE = 0.7;

export function createClusterIndex(): ClusterIndex {
  /** In the order in which they last gained a member. */
  let centres = new Map<number, Centre>();
  let changedClusters = new Set<number>();
  let noise = new Map<number, UnitVector>();
  let newThoughts: number[] = [];
  /** The similarity of two unrelated thoughts. */
  let baseline = 0;
  let lastPool: ThoughtPool | undefined;

  function step(pool: ThoughtPool, vectorOf: VectorOf): ClusterProposal {
    if (lastPool && continuesFrom(lastPool, pool)) advance(lastPool, pool, vectorOf);
    else rebuild(pool, vectorOf);
    lastPool = pool;

    const placements = new Map<number, number>();
    const unplaced = new Map(noise);
    const considered: number[] = [];
    for (const thought of newThoughts) {
      const vector = vectorOf(thought);
      if (!vector) continue;
      considered.push(thought);
      unplaced.set(thought, vector);
      place(thought, nearestCluster(centres, centres.keys(), vector, baseline));
    }
    for (const [thought, vector] of noise) place(thought, nearestCluster(centres, changedClusters, vector, baseline));
    let top = topCluster(pool.members);
    for (const thought of considered) {
      if (placements.has(thought)) continue;
      const group = groupAround(thought, unplaced, baseline);
      if (group.length === 0) continue;
      const cluster =
        findDuplicateCluster(centres, centreOf(group.map((member) => unplaced.get(member) as UnitVector)), baseline) ??
        ++top;
      for (const member of group) place(member, cluster);
    }
    return {
      after: pool.members.length,
      assignments: considered.map(assignmentOf).concat(newlyPlaced()).sort(byThought),
    };

    function place(thought: number, cluster: number | undefined): void {
      if (cluster === undefined) return;
      placements.set(thought, cluster);
      unplaced.delete(thought);
    }

    function assignmentOf(thought: number): Assignment {
      return { thought, cluster: placements.get(thought) ?? null };
    }

    function newlyPlaced(): readonly Assignment[] {
      return [...placements.keys()].filter((thought) => noise.has(thought)).map(assignmentOf);
    }
  }

  function rebuild(pool: ThoughtPool, vectorOf: VectorOf): void {
    const latest = [...latestClusters(pool)].reverse();
    centres = new Map(latest.map((cluster) => [cluster, centreOf(knownVectors(windowOf(pool, cluster), vectorOf))]));
    changedClusters = new Set(latest);
    noise = new Map();
    newThoughts = [];
    baseline = baselineSimilarity(surveyedThoughts(pool).map(vectorOf));
    collectThoughts(pool, 0, vectorOf);
  }

  function advance(from: ThoughtPool, pool: ThoughtPool, vectorOf: VectorOf): void {
    const newAssignments = assignmentsFrom(pool.members, from.members.length);
    // The step that proposed these assignments already tried every cluster that had changed before.
    if (newAssignments.length > 0) changedClusters = new Set();
    for (const { thought, cluster } of newAssignments) {
      noise.delete(thought);
      if (cluster !== null) {
        changedClusters.delete(cluster);
        changedClusters.add(cluster);
      } else {
        for (const vector of knownVectors([thought], vectorOf)) noise.set(thought, vector);
      }
    }
    for (const cluster of changedClusters) {
      centres.delete(cluster);
      centres.set(cluster, centreOf(knownVectors(windowOf(pool, cluster), vectorOf)));
    }
    for (const cluster of centres.keys()) if (centres.size > MAX_CLUSTERS) centres.delete(cluster);
    const previousBaseline = baseline;
    if (lastSurvey(pool) !== lastSurvey(from)) baseline = baselineSimilarity(surveyedThoughts(pool).map(vectorOf));
    // The threshold for newcomers is lower now, so all noise must be tried again.
    if (baseline < previousBaseline) changedClusters = new Set(centres.keys());
    for (const thought of noise.keys()) if (!isActive(pool, thought)) noise.delete(thought);
    newThoughts = newThoughts.filter(
      (thought) => isActive(pool, thought) && clusterOf(pool.members, thought) === undefined,
    );
    collectThoughts(pool, from.thoughts.length, vectorOf);
  }

  /** Collects the active thoughts after the first `offset`. */
  function collectThoughts(pool: ThoughtPool, offset: number, vectorOf: VectorOf): void {
    const start = Math.max(offset, pool.thoughts.length - pool.activeSize);
    for (let thought = start + 1; thought <= pool.thoughts.length; thought++) {
      const cluster = clusterOf(pool.members, thought);
      if (cluster === undefined) newThoughts.push(thought);
      if (cluster === null) for (const vector of knownVectors([thought], vectorOf)) noise.set(thought, vector);
    }
  }

  return { step };
}

/** Thoughts whose vectors a step on this pool may need. */
export function thoughtsNeedingVectors(pool: ThoughtPool): readonly number[] {
  const ids = new Set(
    [...latestClusters(pool)].flatMap((cluster) => windowOf(pool, cluster)).concat(surveyedThoughts(pool)),
  );
  for (const { id } of activeThoughts(pool)) if (typeof clusterOf(pool.members, id) !== 'number') ids.add(id);
  return [...ids].sort((a, b) => a - b);
}

/** Whether `past` is an earlier version of `pool`: then both share the same objects, not only equal values. */
function continuesFrom(past: ThoughtPool, pool: ThoughtPool): boolean {
  const [thoughts, members] = [past.thoughts.length, past.members.length];
  return (
    past.activeSize === pool.activeSize &&
    thoughts <= pool.thoughts.length &&
    members <= pool.members.length &&
    past.thoughts.at(thoughts - 1) === pool.thoughts.at(thoughts - 1) &&
    assignmentAt(past.members, members - 1) === assignmentAt(pool.members, members - 1)
  );
}

/** The clusters that gained a member most recently, latest first. */
function* latestClusters(pool: ThoughtPool): Generator<number> {
  let count = 0;
  for (const cluster of clustersOf(pool.members)) {
    if (++count > MAX_CLUSTERS) return;
    yield cluster;
  }
}

/** The latest members determine a cluster's position: it may move, and the cost of computing it does not grow. */
function windowOf(pool: ThoughtPool, cluster: number): number[] {
  const window: number[] = [];
  for (const thought of membersOf(pool.members, cluster)) {
    if (window.push(thought) === CENTRE_WINDOW) break;
  }
  return window;
}

function knownVectors(thoughts: readonly number[], vectorOf: VectorOf): UnitVector[] {
  return thoughts.map(vectorOf).filter((vector) => vector !== undefined);
}

/** The nearest cluster whose members are similar enough. */
function nearestCluster(
  centres: ReadonlyMap<number, Centre>,
  among: Iterable<number>,
  vector: UnitVector,
  baseline: number,
): number | undefined {
  let best: { cluster: number; cosine: number } | undefined;
  for (const cluster of among) {
    const centre = centres.get(cluster);
    if (!centre || similarityTo(centre, vector) < threshold(baseline, NEWCOMER_SHARE, centre.similarity)) continue;
    const cosine = cosineTo(centre, vector);
    if (!best || cosine > best.cosine || (cosine === best.cosine && cluster < best.cluster)) best = { cluster, cosine };
  }
  return best?.cluster;
}

interface Neighbour {
  readonly id: number;
  readonly gap: number;
  readonly vector: UnitVector;
}

/** The dense group that a thought forms with its unplaced neighbours, if there is one. */
function groupAround(thought: number, unplaced: ReadonlyMap<number, UnitVector>, baseline: number): readonly number[] {
  const vector = unplaced.get(thought) as UnitVector;
  const neighbours: Neighbour[] = [];
  for (const [id, other] of unplaced) {
    const gap = id === thought ? 0 : gapOf(vector, other);
    if (gap <= DENSITY.reach) neighbours.push({ id, gap, vector: other });
  }
  if (neighbours.length < DENSITY.least) return [];
  neighbours.sort((a, b) => a.gap - b.gap || a.id - b.id);
  const near = neighbours.slice(0, NEIGHBOURHOOD).sort((a, b) => a.id - b.id);
  const vectors = near.map((neighbour) => neighbour.vector);
  const at = near.findIndex(({ id }) => id === thought);
  const group = densityGroups(vectors, DENSITY).find(({ points }) => points.includes(at));
  if (!group) return [];
  const founders = foundersOf(
    [...group.points].sort((a, b) => a - b).map((point) => near[point] as Neighbour),
    baseline,
  );
  return founders.length >= DENSITY.least && founders.includes(thought) ? founders : [];
}

/**
 * Drops the members that are much less similar to the others: a cluster that starts mixed would attract everything in
 * between.
 */
function foundersOf(group: readonly Neighbour[], baseline: number): readonly number[] {
  let founders = group;
  while (founders.length >= DENSITY.least) {
    const centre = centreOf(founders.map(({ vector }) => vector));
    const similarity = founders.map(({ vector }) => similarityWithin(centre, vector));
    const worst = similarity.indexOf(Math.min(...similarity));
    if ((similarity[worst] as number) >= threshold(baseline, FOUNDER_SHARE, centre.similarity)) break;
    founders = founders.filter((_, i) => i !== worst);
  }
  return founders.map(({ id }) => id);
}

/** The existing cluster that a new group would only duplicate. */
function findDuplicateCluster(
  centres: ReadonlyMap<number, Centre>,
  group: Centre,
  baseline: number,
): number | undefined {
  let best: { cluster: number; similarity: number } | undefined;
  for (const [cluster, centre] of centres) {
    const similarity = similarityBetween(centre, group);
    if (similarity < threshold(baseline, DUPLICATE_SHARE, Math.min(group.similarity, centre.similarity))) continue;
    if (!best || similarity > best.similarity || (similarity === best.similarity && cluster < best.cluster)) {
      best = { cluster, similarity };
    }
  }
  return best?.cluster;
}

function threshold(baseline: number, share: number, similarity: number): number {
  return baseline + share * (similarity - baseline);
}

function byThought(a: Assignment, b: Assignment): number {
  return a.thought - b.thought;
}
