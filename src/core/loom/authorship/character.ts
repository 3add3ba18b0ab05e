import type { Graph } from '../graph/graph.ts';
import { lineageOf } from './lineage.ts';
import { authorOf, cherryPickSource, earlierTextsOf } from './node-spans.ts';
import { reusedOrRestoredSpans, reusedSpans } from './reuse.ts';

/** One step in the history of a character, which goes from its current node back to the node it was written in. */
export interface CharacterOrigin {
  /** The node's number, and where in it the character stands. */
  readonly node: number;
  readonly offset: number;
  /** How the character got into this node; `written` is the last step. */
  readonly by: 'written' | 'kept' | 'restored' | 'taken' | 'divided' | 'merged';
}

/** Traces one character back through versions, splits, merges and spans taken from siblings (W5, W15, W20, W30). */
export function traceCharacter(graph: Graph, node: number, offset: number): readonly CharacterOrigin[] {
  const trail: CharacterOrigin[] = [];
  let at = { node, offset };
  // As in `spans.ts`: look for restored model text once at each place, then follow every edit as it was made.
  let isShown = true;
  for (;;) {
    const previous = previousOrigin(graph, at.node, at.offset, isShown);
    trail.push({ ...at, by: previous?.by ?? 'written' });
    if (!previous || previous.node >= at.node) return trail;
    const wasEdited =
      previous.by === 'restored' || (previous.by === 'kept' && cherryPickSource(graph, at.node) === undefined);
    isShown = !wasEdited;
    at = { node: previous.node, offset: previous.offset };
  }
}

function previousOrigin(graph: Graph, node: number, offset: number, isShown: boolean): CharacterOrigin | undefined {
  const { part, merged, source } = graph.origins.get(node) ?? {};
  if (part) return { node: part.of, offset: part.start + offset, by: 'divided' };
  if (merged) {
    const [first, second] = merged;
    const length = (graph.contents[first] as string).length;
    return offset < length
      ? { node: first, offset, by: 'merged' }
      : { node: second, offset: offset - length, by: 'merged' };
  }
  const base = graph.edited[node] as number;
  if (base < 0) return undefined;
  const text = graph.contents[node] as string;
  const sourceNode = cherryPickSource(graph, node);
  if (source && sourceNode !== undefined) {
    const { start, end, at } = source;
    if (offset >= at && offset < at + end - start)
      return { node: sourceNode, offset: offset - at + start, by: 'taken' };
    const rest = (graph.contents[base] as string).length - text.length;
    return { node: base, offset: offset < at ? offset : offset + rest, by: 'kept' };
  }
  const earlierTexts = earlierTextsOf(graph, base);
  const spans = isShown
    ? reusedOrRestoredSpans(earlierTexts, text, authorOf(graph, node))
    : reusedSpans(earlierTexts, text);
  const span = spans.find(({ from, to }) => from <= offset && offset < to);
  if (!span) return undefined;
  const { node: ancestor } = lineageOf(graph, base)[span.of] as { node: number };
  return { node: ancestor, offset: span.start + offset - span.from, by: span.of === 0 ? 'kept' : 'restored' };
}
