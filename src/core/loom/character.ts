import { unchangedParts } from '../text-diff.ts';
import type { Graph } from './graph.ts';

/** Where a character came from: each node it was in, from the one it is in now back to the one it was written in. */
export interface Passage {
  /** The node's number, and where in it the character stands. */
  readonly node: number;
  readonly offset: number;
  /** How it came there; `written` is the last. */
  readonly by: 'written' | 'kept' | 'restored' | 'taken' | 'divided' | 'merged';
}

/** Follows one character through versions, divisions, mergers and what was taken from siblings (W5, W15, W20). */
export function passagesOf(graph: Graph, node: number, offset: number): readonly Passage[] {
  const passages: Passage[] = [];
  let at = { node, offset };
  for (;;) {
    const before = beforeOf(graph, at.node, at.offset);
    passages.push({ ...at, by: before?.by ?? 'written' });
    if (!before || before.node >= at.node) return passages;
    at = { node: before.node, offset: before.offset };
  }
}

function beforeOf(graph: Graph, node: number, offset: number): Passage | undefined {
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
  const taken = source && graph.byId.get(source.node);
  if (source && taken !== undefined && taken < node) {
    const { start, end, at } = source;
    if (offset >= at && offset < at + end - start) return { node: taken, offset: offset - at + start, by: 'taken' };
    const rest = (graph.contents[edited] as string).length - text.length;
    return { node: edited, offset: offset < at ? offset : offset + rest, by: 'kept' };
  }
  return fromEdited(graph, edited, text, offset);
}

/** A text that is back to what it was is that one's again, as in `spansAfterEdit`. */
function fromEdited(graph: Graph, edited: number, text: string, offset: number): Passage | undefined {
  for (let earlier = edited; earlier >= 0; earlier = graph.edited[earlier] as number) {
    if (graph.contents[earlier] === text)
      return { node: earlier, offset, by: earlier === edited ? 'kept' : 'restored' };
  }
  const parts = unchangedParts(graph.contents[edited] as string, text);
  const part = parts.find(({ b, length }) => b <= offset && offset < b + length);
  return part && { node: edited, offset: part.a + offset - part.b, by: 'kept' };
}
