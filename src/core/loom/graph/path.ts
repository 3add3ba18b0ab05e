import {
  chainContextHash,
  contextAfter,
  ensureContextAfter,
  hashOfContext,
  NO_CONTEXT,
  UNKNOWN_CONTEXT,
} from './contexts.ts';
import { type Graph, type PathChoices, type ResolvedPath, versionsOf } from './graph.ts';
import type { Journal } from './persistent.ts';

/*
 * Paths (W5). Always true of a participant who has one:
 * - every place on it was visited, so `child` is not 0 there: text that others add after its end does not show;
 * - a version shown without a choice becomes the choice when someone else's edit would change what is shown.
 * Participants who never acted see the path of the founder, who began the loom.
 */
export const PATH_END = -1;

export function pathOwner(graph: Graph, participant: string, founder: string): string {
  return graph.paths.has(participant) ? participant : founder;
}

/** The path as shown. The result is cached, so any code that changes the path must call `retrace`. */
export function resolvePath(graph: Graph, owner: string): ResolvedPath {
  const cached = graph.resolvedPaths.get(owner);
  if (cached) return cached;
  const resolved = walk(graph, graph.paths.get(owner) ?? emptyPath());
  graph.resolvedPaths.set(owner, resolved);
  return resolved;
}

/** The path of a loom without a founder. */
function emptyPath(): PathChoices {
  return { child: [], version: [], seen: [] };
}

function walk(graph: Graph, path: PathChoices): ResolvedPath {
  const capacity = graph.firstNode.length + SPARE_CAPACITY;
  const resolved: ResolvedPath = {
    length: 1,
    places: new Int32Array(capacity),
    nodes: new Int32Array(capacity),
    contexts: [NO_CONTEXT],
    knownContexts: 1,
    positionByPlace: new Int32Array(capacity),
  };
  walkFrom(graph, path, resolved, 0);
  return resolved;
}

const SPARE_CAPACITY = 64;

/**
 * Walks from the place at `position` to the end. Every cold read runs this, so it uses local columns and makes no
 * calls.
 */
function walkFrom(graph: Graph, path: PathChoices, resolved: ResolvedPath, position: number): void {
  const { preferred, lastNode, places: placeOf } = graph;
  const { child, version } = path;
  ensureCapacity(resolved, lastNode.length);
  padTo(child, lastNode.length);
  padTo(version, lastNode.length);
  const { places, nodes, positionByPlace } = resolved;
  let i = position;
  let place = places[i] as number;
  for (;;) {
    const next = child[place] as number;
    let node = version[place] as number;
    if (node === 0) {
      node = next > 0 ? (preferred[next] as number) : 0;
      if (node === 0 || placeOf[node] !== place) node = lastNode[place] as number;
    }
    nodes[i] = node;
    i++;
    if (next <= 0) break;
    places[i] = next;
    positionByPlace[next] = i;
    place = next;
  }
  resolved.length = i;
}

/** Sizes the arrays for `places`, the longest possible path. */
function ensureCapacity(resolved: ResolvedPath, places: number): void {
  if (resolved.positionByPlace.length > places) return;
  const grow = (old: Int32Array) => {
    const grown = new Int32Array(places * 2 + SPARE_CAPACITY);
    grown.set(old);
    return grown;
  };
  resolved.places = grow(resolved.places);
  resolved.nodes = grow(resolved.nodes);
  resolved.positionByPlace = grow(resolved.positionByPlace);
}

/** A zero means no choice, so padding with zeros needs no journal and no cleanup. */
function padTo(list: number[], length: number): void {
  while (list.length < length) list.push(0);
}

/** The chosen version, else the version preferred by the edge to `next`, else the latest (W5). */
export function shownVersion(graph: Graph, path: PathChoices, place: number, next: number): number {
  const chosenVersion = place < path.version.length ? (path.version[place] as number) : 0;
  if (chosenVersion !== 0) return chosenVersion;
  const preferredVersion = next > 0 ? (graph.preferred[next] as number) : 0;
  if (preferredVersion !== 0 && graph.places[preferredVersion] === place) return preferredVersion;
  return graph.lastNode[place] as number;
}

/** The node that a participant sees at a place, or would see there. */
export function shownNodeFor(graph: Graph, owner: string, place: number): number {
  const path = graph.paths.get(owner) ?? emptyPath();
  return shownVersion(graph, path, place, path.child[place] ?? 0);
}

/** The node at the end. */
export function tipOf({ nodes, length }: ResolvedPath): number {
  return nodes[length - 1] as number;
}

/** The position of a place on the path, or -1. */
export function positionOf({ places, positionByPlace, length }: ResolvedPath, place: number): number {
  const position = place < positionByPlace.length ? (positionByPlace[place] as number) : 0;
  return position < length && places[position] === place ? position : -1;
}

