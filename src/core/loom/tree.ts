import { creditOf } from './authorship/credits.ts';
import type { Graph, ResolvedPath } from './graph/graph.ts';
import { pathOwner, positionOf, resolvePath } from './graph/path.ts';
import type { LoomState } from './state.ts';
import { runningGenerations } from './view.ts';
import type { TreeMark, TreeView } from './view-schema.ts';

export const TREE_FLAGS = { onPath: 1, pruned: 2, unread: 4, interrupted: 8 } as const;
const PREVIEW_LENGTH = 48;

export function viewTree(state: LoomState, participant: string, from: number, limit: number): TreeView {
  const graph = state.graph.read();
  const owner = pathOwner(graph, participant, state.founder);
  const resolved = resolvePath(graph, owner);
  const path = graph.paths.get(owner);
  const total = graph.firstNode.length - 1;
  const first = Math.min(from + 1, total + 1);
  const end = Math.min(first + limit, total + 1);
  const authors = new Map<string, number>();
  const authorList: { id: string; kind: TreeView['authors'][number]['kind'] }[] = [];
  const view = {
    ...{ node: [] as string[], parent: [] as number[], author: [] as number[], versions: [] as number[] },
    ...{ children: [] as number[], preview: [] as string[], length: [] as number[], flags: [] as number[] },
    shares: [] as { place: number; with: number }[],
  };
  for (let place = first; place < end; place++) {
    const position = positionOf(resolved, place);
    const node = (position < 0 ? graph.lastNode[place] : resolved.nodes[position]) as number;
    const { author, kind } = creditOf(graph, node);
    const key = `${kind} ${author}`;
    if (!authors.has(key)) authors.set(key, authorList.push({ id: author, kind }) - 1);
    const content = graph.contents[node] as string;
    const family = graph.family[place] as number;
    view.node.push(graph.ids[node] as string);
    view.parent.push(graph.parentFamily[place] as number);
    view.author.push(authors.get(key) as number);
    view.versions.push(versionCount(graph, place));
    view.children.push(childCount(graph, family));
    view.preview.push(content.slice(0, PREVIEW_LENGTH).toWellFormed());
    view.length.push(content.length);
    const isUnread = (path?.child[place] ?? 0) === 0 && author !== participant;
    view.flags.push(
      (position >= 0 ? TREE_FLAGS.onPath : 0) |
        (graph.pruned[place] === 1 ? TREE_FLAGS.pruned : 0) |
        (isUnread ? TREE_FLAGS.unread : 0) |
        (graph.origins.get(node)?.interrupted ? TREE_FLAGS.interrupted : 0),
    );
    if (family !== place) view.shares.push({ place, with: family });
  }
  return {
    total,
    from: first - 1,
    ...view,
    authors: authorList,
    marked: marksIn(graph, first, end),
    path: pathIn(resolved, first, end),
    running: runningGenerations(state),
  };
}

function versionCount(graph: Graph, place: number): number {
  let count = 1;
  for (let node = graph.firstNode[place] as number; node !== graph.lastNode[place]; count++) {
    node = graph.nextVersion[node] as number;
  }
  return count;
}

function childCount(graph: Graph, family: number): number {
  let count = 0;
  for (let child = graph.firstChild[family] as number; child >= 0; count++) child = graph.nextSibling[child] as number;
  return count;
}

function pathIn({ places, length }: ResolvedPath, first: number, end: number): number[] {
  const path: number[] = [];
  for (let i = 1; i < length; i++) {
    const place = places[i] as number;
    if (place >= first && place < end) path.push(place);
  }
  return path;
}

function marksIn(graph: Graph, first: number, end: number): TreeMark[] {
  const treeMarks: TreeMark[] = [];
  for (const [node, { bookmark, tags, rating }] of graph.marks) {
    const place = graph.places[node] as number;
    if (place < first || place >= end) continue;
    const marks = {
      ...(bookmark !== undefined && { bookmark }),
      ...(tags && { tags }),
      ...(rating !== undefined && { rating }),
    };
    treeMarks.push({ place, node: graph.ids[node] as string, ...marks });
  }
  return treeMarks;
}
