import { type Attributed, concatSpans, type Span, sliceSpans, spansAfterEdit, writtenBy } from './authorship.ts';
import { creditedAuthor, type ShownAuthor, type ShownKind } from './credits.ts';
import type { Graph } from './graph.ts';
import { ownerOf, resolve } from './path.ts';
import type { LoomState } from './state.ts';

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

/** Found through whatever the node came from, however long that chain is: nothing here calls itself. */
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
  return (spans.get(node) as Attributed).spans;
}

/** Always earlier nodes, so a chain ends. */
function comesFrom(graph: Graph, node: number): number[] {
  const { part, merged, source } = graph.origins.get(node) ?? {};
  const edited = graph.edited[node] as number;
  const taken = source && graph.byId.get(source.node);
  return [part?.of, merged?.[0], merged?.[1], taken, edited].filter(
    (other): other is number => other !== undefined && other >= 0 && other < node,
  );
}

function found(graph: Graph, node: number): readonly Span[] {
  const text = graph.contents[node] as string;
  const shown = creditedAuthor(graph, node);
  const author = `${shown.kind} ${shown.author}`;
  const { part, merged, source } = graph.origins.get(node) ?? {};
  const of = (other: number) => graph.spans.get(other) as Attributed;
  if (part) return sliceSpans(of(part.of).spans, part.start, part.start + text.length);
  if (merged) return concatSpans(merged.map(of));
  const edited = graph.edited[node] as number;
  if (edited < 0) return writtenBy(author, text);
  const base = of(edited);
  const taken = source && graph.byId.get(source.node);
  if (source && taken !== undefined && taken < node) {
    const { start, end, at } = source;
    const rest = base.text.length - (text.length - at - (end - start));
    return concatSpans([
      { text: text.slice(0, at), spans: sliceSpans(base.spans, 0, at) },
      { text: text.slice(at, at + end - start), spans: sliceSpans(of(taken).spans, start, end) },
      { text: text.slice(at + end - start), spans: sliceSpans(base.spans, rest, base.text.length) },
    ]);
  }
  return spansAfterEdit(base, text, author, ancestors(graph, edited));
}

function* ancestors(graph: Graph, node: number): Iterable<Attributed> {
  for (let next = graph.edited[node] as number; next >= 0; next = graph.edited[next] as number) {
    const known = graph.spans.get(next);
    if (known) yield known;
  }
}

function named(author: string): ShownAuthor {
  const [kind] = author.split(' ', 1) as [ShownKind];
  return { author: author.slice(kind.length + 1), kind };
}
