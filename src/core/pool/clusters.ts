/*
 * Which cluster a new thought belongs to (D26), without looking at the whole pool again.
 *
 * Invariants:
 * - The index is a cache: made anew from the pool and the vectors it proposes the same, to the last thought.
 * - Since a cluster last changed, every thought noted as noise was tried against it. So only the clusters that the last
 *   events changed need trying, and trying all of them, as after a rebuild, finds nothing else.
 * - A step looks at the new thoughts, the active noise and at most `KNOWN` clusters: never at all thoughts there were.
 */

import { commonLikeness, lastSurvey, surveyOf } from './baseline.ts';
import { type Centre, centreOf, cosineTo, likenessOf, likenessTo, likenessWithin } from './centre.ts';
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
import { activeThoughts, isActive, type Pool } from './state.ts';
import { gapOf, SQUARE, type Vector } from './vectors.ts';

/** Assignments found on a pool that had `after` of them; on any other they are out of date. */
export interface Proposal {
  readonly after: number;
  readonly assignments: readonly Assignment[];
}

/** A thought's vector, where it is known. All of one embedder. */
export type VectorOf = (thought: number) => Vector | undefined;

export interface Clusters {
  /** Where the thoughts belong that nobody has looked at yet, and the noise that found a place since. */
  step(pool: Pool, vectorOf: VectorOf): Proposal;
}

/** Clusters that can gain members: those that did so last. */
const KNOWN = 512;
const WINDOW = 32;
const NEIGHBOURHOOD = 96;
/** Thoughts with a cosine below 0.35 begin no cluster together, and above 0.9 are as good as the same. */
const DENSITY = { least: 4, neighbour: 2, reach: Math.round(SQUARE * 0.65), blur: Math.round(SQUARE * 0.1) };
/*
 * How much of its members' likeness, counted from what any two thoughts of the pool have in common, is asked of a
 * newcomer; of those a cluster begins with; of a group that would only double a cluster.
 */
const NEWCOMER = 0.6;
const FOUNDER = 0.85;
const DOUBLE = 0.7;

export function openClusters(): Clusters {
  /** In the order in which they last gained a member. */
  let centres = new Map<number, Centre>();
  let changed = new Set<number>();
  let noise = new Map<number, Vector>();
  let fresh: number[] = [];
  /** How alike any two thoughts are. */
  let common = 0;
  let seen: Pool | undefined;

  function step(pool: Pool, vectorOf: VectorOf): Proposal {
    if (seen && goesOn(seen, pool)) follow(seen, pool, vectorOf);
    else rebuild(pool, vectorOf);
    seen = pool;

    const placed = new Map<number, number>();
    const waiting = new Map(noise);
    const tried: number[] = [];
    for (const thought of fresh) {
      const vector = vectorOf(thought);
      if (!vector) continue;
      tried.push(thought);
      waiting.set(thought, vector);
      place(thought, nearest(centres, centres.keys(), vector, common));
    }
    for (const [thought, vector] of noise) place(thought, nearest(centres, changed, vector, common));
    let top = topCluster(pool.members);
    for (const thought of tried) {
      if (placed.has(thought)) continue;
      const group = groupAround(thought, waiting, common);
      if (group.length === 0) continue;
      const cluster = likest(centres, centreOf(group.map((member) => waiting.get(member) as Vector)), common) ?? ++top;
      for (const member of group) place(member, cluster);
    }
    return { after: pool.members.length, assignments: tried.map(outcome).concat(found()).sort(byThought) };

    function place(thought: number, cluster: number | undefined): void {
      if (cluster === undefined) return;
      placed.set(thought, cluster);
      waiting.delete(thought);
    }

    function outcome(thought: number): Assignment {
      return { thought, cluster: placed.get(thought) ?? null };
    }

    function found(): readonly Assignment[] {
      return [...placed.keys()].filter((thought) => noise.has(thought)).map(outcome);
    }
  }

  function rebuild(pool: Pool, vectorOf: VectorOf): void {
    const latest = [...latestClusters(pool)].reverse();
    centres = new Map(latest.map((cluster) => [cluster, centreOf(known(windowOf(pool, cluster), vectorOf))]));
    changed = new Set(latest);
    noise = new Map();
    fresh = [];
    common = commonLikeness(surveyOf(pool).map(vectorOf));
    look(pool, 0, vectorOf);
  }

  function follow(from: Pool, pool: Pool, vectorOf: VectorOf): void {
    const news = assignmentsFrom(pool.members, from.members.length);
    // The step that led to these tried everything that had changed before.
    if (news.length > 0) changed = new Set();
    for (const { thought, cluster } of news) {
      noise.delete(thought);
      if (cluster !== null) {
        changed.delete(cluster);
        changed.add(cluster);
      } else {
        for (const vector of known([thought], vectorOf)) noise.set(thought, vector);
      }
    }
    for (const cluster of changed) {
      centres.delete(cluster);
      centres.set(cluster, centreOf(known(windowOf(pool, cluster), vectorOf)));
    }
    for (const cluster of centres.keys()) if (centres.size > KNOWN) centres.delete(cluster);
    const before = common;
    if (lastSurvey(pool) !== lastSurvey(from)) common = commonLikeness(surveyOf(pool).map(vectorOf));
    // Less is asked of newcomers than before: all noise is to be tried again.
    if (common < before) changed = new Set(centres.keys());
    for (const thought of noise.keys()) if (!isActive(pool, thought)) noise.delete(thought);
    fresh = fresh.filter((thought) => isActive(pool, thought) && clusterOf(pool.members, thought) === undefined);
    look(pool, from.thoughts.length, vectorOf);
  }

  /** At the active thoughts behind the first `past`. */
  function look(pool: Pool, past: number, vectorOf: VectorOf): void {
    const start = Math.max(past, pool.thoughts.length - pool.activeSize);
    for (let thought = start + 1; thought <= pool.thoughts.length; thought++) {
      const cluster = clusterOf(pool.members, thought);
      if (cluster === undefined) fresh.push(thought);
      if (cluster === null) for (const vector of known([thought], vectorOf)) noise.set(thought, vector);
    }
  }

  return { step };
}

