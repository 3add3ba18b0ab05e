import type { Graph } from '../graph/graph.ts';
import { pathOwner, resolvePath } from '../graph/path.ts';
import type { LoomState } from '../state.ts';
import type { AuthorCredit, AuthoredSpan, CreditKind } from '../view-schema.ts';
import { creditOf } from './credits.ts';
import { lineageOf } from './lineage.ts';
import type { AttributedText, EarlierText, Span } from './reuse.ts';
import { concatSpans, shownSpans, singleAuthorSpans, sliceSpans, spansAfterEdit } from './spans.ts';

/** The authors of a participant's path, as spans of one text. */
export function viewAuthorship(state: LoomState, participant: string): { readonly spans: readonly AuthoredSpan[] } {
  const graph = state.graph.read();
  const { nodes, length } = resolvePath(graph, pathOwner(graph, participant, state.founder));
  const spans: AuthoredSpan[] = [];
  let start = 0;
  for (let i = 1; i < length; i++) {
    for (const span of spansOf(graph, nodes[i] as number)) {
      const last = spans.at(-1);
      const next = { ...parseAuthor(span.author), start: start + span.from, end: start + span.to };
      if (last && last.end === next.start && last.author === next.author && last.kind === next.kind)
        last.end = next.end;
      else spans.push(next);
    }
    start += (graph.contents[nodes[i] as number] as string).length;
  }
  return { spans };
}

/** The authors of one node's text, as spans. */
export function viewSpans(state: LoomState, id: string): readonly AuthoredSpan[] {
  const graph = state.graph.read();
  const node = graph.byId.get(id);
  if (node === undefined) return [];
  return spansOf(graph, node).map(({ from, to, author }) => ({ start: from, end: to, ...parseAuthor(author) }));
}

/** The texts of a node and its ancestors, to attribute an edit of the node. */
export function viewEarlierTexts(state: LoomState, id: string): readonly EarlierText[] {
  const graph = state.graph.read();
  const node = graph.byId.get(id);
  return node === undefined || node === 0 ? [] : earlierTextsOf(graph, node);
}

/** The authors of a node's text, found through its ancestors. No recursion, so a chain can have any length. */
function spansOf(graph: Graph, node: number): readonly Span[] {
  const { spans } = graph;
  const stack = [node];
  for (let next = stack.at(-1); next !== undefined; next = stack.at(-1)) {
    const missing = sourceNodes(graph, next).filter((other) => !spans.has(other));
    if (missing.length > 0 && !spans.has(next)) {
      stack.push(...missing);
      continue;
    }
    if (!spans.has(next)) spans.set(next, { text: graph.contents[next] as string, spans: computeSpans(graph, next) });
    stack.pop();
  }
  return shownSpansOf(graph, node);
}

/** The texts of a node and its ancestors, nearest first, attributed as each editor left them. */
export function earlierTextsOf(graph: Graph, node: number): readonly EarlierText[] {
  spansOf(graph, node);
  return attributedLineage(graph, node);
}

function attributedLineage(graph: Graph, node: number): readonly EarlierText[] {
  return lineageOf(graph, node).map(({ node: each, ...flags }) => {
    return { ...(graph.spans.get(each) as AttributedText), ...flags };
  });
}

/** Spans with restored model text credited to the model (W30). The spans of all ancestors must be computed first. */
function shownSpansOf(graph: Graph, node: number): readonly Span[] {
  let result = graph.shownSpans.get(node);
  if (result) return result;
  const { text, spans } = graph.spans.get(node) as AttributedText;
  result = spans;
  if (isEdit(graph, node)) {
    const earlierTexts = attributedLineage(graph, graph.edited[node] as number);
    result = shownSpans(earlierTexts, text, authorOf(graph, node));
  }
  graph.shownSpans.set(node, result);
  return result;
}

/** The nodes this one was made from. They are always earlier, so every chain ends. */
function sourceNodes(graph: Graph, node: number): number[] {
  const { part, merged } = graph.origins.get(node) ?? {};
  const baseNode = graph.edited[node] as number;
  return [part?.of, merged?.[0], merged?.[1], cherryPickSource(graph, node), baseNode].filter(
    (other): other is number => other !== undefined && other >= 0 && other < node,
  );
}

function computeSpans(graph: Graph, node: number): readonly Span[] {
  const text = graph.contents[node] as string;
  const { part, merged, source } = graph.origins.get(node) ?? {};
  if (part) return sliceSpans(shownSpansOf(graph, part.of), part.start, part.start + text.length);
  if (merged) {
    return concatSpans(merged.map((of) => ({ text: graph.contents[of] as string, spans: shownSpansOf(graph, of) })));
  }
  const baseNode = graph.edited[node] as number;
  if (baseNode < 0) return singleAuthorSpans(authorOf(graph, node), text);
  const sourceNode = cherryPickSource(graph, node);
  if (source && sourceNode !== undefined) {
    const { start, end, at } = source;
    const base = shownSpansOf(graph, baseNode);
    const length = (graph.contents[baseNode] as string).length;
    const suffixStart = length - (text.length - at - (end - start));
    return concatSpans([
      { text: text.slice(0, at), spans: sliceSpans(base, 0, at) },
      { text: text.slice(at, at + end - start), spans: sliceSpans(shownSpansOf(graph, sourceNode), start, end) },
      { text: text.slice(at + end - start), spans: sliceSpans(base, suffixStart, length) },
    ]);
  }
  for (let next = baseNode; next >= 0; next = graph.edited[next] as number) {
    if (graph.contents[next] === text) return (graph.spans.get(next) as AttributedText).spans;
  }
  return spansAfterEdit([graph.spans.get(baseNode) as AttributedText], text, authorOf(graph, node));
}

/** The node that a span of this one was taken from, if there is one. */
export function cherryPickSource(graph: Graph, node: number): number | undefined {
  const source = graph.origins.get(node)?.source;
  const sourceNode = source && graph.byId.get(source.node);
  return sourceNode !== undefined && sourceNode < node ? sourceNode : undefined;
}

/** True for a version that somebody wrote, false for the result of a split, a merge or a span taken from a sibling. */
function isEdit(graph: Graph, node: number): boolean {
  const { part, merged } = graph.origins.get(node) ?? {};
  return (graph.edited[node] as number) >= 0 && !part && !merged && cherryPickSource(graph, node) === undefined;
}

export function authorOf(graph: Graph, node: number): string {
  const { kind, author } = creditOf(graph, node);
  return `${kind} ${author}`;
}

function parseAuthor(author: string): AuthorCredit {
  const [kind] = author.split(' ', 1) as [CreditKind];
  return { author: author.slice(kind.length + 1), kind };
}