/** Call this when the version at `position`, or anything after it, has changed. */
export function retrace(graph: Graph, owner: string, position: number): void {
  const resolved = graph.resolvedPaths.get(owner);
  const path = graph.paths.get(owner);
  if (!resolved || !path) return;
  forgetContextsAfter(resolved, position);
  walkFrom(graph, path, resolved, position);
}

export function refreshShown(graph: Graph, owner: string, position: number): void {
  const resolved = graph.resolvedPaths.get(owner);
  const path = graph.paths.get(owner);
  if (!resolved || !path) return;
  resolved.nodes[position] = shownVersion(
    graph,
    path,
    resolved.places[position] as number,
    position + 1 < resolved.length ? (resolved.places[position + 1] as number) : 0,
  );
  forgetContextsAfter(resolved, position);
}

function forgetContextsAfter(resolved: ResolvedPath, position: number): void {
  resolved.knownContexts = Math.min(resolved.knownContexts, position + 1);
  if (resolved.contexts.length > resolved.knownContexts) resolved.contexts.length = resolved.knownContexts;
}

/** The context of the place at `position` on this path; UNKNOWN_CONTEXT if nothing was ever written in it. */
export function contextAt(graph: Graph, resolved: ResolvedPath, position: number): number {
  const { contexts, nodes } = resolved;
  // An unknown context may become known later, so only known ones are cached.
  for (let i = resolved.knownContexts; i <= position; i++) {
    const next = contextAfter(graph, contexts[i - 1] as number, nodes[i - 1] as number);
    if (next === UNKNOWN_CONTEXT) return UNKNOWN_CONTEXT;
    contexts[i] = next;
    resolved.knownContexts = i + 1;
  }
  return contexts[position] as number;
}

export function ensureContextAt(graph: Graph, journal: Journal, resolved: ResolvedPath, position: number): number {
  const { contexts, nodes } = resolved;
  for (let i = resolved.knownContexts; i <= position; i++) {
    contexts[i] = ensureContextAfter(graph, journal, contexts[i - 1] as number, nodes[i - 1] as number);
    resolved.knownContexts = i + 1;
  }
  return contexts[position] as number;
}

/** Context hashes along a path, with replacement texts for nodes about to change; fastest when read in order (W7). */
export function contextHashesAlong(graph: Graph, resolved: ResolvedPath, hash: (text: string) => string) {
  const replacements = new Map<number, string>();
  let firstReplaced = Number.POSITIVE_INFINITY;
  let last: { position: number; link: string } | undefined;

  function at(position: number): string {
    const start = Math.min(position, firstReplaced);
    contextAt(graph, resolved, start);
    const lastKnown = Math.min(start, resolved.knownContexts - 1);
    if (!last || last.position > position || last.position < lastKnown) {
      last = { position: lastKnown, link: hashOfContext(graph, resolved.contexts[lastKnown] as number, hash) };
    }
    for (; last.position < position; last.position++) {
      const text = replacements.get(last.position) ?? graph.contents[resolved.nodes[last.position] as number];
      last.link = chainContextHash(last.link, hash(text as string), hash);
    }
    return last.link;
  }

  function replace(position: number, text: string): void {
    replacements.set(position, text);
    firstReplaced = Math.min(firstReplaced, position);
  }

  return { at, replace };
}

export type ContextHashes = ReturnType<typeof contextHashesAlong>;

/** The places from the first one off the path down to `place`, and the position where they leave the path. */
export function routeTo(graph: Graph, resolved: ResolvedPath, place: number): { from: number; steps: number[] } {
  const steps: number[] = [];
  let at = place;
  while (positionOf(resolved, at) < 0) {
    steps.push(at);
    at = parentOnPath(graph, resolved, at);
  }
  return { from: positionOf(resolved, at), steps: steps.reverse() };
}

/** The place before this one: among those that share its family, the one on the path, else the family's own. */
export function parentOnPath(graph: Graph, resolved: ResolvedPath, place: number): number {
  const family = graph.parentFamily[place] as number;
  if (positionOf(resolved, family) >= 0) return family;
  return (graph.sharers.get(family) ?? []).find((sharer) => positionOf(resolved, sharer) >= 0) ?? family;
}

/**
 * Versions that others made at a place since this participant last chose there, or since the only one they saw (W5).
 */
export function offeredVersions(graph: Graph, owner: string, place: number, shownNode: number): number[] {
  if (graph.firstNode[place] === graph.lastNode[place] || graph.lastNode[place] === shownNode) return [];
  const since = Math.max(shownNode, graph.paths.get(owner)?.seen[place] ?? 0);
  return versionsOf(graph, place).filter((node) => node > since && graph.authors[node] !== owner);
}