/** The thoughts whose vectors a step on this pool may ask for. */
export function vectorsWanted(pool: Pool): readonly number[] {
  const wanted = new Set(
    [...latestClusters(pool)].flatMap((cluster) => windowOf(pool, cluster)).concat(surveyOf(pool)),
  );
  for (const { id } of activeThoughts(pool)) if (typeof clusterOf(pool.members, id) !== 'number') wanted.add(id);
  return [...wanted].sort((a, b) => a - b);
}

/** Whether one pool is the other's past: then they share what they are made of, and not only in value. */
function goesOn(past: Pool, pool: Pool): boolean {
  const [thoughts, members] = [past.thoughts.length, past.members.length];
  return (
    past.activeSize === pool.activeSize &&
    thoughts <= pool.thoughts.length &&
    members <= pool.members.length &&
    past.thoughts.at(thoughts - 1) === pool.thoughts.at(thoughts - 1) &&
    assignmentAt(past.members, members - 1) === assignmentAt(pool.members, members - 1)
  );
}

/** Those that gained a member last, latest first. */
function* latestClusters(pool: Pool): Generator<number> {
  let count = 0;
  for (const cluster of clustersOf(pool.members)) {
    if (++count > KNOWN) return;
    yield cluster;
  }
}

/** A cluster is where its latest members are: it may move, and what it costs to place it does not grow. */
function windowOf(pool: Pool, cluster: number): number[] {
  const window: number[] = [];
  for (const thought of membersOf(pool.members, cluster)) {
    if (window.push(thought) === WINDOW) break;
  }
  return window;
}

function known(thoughts: readonly number[], vectorOf: VectorOf): Vector[] {
  return thoughts.map(vectorOf).filter((vector) => vector !== undefined);
}

/** The nearest of the clusters whose members it is enough like. */
function nearest(
  centres: ReadonlyMap<number, Centre>,
  among: Iterable<number>,
  vector: Vector,
  common: number,
): number | undefined {
  let best: { cluster: number; cosine: number } | undefined;
  for (const cluster of among) {
    const centre = centres.get(cluster);
    if (!centre || likenessTo(centre, vector) < above(common, NEWCOMER, centre.likeness)) continue;
    const cosine = cosineTo(centre, vector);
    if (!best || cosine > best.cosine || (cosine === best.cosine && cluster < best.cluster)) best = { cluster, cosine };
  }
  return best?.cluster;
}

interface Neighbour {
  readonly id: number;
  readonly gap: number;
  readonly vector: Vector;
}

/** The dense group that a thought and its neighbours without a cluster make, if they do. */
function groupAround(thought: number, waiting: ReadonlyMap<number, Vector>, common: number): readonly number[] {
  const vector = waiting.get(thought) as Vector;
  const neighbours: Neighbour[] = [];
  for (const [id, other] of waiting) {
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
    common,
  );
  return founders.length >= DENSITY.least && founders.includes(thought) ? founders : [];
}

/** Without those that are much less like the others: a cluster that begins mixed would draw in everything between. */
function foundersOf(group: readonly Neighbour[], common: number): readonly number[] {
  let founders = group;
  while (founders.length >= DENSITY.least) {
    const all = centreOf(founders.map(({ vector }) => vector));
    const likeness = founders.map(({ vector }) => likenessWithin(all, vector));
    const worst = likeness.indexOf(Math.min(...likeness));
    if ((likeness[worst] as number) >= above(common, FOUNDER, all.likeness)) break;
    founders = founders.filter((_, i) => i !== worst);
  }
  return founders.map(({ id }) => id);
}

/** The cluster that a new group would only double. */
function likest(centres: ReadonlyMap<number, Centre>, group: Centre, common: number): number | undefined {
  let best: { cluster: number; likeness: number } | undefined;
  for (const [cluster, centre] of centres) {
    const likeness = likenessOf(centre, group);
    if (likeness < above(common, DOUBLE, Math.min(group.likeness, centre.likeness))) continue;
    if (!best || likeness > best.likeness || (likeness === best.likeness && cluster < best.cluster)) {
      best = { cluster, likeness };
    }
  }
  return best?.cluster;
}

function above(common: number, share: number, likeness: number): number {
  return common + share * (likeness - common);
}

function byThought(a: Assignment, b: Assignment): number {
  return a.thought - b.thought;
}
