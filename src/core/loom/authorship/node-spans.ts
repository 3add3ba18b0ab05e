import type { Graph } from '../graph/graph.ts';
import { ownerOf, resolve } from '../graph/path.ts';
import type { LoomState } from '../state.ts';
import { creditedAuthor, type ShownAuthor, type ShownKind } from './credits.ts';
import { lineageOf } from './lineage.ts';
import type { Attributed, Earlier, Span } from './reuse.ts';
import { concatSpans, shownSpans, sliceSpans, spansAfterEdit, writtenBy } from './spans.ts';

/** Who wrote a part of a text (C9). */
export interface AuthoredSpan {
  readonly start: number;
  readonly end: number;
  readonly author: string;
  readonly kind: ShownKind;
}

/** Who wrote what of a participant's path, as one text. */
export function viewAuthorship(state: LoomState, participant: string): { readonly spans: readonly AuthoredSpan[] } {
  const graph = state.graph.look();
  const { nodes, length } = resolve(graph, ownerOf(graph, participant, state.founder));
  const spans: { start: number; end: number; author: string; kind: ShownKind }[] = [];
  let start = 0;
  for (let i = 1; i < length; i++) {
    for (const span of spansOf(graph, nodes[i] as number)) {
      const last = spans.at(-1);
      const next = { ...named(span.author), start: start + span.from, end: start + span.to };
      if (last && last.end === next.start && last.author === next.author && last.kind === next.kind)
        last.end = next.end;
      else spans.push(next);
    }
    start += (graph.contents[nodes[i] as number] as string).length;
  }
  return { spans };
}

/** Who wrote what of one node. */
export function viewSpans(state: LoomState, id: string): readonly AuthoredSpan[] {
  const graph = state.graph.look();
  const node = graph.byId.get(id);
  if (node === undefined) return [];
  return spansOf(graph, node).map(({ from, to, author }) => ({ start: from, end: to, ...named(author) }));
}

/** A node and what it came from, for a text that is being made of it. */
export function viewEarlier(state: LoomState, id: string): readonly Earlier[] {
  const graph = state.graph.look();
  const node = graph.byId.get(id);
  return node === undefined || node === 0 ? [] : earlierOf(graph, node);
}

/** Who wrote what of a node. Found through whatever it came from, however long that chain is: nothing here calls itself. */
function spansOf(graph: Graph, node: number): readonly Span[] {
  const { spans } = graph;
  const waiting = [node];
  for (let next = waiting.at(-1); next !== undefined; next = waiting.at(-1)) {
    const missing = comesFrom(graph, next).filter((other) => !spans.has(other));
    if (missing.length > 0 && !spans.has(next)) {
      waiting.push(...missing);
      continue;
    }
    if (!spans.has(next)) spans.set(next, { text: graph.contents[next] as string, spans: found(graph, next) });
    waiting.pop();
  }
  return shownOf(graph, node);
}

/** A node and what it came from, the nearest first, as each editor left it. */
export function earlierOf(graph: Graph, node: number): readonly Earlier[] {
  spansOf(graph, node);
  return attributed(graph, node);
}

function attributed(graph: Graph, node: number): readonly Earlier[] {
  return lineageOf(graph, node).map(({ node: each, ...about }) => {
    return { ...(graph.spans.get(each) as Attributed), ...about };
  });
}

/** With what stands again as a model wrote it (W30), once all that it came from is worked out. */
function shownOf(graph: Graph, node: number): readonly Span[] {
  let shown = graph.shownSpans.get(node);
  if (shown) return shown;
  const { text, spans } = graph.spans.get(node) as Attributed;
  shown = spans;
  if (isEdit(graph, node)) {
    const earlier = attributed(graph, graph.edited[node] as number);
    shown = shownSpans(earlier, text, authorOf(graph, node));
  }
  graph.shownSpans.set(node, shown);
  return shown;
}

/** Always earlier nodes, so a chain ends. */
function comesFrom(graph: Graph, node: number): number[] {
  const { part, merged } = graph.origins.get(node) ?? {};
  const edited = graph.edited[node] as number;
  return [part?.of, merged?.[0], merged?.[1], takenInto(graph, node), edited].filter(
    (other): other is number => other !== undefined && other >= 0 && other < node,
  );
}

function found(graph: Graph, node: number): readonly Span[] {
  const text = graph.contents[node] as string;
  const { part, merged, source } = graph.origins.get(node) ?? {};
  if (part) return sliceSpans(shownOf(graph, part.of), part.start, part.start + text.length);
  if (merged) {
    return concatSpans(merged.map((of) => ({ text: graph.contents[of] as string, spans: shownOf(graph, of) })));
  }
  const edited = graph.edited[node] as number;
  if (edited < 0) return writtenBy(authorOf(graph, node), text);
  const taken = takenInto(graph, node);
  if (source && taken !== undefined) {
    const { start, end, at } = source;
    const base = shownOf(graph, edited);
    const length = (graph.contents[edited] as string).length;
    const rest = length - (text.length - at - (end - start));
    return concatSpans([
      { text: text.slice(0, at), spans: sliceSpans(base, 0, at) },
      { text: text.slice(at, at + end - start), spans: sliceSpans(shownOf(graph, taken), start, end) },
      { text: text.slice(at + end - start), spans: sliceSpans(base, rest, length) },
    ]);
  }
  for (let next = edited; next >= 0; next = graph.edited[next] as number) {
    if (graph.contents[next] === text) return (graph.spans.get(next) as Attributed).spans;
  }
  return spansAfterEdit([graph.spans.get(edited) as Attributed], text, authorOf(graph, node));
}

/** The node that a part of this one was taken from, if any was. */
export function takenInto(graph: Graph, node: number): number | undefined {
  const source = graph.origins.get(node)?.source;
  const taken = source && graph.byId.get(source.node);
  return taken !== undefined && taken < node ? taken : undefined;
}

/** A version that somebody wrote, not one that was put together. */
function isEdit(graph: Graph, node: number): boolean {
  const { part, merged } = graph.origins.get(node) ?? {};
  return (graph.edited[node] as number) >= 0 && !part && !merged && takenInto(graph, node) === undefined;
}

export function authorOf(graph: Graph, node: number): string {
  const { kind, author } = creditedAuthor(graph, node);
  return `${kind} ${author}`;
}

function named(author: string): ShownAuthor {
  const [kind] = author.split(' ', 1) as [ShownKind];
  return { author: author.slice(kind.length + 1), kind };
}
