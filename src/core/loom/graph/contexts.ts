import { type Graph, NODES } from './graph.ts';
import type { Journal } from './persistent.ts';

/** What comes before the root: nothing. */
export const NO_CONTEXT = 0;
/** A context that no node was ever written in, so whatever stands in it is stale. */
export const UNHEARD_OF = -1;
const BITS = 2 ** 26;

/** The context after a node that stands in `context`; UNHEARD_OF where nothing was ever written in it. */
export function contextAfter(graph: Graph, context: number, node: number): number {
  if (context === UNHEARD_OF) return UNHEARD_OF;
  if (graph.contexts[node] === context && graph.after[node] !== UNHEARD_OF) return graph.after[node] as number;
  const first = firstOf(graph, context);
  const text = graph.same.texts.get(graph.contents[node] as string);
  return text === undefined ? UNHEARD_OF : (graph.same.byText.get(first * BITS + text) ?? UNHEARD_OF);
}

/** The same, made where there is none. Where a node stands in its own context nothing has to be looked for. */
export function madeContextAfter(graph: Graph, journal: Journal, context: number, node: number): number {
  const isOwn = graph.contexts[node] === context;
  const known = isOwn ? (graph.after[node] as number) : contextAfter(graph, context, node);
  if (known !== UNHEARD_OF) return known;
  const made = graph.contextBefore.length;
  graph.contextBefore.push(context);
  graph.contextNode.push(node);
  graph.contextHash.push(undefined);
  if (isOwn && node >= (journal.lengths[NODES] as number)) graph.after[node] = made;
  else if (isOwn) journal.put(graph.after, node, made);
  return made;
}

export function isSame(graph: Graph, one: number, other: number): boolean {
  if (one === other) return one !== UNHEARD_OF;
  return one !== UNHEARD_OF && other !== UNHEARD_OF && firstOf(graph, one) === firstOf(graph, other);
}

/** Of all contexts that are the same, the first; worked out for all that came since it was last asked. */
function firstOf(graph: Graph, context: number): number {
  const { first, texts, byText } = graph.same;
  if (first.length === 0) first.push(NO_CONTEXT);
  for (let next = first.length; next < graph.contextBefore.length; next++) {
    const content = graph.contents[graph.contextNode[next] as number] as string;
    let text = texts.get(content);
    if (text === undefined) {
      text = texts.size;
      texts.set(content, text);
    }
    const key = (first[graph.contextBefore[next] as number] as number) * BITS + text;
    const known = byText.get(key);
    if (known === undefined) byText.set(key, next);
    first.push(known ?? next);
  }
  return first[context] as number;
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
