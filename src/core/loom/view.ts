import { creditOf } from './authorship/credits.ts';
import { isSameContext, UNKNOWN_CONTEXT } from './graph/contexts.ts';
import { childrenOf, type Graph, type ResolvedPath, versionsOf } from './graph/graph.ts';
import { proofOfNode } from './graph/node-proof.ts';
import {
  contextAt,
  offeredVersions,
  parentOnPath,
  pathOwner,
  positionOf,
  resolvePath,
  shownNodeFor,
  tipOf,
} from './graph/path.ts';
import type { HashFunction } from './graph/proof.ts';
import { hasText, type TextKey, textKeysAlong } from './graph/text-keys.ts';
import type { LoomState } from './state.ts';
import type { NodeView, PathEntry, PathView, RunningGenerationView } from './view-schema.ts';

export interface PathRange {
  /** The first node of the path to return, and how many. */
  readonly from?: number;
  readonly limit?: number;
}

/** The path of a participant as one text, with an entry for each node (C9). */
export function viewPath(state: LoomState, id: string, participant: string, range: PathRange = {}): PathView {
  const graph = state.graph.read();
  const owner = pathOwner(graph, participant, state.founder);
  const resolved = resolvePath(graph, owner);
  const { nodes, length } = resolved;
  const first = Math.min(1 + (range.from ?? 0), length);
  const last = Math.min(length, first + (range.limit ?? length));
  contextAt(graph, resolved, length - 1);
  let start = 0;
  for (let i = 1; i < first; i++) start += (graph.contents[nodes[i] as number] as string).length;
  const path: PathEntry[] = [];
  const keyBefore = textKeysAlong(graph, nodes);
  for (let i = first; i < last; i++) {
    const entry = entryAt(graph, resolved, owner, i, start, keyBefore);
    path.push(entry);
    start = entry.end;
  }
  return {
    id,
    text: pathText(graph, resolved, first, last),
    path,
    version_selections: versionSelections(graph, resolved),
    length: length - 1,
    tip: graph.ids[tipOf(resolved)] as string,
    running: runningGenerations(state),
    explorations: state.explorations.map(({ exploration, at, state: status, nodesMade, nodes: nodeLimit }) => ({
      exploration,
      at,
      state: status,
      made: nodesMade,
      nodes: nodeLimit,
    })),
  };
}

export function runningGenerations({ openGenerations: open }: LoomState): readonly RunningGenerationView[] {
  return open
    .filter(({ stopping }) => !stopping)
    .map(({ request: { generation, at, requester, model, n, exploration } }) => ({
      generation,
      at,
      requester,
      n,
      ...(model !== undefined && { model }),
      ...(exploration !== undefined && { exploration }),
    }));
}

/** The text of a path, whole or from one position up to another. */
export function pathText(graph: Graph, { nodes, length }: ResolvedPath, from = 1, to = length): string {
  const parts: string[] = [];
  for (let i = from; i < to; i++) parts.push(graph.contents[nodes[i] as number] as string);
  return parts.join('');
}

function entryAt(
  graph: Graph,
  resolved: ResolvedPath,
  owner: string,
  position: number,
  start: number,
  keyBefore: (position: number) => TextKey,
): PathEntry {
  const node = resolved.nodes[position] as number;
  const place = resolved.places[position] as number;
  const base = graph.edited[node] as number;
  const context = graph.contexts[node] as number;
  const origin = graph.origins.get(node);
  const offered = offeredVersions(graph, owner, place, node);
  const marks = graph.marks.get(node);
  return {
    node: graph.ids[node] as string,
    ...creditOf(graph, node),
    start,
    end: start + (graph.contents[node] as string).length,
    versions: idsOf(graph, versionsOf(graph, place)),
    sources: sourcesOf(graph, place),
    siblings: siblingsOf(graph, owner, resolved, position),
    stale:
      !isSameContext(graph, context, contextKnownAt(resolved, position)) &&
      !hasText(graph, context, keyBefore(position)),
    ...(base >= 0 && { edited_from: graph.ids[base] as string }),
    ...(offered.length > 0 && { offered: idsOf(graph, offered) }),
    ...(origin?.generation !== undefined && { generation: origin.generation }),
    ...(origin?.interrupted && { interrupted: true as const }),
    ...(graph.pruned[place] === 1 && { pruned: true as const }),
    ...(marks && { marks }),
  };
}

