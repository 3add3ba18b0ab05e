import { contextAfter, hashOfContext, linkOf, madeContextAfter, NO_CONTEXT, UNHEARD_OF } from './contexts.ts';
import { type Graph, type Path, type Resolved, versionsOf } from './graph.ts';
import type { Journal } from './persistent.ts';

/*
 * Paths (W5). Always true of a participant who has one:
 * - every place on it has been gone to, so `child` is not 0 there: what others add after its end does not show;
 * - what it shows at such a place without having chosen is chosen for it when someone else's edit would change it.
 * Who never acted looks along the path of the one who began the loom.
 */
export const END = -1;

export function ownerOf(graph: Graph, participant: string, founder: string): string {
  return graph.paths.has(participant) ? participant : founder;
}

/** The path as it is shown; kept, so that whatever changes it must say so. */
export function resolve(graph: Graph, owner: string): Resolved {
  const known = graph.memo.get(owner);
  if (known) return known;
  const resolved = walk(graph, graph.paths.get(owner) ?? nowhere());
  graph.memo.set(owner, resolved);
  return resolved;
}

/** Of a loom that nobody began. */
function nowhere(): Path {
  return { child: [], version: [], seen: [] };
}

function walk(graph: Graph, path: Path): Resolved {
  const room = graph.firstNode.length + ROOM;
  const resolved: Resolved = {
    length: 1,
    places: new Int32Array(room),
    nodes: new Int32Array(room),
    contexts: [NO_CONTEXT],
    known: 1,
    at: new Int32Array(room),
  };
  goOn(graph, path, resolved, 0);
  return resolved;
}

const ROOM = 64;

/** From the place at `position` on to the end. Columns in hand and no calls: this is walked by every cold read. */
function goOn(graph: Graph, path: Path, resolved: Resolved, position: number): void {
  const { preferred, lastNode, places: placeOf } = graph;
  const { child, version } = path;
  makeRoom(resolved, lastNode.length);
  padTo(child, lastNode.length);
  padTo(version, lastNode.length);
  const { places, nodes, at } = resolved;
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
    at[next] = i;
    place = next;
  }
  resolved.length = i;
}

/** No path has more places than there are. */
function makeRoom(resolved: Resolved, places: number): void {
  if (resolved.at.length > places) return;
  const longer = (old: Int32Array) => {
    const grown = new Int32Array(places * 2 + ROOM);
    grown.set(old);
    return grown;
  };
  resolved.places = longer(resolved.places);
  resolved.nodes = longer(resolved.nodes);
  resolved.at = longer(resolved.at);
}

/** Zeros stand for nothing, so they may come and stay without anybody's knowing. */
function padTo(list: number[], length: number): void {
  while (list.length < length) list.push(0);
}

/** Chosen, else preferred by the edge that is gone along, else the latest (W5). */
export function shownAt(graph: Graph, path: Path, place: number, next: number): number {
  const chosen = place < path.version.length ? (path.version[place] as number) : 0;
  if (chosen !== 0) return chosen;
  const preferred = next > 0 ? (graph.preferred[next] as number) : 0;
  if (preferred !== 0 && graph.places[preferred] === place) return preferred;
  return graph.lastNode[place] as number;
}

/** What a participant sees at a place, or would see there. */
export function shownFor(graph: Graph, owner: string, place: number): number {
  const path = graph.paths.get(owner) ?? nowhere();
  return shownAt(graph, path, place, path.child[place] ?? 0);
}

/** The node at the end. */
export function tipOf({ nodes, length }: Resolved): number {
  return nodes[length - 1] as number;
}

/** Where a place stands on the path; -1 when it does not. */
export function positionOf({ places, at, length }: Resolved, place: number): number {
  const position = place < at.length ? (at[place] as number) : 0;
  return position < length && places[position] === place ? position : -1;
}

/** What follows the place at `position` has changed, or its version. */
export function retrace(graph: Graph, owner: string, position: number): void {
  const resolved = graph.memo.get(owner);
  const path = graph.paths.get(owner);
  if (!resolved || !path) return;
  forgetAfter(resolved, position);
  goOn(graph, path, resolved, position);
}

