import type { AttributedText, Span } from '../authorship/reuse.ts';
import type { Journal, PersistentTables } from './persistent.ts';
import type { TextKeys } from './text-keys.ts';

/*
 * A loom as columns, so that 100,000 nodes are a few arrays. Always true:
 * - node 0 is the empty root at place 0; nodes and places are numbered in the order they came, parents before children;
 * - a place is its first node and the versions made from it, linked in order; `editedFrom` names what each was made from;
 * - children hang below a family: a place has its own, but the second half of a split and a merged node share the
 *   family of the node they stand for, so nothing downstream is copied and no edge rewritten (W2, W3, W20);
 * - a context stands for everything before a node on a path, as (context before it, node before it); contexts of equal
 *   texts in a row are the same, which is so exactly when their hashes are (W6, W7).
 */
export interface Graph extends PersistentTables {
  // By node.
  readonly ids: string[];
  readonly contents: string[];
  readonly authors: string[];
  readonly kinds: AuthorKind[];
  readonly created: string[];
  readonly places: number[];
  /** -1 for the first at its place. */
  readonly edited: number[];
  readonly nextVersion: number[];
  /** The context it was written in, for good. */
  readonly contexts: number[];
  /** The context after it, when it stands in its own; -1 until something does. */
  readonly after: number[];
  /** The seq of the event it came with. */
  readonly seqs: number[];
  /** Whom an import says it is by, in words; empty for what was written here (credits.ts). */
  readonly credits: string[];

  // By place.
  readonly firstNode: number[];
  readonly lastNode: number[];
  readonly family: number[];
  readonly parentFamily: number[];
  readonly nextSibling: number[];
  readonly firstChild: number[];
  readonly lastChild: number[];
  /** 1 for a branch that is hidden with all that follows it. */
  readonly pruned: number[];
  /** On the edge from the place before: which of its versions leads here by default; 0 for none. */
  readonly preferred: number[];

  // By context.
  readonly contextBefore: number[];
  readonly contextNode: number[];
  /** The hash, once someone worked it out. */
  readonly contextHash: (string | undefined)[];

  readonly byId: IdIndex;
  readonly origins: Map<number, NodeOrigin>;
  readonly marks: Map<number, NodeMarks>;
  /** By family: the places that share it besides its own. */
  readonly sharers: Map<number, readonly number[]>;
  readonly paths: Map<string, PathChoices>;
  readonly acts: Map<string, ActHistory>;
  readonly generations: Map<string, Generation>;
  /** Resolved paths, by participant: worked out, never journalled. */
  readonly resolvedPaths: Map<string, ResolvedPath>;
  /** Which contexts are the same: worked out when it is first asked, never journalled. */
  readonly sameContexts: SameContexts;
  /** Which texts are the same: worked out when it is first asked, never journalled. */
  readonly textKeys: TextKeys;
  /** Who wrote what of a node as its editors left it, and as it is shown, by node: worked out, never journalled. */
  readonly spans: Map<number, AttributedText>;
  readonly shownSpans: Map<number, readonly Span[]>;
}

export type AuthorKind = 'human' | 'model';

/** What a node has that most have not. */
export interface NodeOrigin {
  readonly generation?: string;
  readonly choice?: number;
  /** The raw response it came in, where it is not the generation's. */
  readonly raw?: string;
  /** Its stream ended early; this is what had come. */
  readonly interrupted?: true;
  /** A span of a sibling that was taken into this version. */
  readonly source?: SpanSource;
  /** The part of another node that this is, by its number; it keeps that one's authors. */
  readonly part?: { readonly of: number; readonly start: number };
  /** The two nodes that this is in one. */
  readonly merged?: readonly [number, number];
}

export interface SpanSource {
  readonly node: string;
  readonly start: number;
  readonly end: number;
  readonly at: number;
}

export interface NodeMarks {
  readonly bookmark?: string;
  readonly tags?: readonly string[];
  readonly rating?: number;
  readonly note?: string;
}

/** A participant's way: by place, 0 for never been there, -1 for the end, else the child gone to last. */
export interface PathChoices {
  readonly child: number[];
  /** By place: the version chosen; 0 for none. */
  readonly version: number[];
  /** By place: the newest version there was when one was chosen; later ones of others are offered. */
  readonly seen: number[];
}

/** A path as it is shown, from the root on. */
export interface ResolvedPath {
  /** So many of the places and nodes are on it. */
  length: number;
  places: Int32Array;
  nodes: Int32Array;
  readonly contexts: number[];
  /** So many of the contexts are worked out. */
  knownContexts: number;
  /** By place: where it stands, if `places` has it there. */
  positionByPlace: Int32Array;
}

/** Finds nodes by id. A fold adds many and asks for few, so what came since the last question is listed with the next. */
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
      // Ids are one node's only; should a log say otherwise, the first has it.
      if (!this.#listed.has(each)) this.#listed.set(each, this.#next);
    }
    return this.#listed.get(id);
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  /** Before the rows from here on go. */
  forgetFrom(first: number): void {
    for (let i = first; i < this.#next; i++) {
      if (this.#listed.get(this.#ids[i] as string) === i) this.#listed.delete(this.#ids[i] as string);
    }
    this.#next = Math.min(this.#next, first);
  }
}

/** Of contexts that are the same, the first stands for all. */
export interface SameContexts {
  /** By context, for as many as were asked about. */
  readonly first: number[];
  /** One number for equal texts. */
  readonly texts: Map<string, number>;
  /** By the context before, as it stands for all, and the text. */
  readonly byText: Map<number, number>;
}

/** What a participant can take back, the newest on top. */
export interface ActHistory {
  readonly done?: PathAct;
  readonly undone?: PathAct;
}

export interface PathAct {
  readonly id: string;
  readonly what: string;
  /** Fours: which column, which place, what was there and what is. There are as many acts as commits. */
  readonly cells: readonly number[];
  readonly below: PathAct | undefined;
}

export interface Generation {
  readonly model: string;
  readonly requester: string;
  readonly raw?: string;
  readonly prompt_hash?: string;
  /** What the model did not get to see: so many nodes, up to which, and how much of the first it saw (W18). */
  readonly dropped?: { readonly nodes: number; readonly last?: string | undefined; readonly cut?: number | undefined };
  /** The place that was to be led up to (W20). */
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

/** A graph of its own for a fork, which goes its own way from here. */
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

/** A version: one more at a place, whatever hangs below it. */
export function addVersion(graph: Graph, journal: Journal, node: NewNode, base: number): number {
  const place = graph.places[base] as number;
  const last = graph.lastNode[place] as number;
  const index = addNode(graph, journal, node, place, base);
  journal.put(graph.nextVersion, last, index);
  journal.put(graph.lastNode, place, index);
  return index;
}

/** A branch: a new place, last among the children of another. */
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

/** Which of the growing tables is which. */
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

/** The places after this one, in the order they came. */
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
