import { viewSpans } from '../../../../src/core/loom/authorship/node-spans.ts';
import { pathOwner, positionOf, resolvePath } from '../../../../src/core/loom/graph/path.ts';
import type { LoomState } from '../../../../src/core/loom/state.ts';
import { viewPath } from '../../../../src/core/loom/view.ts';
import type { AuthoredSpan, PathEntry } from '../../../../src/core/loom/view-schema.ts';
import type { WeaveNode } from '../../../../src/core/loom/weave/weave.ts';

/** The nodes of a participant's path with their texts, in order. Reuses equal objects from `before`. */
export function pathNodes(state: LoomState, me: string, before: readonly WeaveNode[]): WeaveNode[] {
  const graph = state.graph.read();
  const { nodes, length } = resolvePath(graph, pathOwner(graph, me, state.founder));
  const result = new Array<WeaveNode>(length - 1);
  for (let i = 1; i < length; i++) {
    const [id, text] = [graph.ids[nodes[i]!]!, graph.contents[nodes[i]!]!];
    const reused = before[i - 1];
    result[i - 1] = reused && reused.id === id && reused.text === text ? reused : { id, text };
  }
  return result;
}

/** The position of a node on the path, counted from 0, or -1. */
function placeOnPath(state: LoomState, me: string, id: string): number {
  const graph = state.graph.read();
  const node = graph.byId.get(id);
  if (node === undefined) return -1;
  const resolved = resolvePath(graph, pathOwner(graph, me, state.founder));
  const position = positionOf(resolved, graph.places[node]!);
  return position > 0 && resolved.nodes[position] === node ? position - 1 : -1;
}

/** Whether the path leads through the node's place. The place of text that is still being written is not known. */
export function isPlaceOnPath(state: LoomState, me: string, id: string): boolean {
  const graph = state.graph.read();
  const node = graph.byId.get(id);
  const resolved = resolvePath(graph, pathOwner(graph, me, state.founder));
  return node === undefined || positionOf(resolved, graph.places[node]!) >= 0;
}

export function textOfNode(state: LoomState, id: string): string {
  const graph = state.graph.read();
  return graph.contents[graph.byId.get(id) ?? 0] ?? '';
}

/** Caches the result for the latest state of a loom. */
export function memoizeByState<Result>(compute: (state: LoomState) => Result): (state: LoomState) => Result {
  let cached: { readonly of: LoomState; readonly result: Result } | undefined;
  return (state) => {
    if (cached?.of !== state) cached = { of: state, result: compute(state) };
    return cached.result;
  };
}

const NEIGHBOURS = 24;

/** Facts about nodes of the path, computed on first use and cached until the loom changes. */
export function createPathFacts(me: string) {
  let cachedState: LoomState | undefined;
  let entries = new Map<string, PathEntry | undefined>();
  const spans = new Map<string, readonly AuthoredSpan[]>();

  return {
    entry(state: LoomState, id: string): PathEntry | undefined {
      if (cachedState !== state) {
        cachedState = state;
        entries = new Map();
      }
      if (!entries.has(id)) {
        const at = placeOnPath(state, me, id);
        entries.set(id, undefined);
        // A caller that reads one node will read its neighbours next.
        const from = Math.max(0, at - NEIGHBOURS);
        const { path } = at < 0 ? { path: [] } : viewPath(state, '', me, { from, limit: 3 * NEIGHBOURS });
        for (const entry of path) entries.set(entry.node, entry);
      }
      return entries.get(id);
    },
    /** Cached for good: a node never changes, so neither do its authors. */
    spans(state: LoomState, id: string): readonly AuthoredSpan[] {
      let cached = spans.get(id);
      if (!cached) {
        cached = viewSpans(state, id);
        if (cached.length > 0) spans.set(id, cached);
      }
      return cached;
    },
  };
}
