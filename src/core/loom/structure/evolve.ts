import type { z } from 'zod';
import type { EventOf } from '../../events/define.ts';
import { authorLabelOf } from '../../events/event.ts';
import { createFileCredits, importCredit } from '../authorship/credits.ts';
import type { importedNodeSchema, LoomDivided, LoomEvent, LoomImported, LoomMerged } from '../events.ts';
import { ensureContextAfter } from '../graph/contexts.ts';
import { addPlace, addVersion, type Graph } from '../graph/graph.ts';
import { applyMoves, movesTo, type PathMove, recordAct } from '../graph/moves.ts';
import { ensureContextAt, PATH_END, parentOnPath, positionOf, resolvePath } from '../graph/path.ts';
import type { Journal } from '../graph/persistent.ts';
import type { NodeMarks } from '../view-schema.ts';

export function applySplit(graph: Graph, journal: Journal, event: EventOf<typeof LoomDivided>): void {
  const { node: id, at, prefix, suffix } = event.content;
  const node = graph.byId.get(id);
  if (node === undefined || node === 0) return;
  const participant = event.from;
  const resolved = resolvePath(graph, participant);
  const place = graph.places[node] as number;
  const content = graph.contents[node] as string;
  const attribution = {
    ...{ author: graph.authors[node] as string, kind: graph.kinds[node] as 'human', ...timestampOf(event) },
    credit: graph.credits[node],
  };
  const position = positionOf(resolved, place);
  const parent = parentOnPath(graph, resolved, place);
  const context = position < 0 ? (graph.contexts[node] as number) : ensureContextAt(graph, journal, resolved, position);
  const head = { id: prefix.node, content: content.slice(0, at), context, origin: { part: { of: node, start: 0 } } };
  const prefixNode = addPlace(graph, journal, { ...attribution, ...head }, parent);
  const suffixContext = ensureContextAfter(graph, journal, context, prefixNode);
  graph.contextHash[context] ??= prefix.context_hash;
  graph.contextHash[suffixContext] ??= suffix.context_hash;
  const tail = {
    id: suffix.node,
    content: content.slice(at),
    context: suffixContext,
    origin: { part: { of: node, start: at } },
  };
  const suffixNode = addPlace(
    graph,
    journal,
    { ...attribution, ...tail },
    graph.places[prefixNode] as number,
    graph.family[place] as number,
  );
  const nextPlace = graph.paths.get(participant)?.child[place] || PATH_END;
  const moves: PathMove[] = [
    ...movesTo(graph, participant, prefixNode).filter((move) => move.in === 'child'),
    { in: 'child', place: graph.places[prefixNode] as number, after: graph.places[suffixNode] as number },
    { in: 'child', place: graph.places[suffixNode] as number, after: nextPlace },
  ];
  recordAct(graph, journal, participant, event.id, 'split', applyMoves(graph, journal, participant, moves));
}

export function applyMerge(graph: Graph, journal: Journal, event: EventOf<typeof LoomMerged>): void {
  const { parent: parentId, node: id, merged: result } = event.content;
  const [parent, node] = [graph.byId.get(parentId), graph.byId.get(id)];
  if (parent === undefined || node === undefined || parent === 0) return;
  const participant = event.from;
  const resolved = resolvePath(graph, participant);
  const [parentPlace, place] = [graph.places[parent] as number, graph.places[node] as number];
  const position = positionOf(resolved, parentPlace);
  const placeBefore =
    position > 0 ? (resolved.places[position - 1] as number) : parentOnPath(graph, resolved, parentPlace);
  const context =
    position < 0 ? (graph.contexts[parent] as number) : ensureContextAt(graph, journal, resolved, position);
  graph.contextHash[context] ??= result.context_hash;
  const content = `${graph.contents[parent]}${graph.contents[node]}`;
  const credit = graph.credits[parent] || graph.credits[node];
  const { author, kind } = result;
  const newNode = { id: result.node, content: content, author, kind, ...timestampOf(event), context, credit };
  const family = graph.family[place] as number;
  const mergedNode = addPlace(graph, journal, { ...newNode, origin: { merged: [parent, node] } }, placeBefore, family);
  const nextPlace = graph.paths.get(participant)?.child[place] || PATH_END;
  const moves: PathMove[] = [
    { in: 'child', place: placeBefore, after: graph.places[mergedNode] as number },
    { in: 'child', place: graph.places[mergedNode] as number, after: nextPlace },
  ];
  recordAct(graph, journal, participant, event.id, 'merge', applyMoves(graph, journal, participant, moves));
}