export function reshow(graph: Graph, owner: string, position: number): void {
  const resolved = graph.memo.get(owner);
  const path = graph.paths.get(owner);
  if (!resolved || !path) return;
  resolved.nodes[position] = shownAt(
    graph,
    path,
    resolved.places[position] as number,
    position + 1 < resolved.length ? (resolved.places[position + 1] as number) : 0,
  );
  forgetAfter(resolved, position);
}

function forgetAfter(resolved: Resolved, position: number): void {
  resolved.known = Math.min(resolved.known, position + 1);
  if (resolved.contexts.length > resolved.known) resolved.contexts.length = resolved.known;
}

/** The context of the place at `position` on this path; UNHEARD_OF when nothing was ever written in it. */
export function contextAt(graph: Graph, resolved: Resolved, position: number): number {
  const { contexts, nodes } = resolved;
  // What is unheard of now may be heard of later, so only what is known is kept.
  for (let i = resolved.known; i <= position; i++) {
    const next = contextAfter(graph, contexts[i - 1] as number, nodes[i - 1] as number);
    if (next === UNHEARD_OF) return UNHEARD_OF;
    contexts[i] = next;
    resolved.known = i + 1;
  }
  return contexts[position] as number;
}

export function madeContextAt(graph: Graph, journal: Journal, resolved: Resolved, position: number): number {
  const { contexts, nodes } = resolved;
  for (let i = resolved.known; i <= position; i++) {
    contexts[i] = madeContextAfter(graph, journal, contexts[i - 1] as number, nodes[i - 1] as number);
    resolved.known = i + 1;
  }
  return contexts[position] as number;
}

/** Hashes of contexts along a path, with texts that are about to be shown instead; cheapest when asked in order (W7). */
export function linksAlong(graph: Graph, resolved: Resolved, hash: (text: string) => string) {
  const instead = new Map<number, string>();
  let first = Number.POSITIVE_INFINITY;
  let reached: { position: number; link: string } | undefined;

  function at(position: number): string {
    const start = Math.min(position, first);
    contextAt(graph, resolved, start);
    const known = Math.min(start, resolved.known - 1);
    if (!reached || reached.position > position || reached.position < known) {
      reached = { position: known, link: hashOfContext(graph, resolved.contexts[known] as number, hash) };
    }
    for (; reached.position < position; reached.position++) {
      const text = instead.get(reached.position) ?? graph.contents[resolved.nodes[reached.position] as number];
      reached.link = linkOf(reached.link, hash(text as string), hash);
    }
    return reached.link;
  }

  function replace(position: number, text: string): void {
    instead.set(position, text);
    first = Math.min(first, position);
  }

  return { at, replace };
}

export type Links = ReturnType<typeof linksAlong>;

/** The places from the first one off the path down to `place`, and where they leave it. */
export function wayTo(graph: Graph, resolved: Resolved, place: number): { from: number; steps: number[] } {
  const steps: number[] = [];
  let at = place;
  while (positionOf(resolved, at) < 0) {
    steps.push(at);
    at = parentOn(graph, resolved, at);
  }
  return { from: positionOf(resolved, at), steps: steps.reverse() };
}

/** The place before this one: of those that share its family, the one that is on the path, else the family's own. */
export function parentOn(graph: Graph, resolved: Resolved, place: number): number {
  const family = graph.parentFamily[place] as number;
  if (positionOf(resolved, family) >= 0) return family;
  return (graph.sharers.get(family) ?? []).find((sharer) => positionOf(resolved, sharer) >= 0) ?? family;
}

/** Versions at a place that others made since this participant chose there, or saw none to choose (W5). */
export function offeredAt(graph: Graph, owner: string, place: number, shown: number): number[] {
  if (graph.firstNode[place] === graph.lastNode[place] || graph.lastNode[place] === shown) return [];
  const since = Math.max(shown, graph.paths.get(owner)?.seen[place] ?? 0);
  return versionsOf(graph, place).filter((node) => node > since && graph.authors[node] !== owner);
}
