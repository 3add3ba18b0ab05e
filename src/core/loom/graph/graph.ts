import type { AttributedText, Span } from '../authorship/reuse.ts';
import type { SpanSource } from '../events.ts';
import type { NodeMarks } from '../view-schema.ts';
import type { Journal, PersistentTables } from './persistent.ts';
import type { TextKeys } from './text-keys.ts';

/*
 * A loom as columns, so that 100,000 nodes are a few arrays. Always true:
 * - node 0 is the empty root at place 0; nodes and places are numbered in creation order, parents before children;
 * - a place is its first node and the versions made from it, linked in order; `edited` has the node each was made from;
 * - children hang below a family: a place has its own, but the second half of a split and a merged node share the
 *   family of the node they replace, so nothing downstream is copied and no edge rewritten (W2, W3, W20);
 * - a context stands for everything before a node on a path, as (context before it, node before it); contexts with the
 *   same sequence of texts are equal, and only equal contexts have equal hashes (W6, W7).
 */
export interface Graph extends PersistentTables {
  // By node.
  readonly ids: string[];
  readonly contents: string[];
  readonly authors: string[];
  readonly kinds: AuthorKind[];
  readonly created: string[];
  readonly places: number[];
  /** The node this version was made from; -1 for the first at its place. */
  readonly edited: number[];
  readonly nextVersion: number[];
  /** The context the node was written in; never changes. */
  readonly contexts: number[];
  /** The context after the node, if the node is in its own context; -1 until something is written there. */
  readonly after: number[];
  /** The seq of the event that added the node. */
  readonly seqs: number[];
  /** The author credit from an import; empty for text written here (credits.ts). */
  readonly credits: string[];

  // By place.
  readonly firstNode: number[];
  readonly lastNode: number[];
  readonly family: number[];
  readonly parentFamily: number[];
  readonly nextSibling: number[];
  readonly firstChild: number[];
  readonly lastChild: number[];
  /** 1 for a branch that is hidden with everything after it. */
  readonly pruned: number[];
  /** The version of the previous place to show by default on a path that leads here; 0 for none. */
  readonly preferred: number[];

  // By context.
  readonly contextBefore: number[];
  readonly contextNode: number[];
  /** The hash, once computed. */
  readonly contextHash: (string | undefined)[];

  readonly byId: IdIndex;
  readonly origins: Map<number, NodeOrigin>;
  readonly marks: Map<number, NodeMarks>;
  /** By family: the places that share it besides its own. */
  readonly sharers: Map<number, readonly number[]>;
  readonly paths: Map<string, PathChoices>;
  readonly acts: Map<string, ActHistory>;
  readonly generations: Map<string, Generation>;
  /** Resolved paths, by participant: a cache, never journalled. */
  readonly resolvedPaths: Map<string, ResolvedPath>;
  /** Equal contexts: computed on first use, never journalled. */
  readonly sameContexts: SameContexts;
  /** Equal texts: computed on first use, never journalled. */
  readonly textKeys: TextKeys;
  /** Authors of each node's text, as its editors left it and as shown, by node: a cache, never journalled. */
  readonly spans: Map<number, AttributedText>;
  readonly shownSpans: Map<number, readonly Span[]>;
}

export type AuthorKind = 'human' | 'model';

/** Rare properties of a node; most nodes have none. */
export interface NodeOrigin {
  readonly generation?: string;
  readonly choice?: number;
  /** The raw response the node came in, if it differs from the generation's. */
  readonly raw?: string;
  /** The stream ended early; the node has the text received so far. */
  readonly interrupted?: true;
  /** The span of a sibling that this version took over. */
  readonly source?: SpanSource;
  /** This node is a part of another (`of` is its number) and keeps its authors. */
  readonly part?: { readonly of: number; readonly start: number };
  /** The two nodes that were merged into this one. */
  readonly merged?: readonly [number, number];
}

/** A participant's choices. `child`, by place: 0 if never visited, -1 at the end, else the last visited child. */
export interface PathChoices {
  readonly child: number[];
  /** By place: the version chosen; 0 for none. */
  readonly version: number[];
  /** By place: the newest version at the time of the choice; later versions by others are offered. */
  readonly seen: number[];
}

/** A path as shown, from the root on. */
export interface ResolvedPath {
  /** The number of places and nodes on the path. */
  length: number;
  places: Int32Array;
  nodes: Int32Array;
  readonly contexts: number[];
  /** The number of contexts computed so far. */
  knownContexts: number;
  /** By place: its position, valid only if `places` has the place at that position. */
  positionByPlace: Int32Array;
}

