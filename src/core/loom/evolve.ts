import type { z } from 'zod';
import type { Event } from '../events/event.ts';
import { eventCredit } from './authorship/credits.ts';
import type * as events from './events.ts';
import { evolveGeneration } from './generation/evolve.ts';
import { addPlace, addVersion, copyOf, type Graph, type Marks } from './graph/graph.ts';
import {
  contextBehind,
  doActAgain,
  go,
  type Move,
  movesTo,
  movesToEnd,
  ownPath,
  pinEveryone,
  remember,
  settle,
  takeBackAct,
} from './graph/moves.ts';
import { END, madeContextAt, positionOf, resolve, tipOf } from './graph/path.ts';
import { type Journal, Version } from './graph/persistent.ts';
import type { LoomState, Settings } from './state.ts';
import { imported, merged, split } from './structure/evolve.ts';

type Content<Schema extends z.ZodType> = z.infer<Schema>;

/** Total: what this version does not know, or what names a node that is not there, changes nothing (L3). */
export function evolveLoom(state: LoomState, event: Event): LoomState {
  switch (event.type) {
    case 'thread.created':
      return created(state, event);
    case 'loom.configured':
      return { ...state, settings: configured(state.settings, event.content as Content<typeof events.settings>) };
    case 'loom.committed':
      return change(state, event, (graph, journal) => committed(graph, journal, event));
    case 'loom.switched':
      return change(state, event, (graph, journal) => switched(graph, journal, event));
    case 'loom.marked':
      return change(state, event, (graph, journal) => marked(graph, journal, event));
    case 'loom.preferred':
      return change(state, event, (graph, journal) => preferred(graph, journal, event));
    case 'loom.divided':
      return change(state, event, (graph, journal) => split(graph, journal, event));
    case 'loom.merged':
      return change(state, event, (graph, journal) => merged(graph, journal, event));
    case 'loom.reverted':
      return change(state, event, (graph, journal) => takeBackAct(graph, journal, event.from));
    case 'loom.repeated':
      return change(state, event, (graph, journal) => doActAgain(graph, journal, event.from));
    case 'loom.imported':
      return change(state, event, (graph, journal) => imported(graph, journal, event, isSeed(state, event)));
    default:
      return evolveGeneration(state, event);
  }
}

/** Whoever acts has a path of their own from then on. */
function change(state: LoomState, event: Event, make: (graph: Graph, journal: Journal) => void): LoomState {
  let nodes = state.nodes;
  const graph = state.graph.change((data, journal) => {
    ownPath(data, journal, event.from, state.founder);
    make(data, journal);
    nodes = data.ids.length - 1;
  });
  return { ...state, graph, nodes };
}

function created(state: LoomState, event: Event): LoomState {
  const isFork = (event.content as { forked_from?: unknown }).forked_from !== undefined;
  const own = isFork ? Version.of(copyOf(state.graph.look())) : state.graph;
  const graph = own.change((data, journal) => void ownPath(data, journal, event.from, state.founder));
  const { origin } = event.content as { origin?: unknown };
  const opened = origin === undefined ? {} : { openedBy: event.meta.command ?? '' };
  const { openedBy: _, ...rest } = state;
  return { ...rest, graph, founder: event.from, open: [], explorations: [], ...opened };
}

/** The words a loom was opened with, which the server took from another thread: no file's word. */
function isSeed({ openedBy }: LoomState, { meta, content }: Event): boolean {
  const { file } = content as Content<typeof events.imported>;
  return file === undefined && openedBy === (meta.command ?? '');
}

function configured(before: Settings, content: Content<typeof events.settings>): Settings {
  const after: Record<string, unknown> = { ...before, ...content };
  for (const [key, value] of Object.entries(after)) if (value === null || value === undefined) delete after[key];
  return after as Settings;
}

