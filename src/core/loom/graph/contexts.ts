import { type Graph, NODE_TABLE } from './graph.ts';
import type { Journal } from './persistent.ts';

/** The empty context, before the root. */
export const NO_CONTEXT = 0;
/** A context that no node was ever written in, so every node shown in it is stale. */
export const UNKNOWN_CONTEXT = -1;
const TEXT_STRIDE = 2 ** 26;

/** The context after a node in `context`; UNKNOWN_CONTEXT if nothing was ever written in it. */
export function contextAfter(graph: Graph, context: number, node: number): number {
  if (context === UNKNOWN_CONTEXT) return UNKNOWN_CONTEXT;
  if (graph.contexts[node] === context && graph.after[node] !== UNKNOWN_CONTEXT) return graph.after[node] as number;
  const canonical = canonicalContext(graph, context);
  const text = graph.sameContexts.texts.get(graph.contents[node] as string);
  return text === undefined
    ? UNKNOWN_CONTEXT
    : (graph.sameContexts.byText.get(canonical * TEXT_STRIDE + text) ?? UNKNOWN_CONTEXT);
}

/** Like `contextAfter`, but creates a missing context. A node in its own context needs no lookup. */
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

/** The first of all equal contexts. Each call also indexes the contexts added since the last one. */
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

/** The hash of a context, from the hash of the context before it and of the text before it (W7). */
export function chainContextHash(before: string, contentHash: string, hash: (text: string) => string): string {
  return hash(`heddle context 1\n${before}\n${contentHash}`);
}

export function emptyContextHash(hash: (text: string) => string): string {
  return hash('heddle context 1\n');
}

/** Computes and caches the missing hashes. Caching is safe: a hash depends on the context alone. */
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