/**
 * Finds nodes by id. A fold adds many nodes and looks up few, so a lookup first indexes the nodes added since the last.
 */
class IdIndex {
  readonly #ids: readonly string[];
  readonly #listed = new Map<string, number>();
  #next = 0;

  constructor(ids: readonly string[]) {
    this.#ids = ids;
  }

  get(id: string): number | undefined {
    for (; this.#next < this.#ids.length; this.#next++) {
      const each = this.#ids[this.#next] as string;
      // Ids are unique; if a log repeats one, the first node keeps it.
      if (!this.#listed.has(each)) this.#listed.set(each, this.#next);
    }
    return this.#listed.get(id);
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  /** Call this before removing the rows from `first` on. */
  forgetFrom(first: number): void {
    for (let i = first; i < this.#next; i++) {
      if (this.#listed.get(this.#ids[i] as string) === i) this.#listed.delete(this.#ids[i] as string);
    }
    this.#next = Math.min(this.#next, first);
  }
}

/** Maps each context to the first of its equals, which represents them all. */
export interface SameContexts {
  /** The first equal context, by context; filled as far as needed. */
  readonly first: number[];
  /** A number for each distinct text. */
  readonly texts: Map<string, number>;
  /** The first context for each pair of representative previous context and text number. */
  readonly byText: Map<number, number>;
}

/** The acts a participant can undo and redo, newest on top. */
export interface ActHistory {
  readonly done?: PathAct;
  readonly undone?: PathAct;
}

export interface PathAct {
  readonly id: string;
  readonly what: string;
  /** Groups of four: column, place, old value, new value. There are as many acts as commits. */
  readonly cells: readonly number[];
  readonly below: PathAct | undefined;
}

export interface Generation {
  readonly model: string;
  readonly requester: string;
  readonly raw?: string;
  readonly prompt_hash?: string;
  /** Text the model did not see: the number of nodes, the last of them, and the cut in the first node it saw (W18). */
  readonly dropped?: { readonly nodes: number; readonly last?: string | undefined; readonly cut?: number | undefined };
  /** The place that a fill-in should lead up to (W20). */
  readonly fills?: number;
  readonly state: 'running' | 'stopping' | 'finished' | 'failed' | 'stopped';
}

export const ROOT = 'root';

export function emptyGraph(): Graph {
  const nodes = { ids: [ROOT], contents: [''], authors: [''], kinds: ['human' as AuthorKind], created: [''] };
  const links = { places: [0], edited: [-1], nextVersion: [-1], contexts: [0], after: [-1], seqs: [0], credits: [''] };
  const versions = { firstNode: [0], lastNode: [0] };
  const edges = { family: [0], parentFamily: [-1], nextSibling: [-1], pruned: [0], preferred: [0] };
  const children = { firstChild: [-1], lastChild: [-1] };
  const contexts = { contextBefore: [-1], contextNode: [-1], contextHash: [undefined] as (string | undefined)[] };
  return createGraph({ ...nodes, ...links }, { ...versions, ...edges, ...children }, contexts);
}

type NodeColumns = Pick<
  Graph,
  | ('ids' | 'contents' | 'authors' | 'kinds' | 'created' | 'places' | 'edited')
  | ('nextVersion' | 'contexts' | 'after' | 'seqs' | 'credits')
>;
type PlaceColumns = Pick<
  Graph,
  | ('firstNode' | 'lastNode' | 'family' | 'parentFamily' | 'nextSibling')
  | ('firstChild' | 'lastChild' | 'pruned' | 'preferred')
>;
type ContextColumns = Pick<Graph, 'contextBefore' | 'contextNode' | 'contextHash'>;

function createGraph(nodes: NodeColumns, places: PlaceColumns, contexts: ContextColumns): Graph {
  const byId = new IdIndex(nodes.ids);
  const resolvedPaths = new Map<string, ResolvedPath>();
  const spans = new Map<number, AttributedText>();
  const shownSpans = new Map<number, readonly Span[]>();
  const textKeys: TextKeys = { nodes: new Map(), contexts: [] };
  const sameContexts: SameContexts = { first: [], texts: new Map(), byText: new Map() };
  return {
    ...nodes,
    ...places,
    ...contexts,
    tables: [nodes, places, contexts].map((table) => Object.values(table) as unknown[][]),
    truncateIndexes: ([first = 0]) => byId.forgetFrom(first),
    clearCaches() {
      resolvedPaths.clear();
      spans.clear();
      shownSpans.clear();
      textKeys.nodes.clear();
      textKeys.contexts.length = 0;
      sameContexts.first.length = 0;
      sameContexts.texts.clear();
      sameContexts.byText.clear();
    },
    byId,
    origins: new Map(),
    marks: new Map(),
    sharers: new Map(),
    paths: new Map(),
    acts: new Map(),
    generations: new Map(),
    resolvedPaths,
    sameContexts,
    spans,
    shownSpans,
    textKeys,
  };
}

/** Copies the graph for a fork, which changes independently from then on. */
export function copyGraph(graph: Graph): Graph {
  const [nodes, places, contexts] = graph.tables as [unknown[][], unknown[][], unknown[][]];
  const copyColumns = (columns: readonly unknown[][]) => {
    const columnEntries = Object.entries(graph).filter(([, value]) => columns.includes(value as unknown[]));
    return Object.fromEntries(columnEntries.map(([name, list]) => [name, (list as unknown[]).slice()])) as never;
  };
  const copy = createGraph(copyColumns(nodes), copyColumns(places), copyColumns(contexts));
  for (const [id, path] of graph.paths) copy.paths.set(id, copyPath(path));
  for (const name of ['origins', 'marks', 'sharers', 'acts', 'generations'] as const) {
    for (const [key, value] of graph[name] as Map<never, never>) (copy[name] as Map<unknown, unknown>).set(key, value);
  }
  return copy;
}

export function copyPath({ child, version, seen }: PathChoices): PathChoices {
  return { child: child.slice(), version: version.slice(), seen: seen.slice() };
}

export interface NewNode {
  readonly id: string;
  readonly content: string;
  readonly author: string;
  readonly kind: AuthorKind;
  readonly created: string;
  readonly seq: number;
  readonly context: number;
  readonly origin?: NodeOrigin | undefined;
  readonly credit?: string | undefined;
}

/** Adds a version to an existing place; its children stay. */
export function addVersion(graph: Graph, journal: Journal, node: NewNode, base: number): number {
  const place = graph.places[base] as number;
  const last = graph.lastNode[place] as number;
  const index = addNode(graph, journal, node, place, base);
  journal.put(graph.nextVersion, last, index);
  journal.put(graph.lastNode, place, index);
  return index;
}

/** Adds a branch: a new place, last among the children of its parent. */
export function addPlace(graph: Graph, journal: Journal, node: NewNode, parent: number, family?: number): number {
  const place = graph.firstNode.length;
  const index = addNode(graph, journal, node, place, -1);
  const parentFamily = graph.family[parent] as number;
  if (family !== undefined) journal.set(graph.sharers, family, [...(graph.sharers.get(family) ?? []), place]);
  graph.firstNode.push(index);
  graph.lastNode.push(index);
  graph.family.push(family ?? place);
  graph.parentFamily.push(parentFamily);
  graph.nextSibling.push(-1);
  graph.firstChild.push(-1);
  graph.lastChild.push(-1);
  graph.pruned.push(0);
  graph.preferred.push(0);
  const last = graph.lastChild[parentFamily] as number;
  if (last < 0) putPlace(journal, graph.firstChild, parentFamily, place);
  else putPlace(journal, graph.nextSibling, last, place);
  putPlace(journal, graph.lastChild, parentFamily, place);
  return index;
}

function putPlace(journal: Journal, list: number[], place: number, value: number): void {
  if (place >= (journal.lengths[PLACE_TABLE] as number)) list[place] = value;
  else journal.put(list, place, value);
}

/** Indexes into `tables`. */
export const NODE_TABLE = 0;
const PLACE_TABLE = 1;

function addNode(graph: Graph, journal: Journal, node: NewNode, place: number, editedFrom: number): number {
  const index = graph.ids.length;
  graph.ids.push(node.id);
  graph.contents.push(node.content);
  graph.authors.push(node.author);
  graph.kinds.push(node.kind);
  graph.created.push(node.created);
  graph.places.push(place);
  graph.edited.push(editedFrom);
  graph.nextVersion.push(-1);
  graph.contexts.push(node.context);
  graph.after.push(-1);
  graph.seqs.push(node.seq);
  graph.credits.push(node.credit ?? '');
  if (node.origin) journal.set(graph.origins, index, node.origin);
  return index;
}

/** The places after this one, in creation order. */
export function childrenOf(graph: Graph, place: number): number[] {
  const children: number[] = [];
  const family = graph.family[place] as number;
  for (let child = graph.firstChild[family] as number; child >= 0; child = graph.nextSibling[child] as number) {
    children.push(child);
  }
  return children;
}

export function versionsOf(graph: Graph, place: number): number[] {
  const versions: number[] = [];
  for (let node = graph.firstNode[place] as number; node >= 0; node = graph.nextVersion[node] as number) {
    versions.push(node);
  }
  return versions;
}