export function applyImport(
  graph: Graph,
  journal: Journal,
  event: EventOf<typeof LoomImported>,
  isSeed: boolean,
): void {
  const { nodes, active, chosen = [], file } = event.content;
  const creditOf = isSeed ? () => importCredit(event)?.credit : createFileCredits(authorLabelOf(event), file?.name);
  let lastAdded = newestNode(graph);
  for (const each of nodes) {
    const parent = each.parent === undefined ? 0 : findNear(graph, each.parent, lastAdded);
    const base = each.edited_from === undefined ? undefined : findNear(graph, each.edited_from, lastAdded);
    if (parent === undefined) continue;
    const { id, content, kind } = each;
    const author = each.author ?? (kind === 'human' ? event.from : (each.model ?? 'model'));
    const context =
      base === undefined
        ? ensureContextAfter(graph, journal, graph.contexts[parent] as number, parent)
        : (graph.contexts[base] as number);
    const created = each.created ?? event.ts;
    const attribution = {
      author,
      kind,
      created,
      seq: event.seq,
      credit: creditOf(kind === 'model' ? author : (each.author ?? 'somebody')),
    };
    const newNode = { id, content, ...attribution, context, origin: undefined };
    const node =
      base === undefined
        ? addPlace(graph, journal, newNode, graph.places[parent] as number)
        : addVersion(graph, journal, newNode, base);
    lastAdded = base === undefined ? { node, parent } : { node, parent: lastAdded.parent };
    if (hasMarks(each)) journal.set(graph.marks, node, marksOf(each));
    if (each.pruned) journal.put(graph.pruned, graph.places[node] as number, 1);
  }
  const tip = active === undefined ? undefined : findNear(graph, active, lastAdded);
  const versionMoves = chosen.flatMap((id): PathMove[] => {
    const node = graph.byId.get(id);
    return node === undefined ? [] : [{ in: 'version', place: graph.places[node] as number, after: node }];
  });
  if (tip === undefined && versionMoves.length === 0) return;
  const tipMoves: PathMove[] =
    tip === undefined
      ? []
      : [...movesTo(graph, event.from, tip), { in: 'child', place: graph.places[tip] as number, after: PATH_END }];
  const cells = applyMoves(graph, journal, event.from, [...versionMoves, ...tipMoves]);
  recordAct(graph, journal, event.from, event.id, 'import', cells);
}

/** Checks the previous node and its parent first: most nodes follow one of these, and that needs no lookup. */
function findNear(graph: Graph, id: string, { node, parent }: { node: number; parent: number }): number | undefined {
  if (graph.ids[node] === id) return node;
  return graph.ids[parent] === id ? parent : graph.byId.get(id);
}

function newestNode(graph: Graph): { node: number; parent: number } {
  const node = graph.ids.length - 1;
  const family = graph.parentFamily[graph.places[node] as number] as number;
  return { node, parent: family < 0 ? 0 : (graph.firstNode[family] as number) };
}

type LoomImportedNode = z.infer<typeof importedNodeSchema>;

function hasMarks({ bookmark, tags, rating, note }: LoomImportedNode): boolean {
  return bookmark !== undefined || tags !== undefined || rating !== undefined || note !== undefined;
}

function marksOf({ bookmark, tags, rating, note }: LoomImportedNode): NodeMarks {
  return {
    ...(bookmark !== undefined && { bookmark }),
    ...(tags && { tags }),
    ...(rating !== undefined && { rating }),
    ...(note !== undefined && { note }),
  };
}

/** The time and the seq of the event that added a node. */
function timestampOf(event: LoomEvent) {
  return { created: event.ts, seq: event.seq };
}
