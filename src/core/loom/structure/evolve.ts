import type { z } from 'zod';
import { authorShown, type Event } from '../../events/event.ts';
import { createFileCredits, eventCredit } from '../authorship/credits.ts';
import type * as events from '../events.ts';
import { madeContextAfter } from '../graph/contexts.ts';
import { addPlace, addVersion, type Graph, type Marks } from '../graph/graph.ts';
import { go, type Move, movesTo, remember } from '../graph/moves.ts';
import { END, madeContextAt, parentOn, positionOf, resolve } from '../graph/path.ts';
import type { Journal } from '../graph/persistent.ts';

type Content<Schema extends z.ZodType> = z.infer<Schema>;

export function split(graph: Graph, journal: Journal, event: Event): void {
  const { node: id, at, prefix, suffix } = event.content as Content<typeof events.split>;
  const node = graph.byId.get(id);
  if (node === undefined || node === 0) return;
  const who = event.from;
  const resolved = resolve(graph, who);
  const place = graph.places[node] as number;
  const content = graph.contents[node] as string;
  const wrote = {
    ...{ author: graph.authors[node] as string, kind: graph.kinds[node] as 'human', ...stamp(event) },
    credit: graph.credits[node],
  };
  const position = positionOf(resolved, place);
  const parent = parentOn(graph, resolved, place);
  const context = position < 0 ? (graph.contexts[node] as number) : madeContextAt(graph, journal, resolved, position);
  const head = { id: prefix.node, content: content.slice(0, at), context, origin: { part: { of: node, start: 0 } } };
  const first = addPlace(graph, journal, { ...wrote, ...head }, parent);
  const behind = madeContextAfter(graph, journal, context, first);
  graph.contextHash[context] ??= prefix.context_hash;
  graph.contextHash[behind] ??= suffix.context_hash;
  const tail = {
    id: suffix.node,
    content: content.slice(at),
    context: behind,
    origin: { part: { of: node, start: at } },
  };
  const second = addPlace(
    graph,
    journal,
    { ...wrote, ...tail },
    graph.places[first] as number,
    graph.family[place] as number,
  );
  const next = graph.paths.get(who)?.child[place] || END;
  const moves: Move[] = [
    ...movesTo(graph, who, first).filter((move) => move.in === 'child'),
    { in: 'child', place: graph.places[first] as number, after: graph.places[second] as number },
    { in: 'child', place: graph.places[second] as number, after: next },
  ];
  remember(graph, journal, who, event.id, 'split', go(graph, journal, who, moves));
}

export function merged(graph: Graph, journal: Journal, event: Event): void {
  const { parent: parentId, node: id, merged: made } = event.content as Content<typeof events.merged>;
  const [parent, node] = [graph.byId.get(parentId), graph.byId.get(id)];
  if (parent === undefined || node === undefined || parent === 0) return;
  const who = event.from;
  const resolved = resolve(graph, who);
  const [above, place] = [graph.places[parent] as number, graph.places[node] as number];
  const position = positionOf(resolved, above);
  const before = position > 0 ? (resolved.places[position - 1] as number) : parentOn(graph, resolved, above);
  const context = position < 0 ? (graph.contexts[parent] as number) : madeContextAt(graph, journal, resolved, position);
  graph.contextHash[context] ??= made.context_hash;
  const whole = `${graph.contents[parent]}${graph.contents[node]}`;
  const credit = graph.credits[parent] || graph.credits[node];
  const { author, kind } = made;
  const fresh = { id: made.node, content: whole, author, kind, ...stamp(event), context, credit };
  const family = graph.family[place] as number;
  const joined = addPlace(graph, journal, { ...fresh, origin: { merged: [parent, node] } }, before, family);
  const next = graph.paths.get(who)?.child[place] || END;
  const moves: Move[] = [
    { in: 'child', place: before, after: graph.places[joined] as number },
    { in: 'child', place: graph.places[joined] as number, after: next },
  ];
  remember(graph, journal, who, event.id, 'merge', go(graph, journal, who, moves));
}

export function imported(graph: Graph, journal: Journal, event: Event, isSeed: boolean): void {
  const { nodes, active, chosen = [], file } = event.content as Content<typeof events.imported>;
  const creditOf = isSeed ? () => eventCredit(event)?.credit : createFileCredits(authorShown(event), file?.name);
  let last = newest(graph);
  for (const each of nodes) {
    const parent = each.parent === undefined ? 0 : near(graph, each.parent, last);
    const base = each.edited_from === undefined ? undefined : near(graph, each.edited_from, last);
    if (parent === undefined) continue;
    const { id, content, kind } = each;
    const author = each.author ?? (kind === 'human' ? event.from : (each.model ?? 'model'));
    const context =
      base === undefined
        ? madeContextAfter(graph, journal, graph.contexts[parent] as number, parent)
        : (graph.contexts[base] as number);
    const created = each.created ?? event.ts;
    const wrote = {
      author,
      kind,
      created,
      seq: event.seq,
      credit: creditOf(kind === 'model' ? author : (each.author ?? 'somebody')),
    };
    const fresh = { id, content, ...wrote, context, origin: undefined };
    const node =
      base === undefined
        ? addPlace(graph, journal, fresh, graph.places[parent] as number)
        : addVersion(graph, journal, fresh, base);
    last = base === undefined ? { node, parent } : { node, parent: last.parent };
    if (isMarked(each)) journal.set(graph.marks, node, marksOf(each));
    if (each.pruned) journal.put(graph.pruned, graph.places[node] as number, 1);
  }
  const tip = active === undefined ? undefined : near(graph, active, last);
  const versions = chosen.flatMap((id): Move[] => {
    const node = graph.byId.get(id);
    return node === undefined ? [] : [{ in: 'version', place: graph.places[node] as number, after: node }];
  });
  if (tip === undefined && versions.length === 0) return;
  const toTip: Move[] =
    tip === undefined
      ? []
      : [...movesTo(graph, event.from, tip), { in: 'child', place: graph.places[tip] as number, after: END }];
  const cells = go(graph, journal, event.from, [...versions, ...toTip]);
  remember(graph, journal, event.from, event.id, 'import', cells);
}

/** Most nodes follow the one before them, or what that one follows: then nothing has to be looked for. */
function near(graph: Graph, id: string, { node, parent }: { node: number; parent: number }): number | undefined {
  if (graph.ids[node] === id) return node;
  return graph.ids[parent] === id ? parent : graph.byId.get(id);
}

function newest(graph: Graph): { node: number; parent: number } {
  const node = graph.ids.length - 1;
  const family = graph.parentFamily[graph.places[node] as number] as number;
  return { node, parent: family < 0 ? 0 : (graph.firstNode[family] as number) };
}

type ImportedNode = Content<typeof events.importedNode>;

function isMarked({ bookmark, tags, rating, note }: ImportedNode): boolean {
  return bookmark !== undefined || tags !== undefined || rating !== undefined || note !== undefined;
}

function marksOf({ bookmark, tags, rating, note }: ImportedNode): Marks {
  return {
    ...(bookmark !== undefined && { bookmark }),
    ...(tags && { tags }),
    ...(rating !== undefined && { rating }),
    ...(note !== undefined && { note }),
  };
}

/** When it was written, and the event it came with. */
function stamp(event: Event) {
  return { created: event.ts, seq: event.seq };
}
