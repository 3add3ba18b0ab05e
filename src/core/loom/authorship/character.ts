import type { Graph } from '../graph/graph.ts';
import { lineageOf } from './lineage.ts';
import { authorOf, earlierOf, takenInto } from './node-spans.ts';
import { keptOrRestored, keptParts } from './reuse.ts';

/** Where a character came from: each node it was in, from the one it is in now back to the one it was written in. */
export interface Passage {
  /** The node's number, and where in it the character stands. */
  readonly node: number;
  readonly offset: number;
  /** How it came there; `written` is the last. */
  readonly by: 'written' | 'kept' | 'restored' | 'taken' | 'divided' | 'merged';
}

/** Follows one character through versions, divisions, mergers and what was taken from siblings (W5, W15, W20, W30). */
export function passagesOf(graph: Graph, node: number, offset: number): readonly Passage[] {
  const passages: Passage[] = [];
  let at = { node, offset };
  // As in `spans.ts`: what a model wrote is looked for once at each place, then every edit is followed as it was made.
  let isShown = true;
  for (;;) {
    const before = beforeOf(graph, at.node, at.offset, isShown);
    passages.push({ ...at, by: before?.by ?? 'written' });
    if (!before || before.node >= at.node) return passages;
    const wasEdited = before.by === 'restored' || (before.by === 'kept' && takenInto(graph, at.node) === undefined);
    isShown = !wasEdited;
    at = { node: before.node, offset: before.offset };
  }
}

function beforeOf(graph: Graph, node: number, offset: number, isShown: boolean): Passage | undefined {
  const { part, merged, source } = graph.origins.get(node) ?? {};
  if (part) return { node: part.of, offset: part.start + offset, by: 'divided' };
  if (merged) {
    const [first, second] = merged;
    const length = (graph.contents[first] as string).length;
    return offset < length
      ? { node: first, offset, by: 'merged' }
      : { node: second, offset: offset - length, by: 'merged' };
  }
  const edited = graph.edited[node] as number;
  if (edited < 0) return undefined;
  const text = graph.contents[node] as string;
  const taken = takenInto(graph, node);
  if (source && taken !== undefined) {
    const { start, end, at } = source;
    if (offset >= at && offset < at + end - start) return { node: taken, offset: offset - at + start, by: 'taken' };
    const rest = (graph.contents[edited] as string).length - text.length;
    return { node: edited, offset: offset < at ? offset : offset + rest, by: 'kept' };
  }
  const earlier = earlierOf(graph, edited);
  const parts = isShown ? keptOrRestored(earlier, text, authorOf(graph, node)) : keptParts(earlier, text);
  const found = parts.find(({ from, to }) => from <= offset && offset < to);
  if (!found) return undefined;
  const { node: of } = lineageOf(graph, edited)[found.of] as { node: number };
  return { node: of, offset: found.start + offset - found.from, by: found.of === 0 ? 'kept' : 'restored' };
}
