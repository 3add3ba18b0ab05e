import { type Graph, NODE_TABLE } from './graph.ts';
import type { Journal } from './persistent.ts';

/** What comes before the root: nothing. */
export const NO_CONTEXT = 0;
/** A context that no node was ever written in, so whatever stands in it is stale. */
export const UNKNOWN_CONTEXT = -1;
const TEXT_STRIDE = 2 ** 26;

/** The context after a node that stands in `context`; UNHEARD_OF where nothing was ever written in it. */
export function contextAfter(graph: Graph, context: number, node: number): number {
  if (context === UNKNOWN_CONTEXT) return UNKNOWN_CONTEXT;
  if (graph.contexts[node] === context && graph.after[node] !== UNKNOWN_CONTEXT) return graph.after[node] as number;
  const canonical = canonicalContext(graph, context);
  const text = graph.sameContexts.texts.get(graph.contents[node] as string);
  return text === undefined
    ? UNKNOWN_CONTEXT
    : (graph.sameContexts.byText.get(canonical * TEXT_STRIDE + text) ?? UNKNOWN_CONTEXT);
}

/** The same, made where there is none. Where a node stands in its own context nothing has to be looked for. */
export function ensureContextAfter(graph: Graph, journal: Journal, context: number, node: number): number {
  const isOwn = graph.contexts[node] === context;
  const existing = isOwn ? (graph.after[node] as number) : contextAfter(graph, context, node);
  if (existing !== UNKNOWN_CONTEXT) return existing;
  const created = graph.contextBefore.length;
  graph.contextBefore.push(context);
  graph.contextNode.push(node);
  graph.contextHash.push(undefined);
  if (isOwn && node >= (journal.lengths[NODE_TABLE] as number)) graph.after[node] = created;
  else if (isOwn) journal.put(graph.after, node, created);
  return created;
}

export function isSameContext(graph: Graph, one: number, other: number): boolean {
  if (one === other) return one !== UNKNOWN_CONTEXT;
  return (
    one !== UNKNOWN_CONTEXT &&
    other !== UNKNOWN_CONTEXT &&
    canonicalContext(graph, one) === canonicalContext(graph, other)
  );
}

/** Of all contexts that are the same, the first; worked out for all that came since it was last asked. */
function canonicalContext(graph: Graph, context: number): number {
  const { first, texts, byText } = graph.sameContexts;
  if (first.length === 0) first.push(NO_CONTEXT);
  for (let next = first.length; next < graph.contextBefore.length; next++) {
    const content = graph.contents[graph.contextNode[next] as number] as string;
    let text = texts.get(content);
    if (text === undefined) {
      text = texts.size;
      texts.set(content, text);
    }
    const key = (first[graph.contextBefore[next] as number] as number) * TEXT_STRIDE + text;
    const existing = byText.get(key);
    if (existing === undefined) byText.set(key, next);
    first.push(existing ?? next);
  }
  return first[context] as number;
}

/** Hash of a context: of the hash of the one before and that of the text before (W7). */
export function chainContextHash(before: string, contentHash: string, hash: (text: string) => string): string {
  return hash(`heddle context 1\n${before}\n${contentHash}`);
}

export function emptyContextHash(hash: (text: string) => string): string {
  return hash('heddle context 1\n');
}

/** Works out as many hashes as are missing, and keeps them: they follow from the context alone. */
export function hashOfContext(graph: Graph, context: number, hash: (text: string) => string): string {
  const missing: number[] = [];
  let ancestor = context;
  while (ancestor !== NO_CONTEXT && graph.contextHash[ancestor] === undefined) {
    missing.push(ancestor);
    ancestor = graph.contextBefore[ancestor] as number;
  }
  let contextHash = ancestor === NO_CONTEXT ? emptyContextHash(hash) : (graph.contextHash[ancestor] as string);
  for (const next of missing.reverse()) {
    const text = graph.contents[graph.contextNode[next] as number] as string;
    contextHash = chainContextHash(contextHash, hash(text), hash);
    graph.contextHash[next] = contextHash;
  }
  return contextHash;
}
