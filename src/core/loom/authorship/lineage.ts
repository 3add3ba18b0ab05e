import type { Graph } from '../graph/graph.ts';

interface Ancestor {
  readonly node: number;
  /** The node added new text: it is the first at its place, by a model, or contains a span taken from a sibling. */
  readonly isSource: boolean;
  /** The node is at another place, which was split or merged. */
  readonly isElsewhere: boolean;
}

/** A merged node has two ancestors, which may be merged too. Splits and merges beyond this limit are not followed. */
const MAX_ENDS = 64;

/** A node and its ancestors through versions, splits and merges, nearest first. */
export function lineageOf(graph: Graph, node: number): readonly Ancestor[] {
  const ancestors: Ancestor[] = [];
  const visited = new Set<number>();
  const ends = [node];
  for (let i = 0; i < ends.length && i < MAX_ENDS; i++) {
    for (let next = ends[i] as number; next >= 0 && !visited.has(next); next = graph.edited[next] as number) {
      visited.add(next);
      const { part, merged, source } = graph.origins.get(next) ?? {};
      const isFirst = (graph.edited[next] as number) < 0;
      const isSource = isFirst || graph.kinds[next] === 'model' || source !== undefined;
      ancestors.push({ node: next, isSource, isElsewhere: i > 0 });
      for (const other of part ? [part.of] : (merged ?? [])) if (other < next) ends.push(other);
    }
  }
  return ancestors;
}
