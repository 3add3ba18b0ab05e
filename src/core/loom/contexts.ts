import type { Graph } from './graph.ts';
import type { Journal } from './versions.ts';

/** What comes before the root: nothing. */
export const NO_CONTEXT = 0;
/** A context that no node was ever written in, so whatever stands in it is stale. */
export const UNHEARD_OF = -1;
const BITS = 2 ** 26;

/** The context after a node that stands in `context`; UNHEARD_OF where there is none. */
export function contextAfter(graph: Graph, context: number, node: number): number {
  if (context === UNHEARD_OF) return UNHEARD_OF;
  const own = graph.contexts[node] === context ? (graph.after[node] as number) : UNHEARD_OF;
  if (own !== UNHEARD_OF) return own;
  const text = graph.texts.get(graph.contents[node] as string);
  return text === undefined ? UNHEARD_OF : (graph.contextOf.get(context * BITS + text) ?? UNHEARD_OF);
}

/** The same, made where there is none. */
export function madeContextAfter(graph: Graph, journal: Journal, context: number, node: number): number {
  const known = contextAfter(graph, context, node);
  const made = known === UNHEARD_OF ? addContext(graph, journal, context, node) : known;
  if (graph.contexts[node] === context && graph.after[node] !== made) journal.put(graph.after, node, made);
  return made;
}

function addContext(graph: Graph, journal: Journal, context: number, node: number): number {
  const content = graph.contents[node] as string;
  let text = graph.texts.get(content);
  if (text === undefined) {
    text = graph.texts.size;
    journal.set(graph.texts, content, text);
  }
  const made = graph.contextBefore.length;
  graph.contextBefore.push(context);
  graph.contextNode.push(node);
  graph.contextHash.push(undefined);
  journal.set(graph.contextOf, context * BITS + text, made);
  return made;
}

/** Hash of a context: of the hash of the one before and that of the text before (W7). */
export function linkOf(before: string, contentHash: string, hash: (text: string) => string): string {
  return hash(`heddle context 1\n${before}\n${contentHash}`);
}

export function firstLink(hash: (text: string) => string): string {
  return hash('heddle context 1\n');
}

/** Works out as many hashes as are missing, and keeps them: they follow from the context alone. */
export function hashOfContext(graph: Graph, context: number, hash: (text: string) => string): string {
  const missing: number[] = [];
  let known = context;
  while (known !== NO_CONTEXT && graph.contextHash[known] === undefined) {
    missing.push(known);
    known = graph.contextBefore[known] as number;
  }
  let link = known === NO_CONTEXT ? firstLink(hash) : (graph.contextHash[known] as string);
  for (const next of missing.reverse()) {
    const text = graph.contents[graph.contextNode[next] as number] as string;
    link = linkOf(link, hash(text), hash);
    graph.contextHash[next] = link;
  }
  return link;
}
