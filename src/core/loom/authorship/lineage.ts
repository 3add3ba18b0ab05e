import type { Graph } from '../graph/graph.ts';

interface Ancestor {
  readonly node: number;
  /** It brought text of its own: the first of its place, a model's, or one with something taken in. */
  readonly isSource: boolean;
  /** It stands at another place, which was divided or merged. */
  readonly isElsewhere: boolean;
}

/** A merged node comes from two, each of which may: beyond this many ends only the versions count. */
const MAX_ENDS = 64;

/** A node and what it came from through versions, divisions and mergers, the nearest first. */
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