/** All versions of the place before this one and, after a split or a merge, of the places that share its children. */
export function sourcesOf(graph: Graph, place: number): string[] {
  const family = graph.parentFamily[place] as number;
  if (family < 0) return [];
  const parentPlaces = [family, ...(graph.sharers.get(family) ?? [])];
  return parentPlaces.flatMap((each) => idsOf(graph, versionsOf(graph, each)));
}

function versionSelections(graph: Graph, { places, nodes, length }: ResolvedPath): Record<string, string> {
  const selections: Record<string, string> = {};
  for (let i = 1; i < length; i++) {
    const [place, node] = [places[i] as number, nodes[i] as number];
    if (graph.firstNode[place] === graph.lastNode[place]) continue;
    selections[graph.ids[graph.firstNode[place] as number] as string] = graph.ids[node] as string;
  }
  return selections;
}

function contextKnownAt({ contexts, knownContexts }: ResolvedPath, position: number): number {
  return position < knownContexts ? (contexts[position] as number) : UNKNOWN_CONTEXT;
}

/**
 * The shown node of every branch after the same place, this one included. A pruned branch counts only if it is shown.
 */
function siblingsOf(graph: Graph, owner: string, resolved: ResolvedPath, position: number): string[] {
  const ownPlace = resolved.places[position] as number;
  const parentPlace = resolved.places[position - 1] as number;
  const visiblePlaces = childrenOf(graph, parentPlace).filter(
    (place) => place === ownPlace || graph.pruned[place] === 0,
  );
  return shownIds(graph, owner, visiblePlaces);
}

/** One node with its surroundings; undefined if the node does not exist. */
export function viewNode(state: LoomState, id: string, participant: string, hash: HashFunction): NodeView | undefined {
  const graph = state.graph.read();
  const node = graph.byId.get(id);
  if (node === undefined) return undefined;
  const owner = pathOwner(graph, participant, state.founder);
  const resolved = resolvePath(graph, owner);
  const place = graph.places[node] as number;
  const position = positionOf(resolved, place);
  const parent = place === 0 ? -1 : parentOnPath(graph, resolved, place);
  const shownParent = parent < 0 ? undefined : shownNodeFor(graph, owner, parent);
  const base = graph.edited[node] as number;
  const preferred = graph.preferred[place] as number;
  const { generation, choice, interrupted, source } = graph.origins.get(node) ?? {};
  return {
    node: id,
    content: graph.contents[node] as string,
    ...creditOf(graph, node),
    created: graph.created[node] as string,
    seq: graph.seqs[node] as number,
    ...proofOfNode(graph, node, hash),
    place: graph.ids[graph.firstNode[place] as number] as string,
    parent: shownParent === undefined ? null : (graph.ids[shownParent] as string),
    sources: sourcesOf(graph, place),
    versions: idsOf(graph, versionsOf(graph, place)),
    siblings: parent < 0 ? [id] : shownIds(graph, owner, childrenOf(graph, parent)),
    children: shownIds(graph, owner, childrenOf(graph, place)),
    on_path: position >= 0 && resolved.nodes[position] === node,
    pruned: graph.pruned[place] === 1,
    marks: graph.marks.get(node) ?? {},
    ...(base >= 0 && { edited_from: graph.ids[base] as string }),
    ...(preferred !== 0 && { preferred_source: graph.ids[preferred] as string }),
    ...(generation !== undefined && { generation }),
    ...(choice !== undefined && { choice }),
    ...(interrupted && { interrupted }),
    ...(source && { source }),
  };
}

function shownIds(graph: Graph, owner: string, places: readonly number[]): string[] {
  return places.map((place) => graph.ids[shownNodeFor(graph, owner, place)] as string);
}

function idsOf(graph: Graph, nodes: readonly number[]): string[] {
  return nodes.map((node) => graph.ids[node] as string);
}