function committed(graph: Graph, journal: Journal, event: Event): void {
  const { edits, append } = event.content as Content<typeof events.committed>;
  const who = event.from;
  const kind = event.meta.by === 'human' ? 'human' : 'model';
  const wrote = { author: who, kind, created: event.ts, seq: event.seq, ...eventCredit(event) } as const;
  const cells: number[] = [];
  for (const { node: id, from, content, context_hash, source } of edits) {
    const base = graph.byId.get(from);
    if (base === undefined) continue;
    const place = graph.places[base] as number;
    const position = positionOf(resolve(graph, who), place);
    const context =
      position < 0 ? (graph.contexts[base] as number) : madeContextAt(graph, journal, resolve(graph, who), position);
    graph.contextHash[context] ??= context_hash;
    pinEveryone(graph, journal, place);
    const node = addVersion(graph, journal, { id, content, ...wrote, context, origin: source && { source } }, base);
    for (const cell of go(graph, journal, who, [{ in: 'version', place, after: node }])) cells.push(cell);
  }
  const parent = append && nodeAfter(graph, who, append.after);
  if (append && parent !== undefined) {
    const context = contextBehind(graph, journal, who, parent);
    graph.contextHash[context] ??= append.context_hash;
    const { node: id, content } = append;
    const fresh = { id, content, ...wrote, context, origin: undefined } as const;
    const node = addPlace(graph, journal, fresh, graph.places[parent] as number);
    for (const cell of go(graph, journal, who, movesToEnd(graph, who, node))) cells.push(cell);
  }
  remember(graph, journal, who, event.id, 'commit', cells);
}

/** Nearly always the end of the path: that is known without looking for it. */
function nodeAfter(graph: Graph, who: string, id: string): number | undefined {
  const tip = tipOf(resolve(graph, who));
  return graph.ids[tip] === id ? tip : graph.byId.get(id);
}

function switched(graph: Graph, journal: Journal, event: Event): void {
  const node = graph.byId.get((event.content as Content<typeof events.switched>).to);
  if (node === undefined) return;
  const cells = go(graph, journal, event.from, movesTo(graph, event.from, node));
  if (node !== 0) settle(graph, journal, event.from, graph.places[node] as number);
  remember(graph, journal, event.from, event.id, 'switch', cells);
}

function marked(graph: Graph, journal: Journal, event: Event): void {
  const { node: id, pruned, ...given } = event.content as Content<typeof events.marked>;
  const node = graph.byId.get(id);
  if (node === undefined) return;
  if (Object.keys(given).length > 0) {
    const marks: Record<string, unknown> = { ...graph.marks.get(node), ...given };
    for (const [key, value] of Object.entries(marks)) if (value === null) delete marks[key];
    if (given.tags?.length === 0) delete marks.tags;
    journal.set(graph.marks, node, Object.keys(marks).length > 0 ? (marks as Marks) : undefined);
  }
  if (pruned === undefined) return;
  const cells = go(graph, journal, event.from, pruning(graph, event.from, graph.places[node] as number, pruned));
  remember(graph, journal, event.from, event.id, pruned ? 'prune' : 'restore', cells);
}

/** Whoever prunes what they are looking at looks no further than what stands before it. */
function pruning(graph: Graph, who: string, place: number, pruned: boolean): Move[] {
  const moves: Move[] = [{ in: 'pruned', place, after: pruned ? 1 : 0 }];
  const family = graph.parentFamily[place] as number;
  for (const parent of pruned ? [family, ...(graph.sharers.get(family) ?? [])] : []) {
    if (graph.paths.get(who)?.child[parent] === place) moves.push({ in: 'child', place: parent, after: END });
  }
  return moves;
}

function preferred(graph: Graph, journal: Journal, event: Event): void {
  const content = event.content as Content<typeof events.preferred>;
  const [node, child] = [graph.byId.get(content.node), graph.byId.get(content.child)];
  if (node === undefined || child === undefined) return;
  pinEveryone(graph, journal, graph.places[node] as number);
  journal.put(graph.preferred, graph.places[child] as number, node);
}
