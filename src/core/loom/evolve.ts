import type { ContentOf, EventOf } from '../events/define.ts';
import type { Event } from '../events/event.ts';
import { readEvent } from '../events/read.ts';
import type { ThreadCreated } from '../threads/events.ts';
import { importCredit } from './authorship/credits.ts';
import type {
  LoomCommitted,
  LoomConfigured,
  LoomEvent,
  LoomImported,
  LoomMarked,
  LoomPreferred,
  LoomSwitched,
} from './events.ts';
import { evolveGeneration } from './generation/evolve.ts';
import { addPlace, addVersion, copyGraph, type Graph } from './graph/graph.ts';
import {
  applyMoves,
  ensurePath,
  extendPath,
  movesTo,
  movesToEnd,
  type PathMove,
  pathContextAfter,
  pinVersions,
  recordAct,
  redoAct,
  undoAct,
} from './graph/moves.ts';
import { ensureContextAt, PATH_END, positionOf, resolvePath, tipOf } from './graph/path.ts';
import { type Journal, Persistent } from './graph/persistent.ts';
import type { LoomSettings, LoomState } from './state.ts';
import { applyImport, applyMerge, applySplit } from './structure/evolve.ts';
import type { NodeMarks } from './view-schema.ts';

/** Total function: an unknown event, or an event that names a missing node, changes nothing (L3). */
export function evolveLoom(state: LoomState, stored: Event): LoomState {
  const event = readEvent<LoomEvent>(stored);
  switch (event.type) {
    case 'thread.created':
      return applyCreation(state, event);
    case 'loom.configured':
      return { ...state, settings: mergeSettings(state.settings, event.content) };
    case 'loom.committed':
      return changeGraph(state, event, applyCommit);
    case 'loom.switched':
      return changeGraph(state, event, applySwitch);
    case 'loom.marked':
      return changeGraph(state, event, applyMarks);
    case 'loom.preferred':
      return changeGraph(state, event, applyPreference);
    case 'loom.divided':
      return changeGraph(state, event, applySplit);
    case 'loom.merged':
      return changeGraph(state, event, applyMerge);
    case 'loom.reverted':
      return changeGraph(state, event, (graph, journal) => undoAct(graph, journal, event.from));
    case 'loom.repeated':
      return changeGraph(state, event, (graph, journal) => redoAct(graph, journal, event.from));
    case 'loom.imported':
      return changeGraph(state, event, (graph, journal) => applyImport(graph, journal, event, isSeed(state, event)));
    default:
      return evolveGeneration(state, event);
  }
}

/** A participant gets their own path with their first act. */
function changeGraph<Known extends LoomEvent>(
  state: LoomState,
  event: Known,
  apply: (graph: Graph, journal: Journal, event: Known) => void,
): LoomState {
  let nodes = state.nodes;
  const graph = state.graph.change((data, journal) => {
    ensurePath(data, journal, event.from, state.founder);
    apply(data, journal, event);
    nodes = data.ids.length - 1;
  });
  return { ...state, graph, nodes };
}

function applyCreation(state: LoomState, event: EventOf<typeof ThreadCreated>): LoomState {
  const { forked_from: fork, origin } = event.content;
  const base = fork ? Persistent.of(copyGraph(state.graph.read())) : state.graph;
  const graph = base.change((data, journal) => void ensurePath(data, journal, event.from, state.founder));
  const openedFields = origin === undefined ? {} : { openedBy: event.meta.command ?? '' };
  const { openedBy: _, ...rest } = state;
  return { ...rest, graph, founder: event.from, openGenerations: [], explorations: [], ...openedFields };
}

/** True if the import is the text that the server copied from another thread to open this loom, not a file. */
function isSeed({ openedBy }: LoomState, { meta, content }: EventOf<typeof LoomImported>): boolean {
  return content.file === undefined && openedBy === (meta.command ?? '');
}

function mergeSettings(before: LoomSettings, content: ContentOf<typeof LoomConfigured>): LoomSettings {
  const after: Record<string, unknown> = { ...before, ...content };
  for (const [key, value] of Object.entries(after)) if (value === null || value === undefined) delete after[key];
  return after as LoomSettings;
}

function applyCommit(graph: Graph, journal: Journal, event: EventOf<typeof LoomCommitted>): void {
  const { edits, append } = event.content;
  const participant = event.from;
  const kind = event.meta.by === 'human' ? 'human' : 'model';
  const attribution = { author: participant, kind, created: event.ts, seq: event.seq, ...importCredit(event) } as const;
  const cells: number[] = [];
  for (const { node: id, from, content, context_hash, source } of edits) {
    const base = graph.byId.get(from);
    if (base === undefined) continue;
    const place = graph.places[base] as number;
    const position = positionOf(resolvePath(graph, participant), place);
    const context =
      position < 0
        ? (graph.contexts[base] as number)
        : ensureContextAt(graph, journal, resolvePath(graph, participant), position);
    graph.contextHash[context] ??= context_hash;
    pinVersions(graph, journal, place);
    const node = addVersion(
      graph,
      journal,
      { id, content, ...attribution, context, origin: source && { source } },
      base,
    );
    for (const cell of applyMoves(graph, journal, participant, [{ in: 'version', place, after: node }]))
      cells.push(cell);
  }
  const parent = append && findNearTip(graph, participant, append.after);
  if (append && parent !== undefined) {
    const context = pathContextAfter(graph, journal, participant, parent);
    graph.contextHash[context] ??= append.context_hash;
    const { node: id, content } = append;
    const newNode = { id, content, ...attribution, context, origin: undefined } as const;
    const node = addPlace(graph, journal, newNode, graph.places[parent] as number);
    for (const cell of applyMoves(graph, journal, participant, movesToEnd(graph, participant, node))) cells.push(cell);
  }
  recordAct(graph, journal, participant, event.id, 'commit', cells);
}

/** Checks the end of the path first: the node is nearly always there, and that needs no lookup. */
function findNearTip(graph: Graph, participant: string, id: string): number | undefined {
  const tip = tipOf(resolvePath(graph, participant));
  return graph.ids[tip] === id ? tip : graph.byId.get(id);
}

function applySwitch(graph: Graph, journal: Journal, event: EventOf<typeof LoomSwitched>): void {
  const node = graph.byId.get(event.content.to);
  if (node === undefined) return;
  const cells = applyMoves(graph, journal, event.from, movesTo(graph, event.from, node));
  if (node !== 0) extendPath(graph, journal, event.from, graph.places[node] as number);
  recordAct(graph, journal, event.from, event.id, 'switch', cells);
}

function applyMarks(graph: Graph, journal: Journal, event: EventOf<typeof LoomMarked>): void {
  const { node: id, pruned, ...changes } = event.content;
  const node = graph.byId.get(id);
  if (node === undefined) return;
  if (Object.keys(changes).length > 0) {
    const marks: Record<string, unknown> = { ...graph.marks.get(node), ...changes };
    for (const [key, value] of Object.entries(marks)) if (value === null) delete marks[key];
    if (changes.tags?.length === 0) delete marks.tags;
    journal.set(graph.marks, node, Object.keys(marks).length > 0 ? (marks as NodeMarks) : undefined);
  }
  if (pruned === undefined) return;
  const cells = applyMoves(
    graph,
    journal,
    event.from,
    pruneMoves(graph, event.from, graph.places[node] as number, pruned),
  );
  recordAct(graph, journal, event.from, event.id, pruned ? 'prune' : 'restore', cells);
}

/** If participants prune a place on their own path, the path ends before that place. */
function pruneMoves(graph: Graph, participant: string, place: number, pruned: boolean): PathMove[] {
  const moves: PathMove[] = [{ in: 'pruned', place, after: pruned ? 1 : 0 }];
  const family = graph.parentFamily[place] as number;
  for (const parent of pruned ? [family, ...(graph.sharers.get(family) ?? [])] : []) {
    if (graph.paths.get(participant)?.child[parent] === place)
      moves.push({ in: 'child', place: parent, after: PATH_END });
  }
  return moves;
}

function applyPreference(graph: Graph, journal: Journal, event: EventOf<typeof LoomPreferred>): void {
  const content = event.content;
  const [node, child] = [graph.byId.get(content.node), graph.byId.get(content.child)];
  if (node === undefined || child === undefined) return;
  pinVersions(graph, journal, graph.places[node] as number);
  journal.put(graph.preferred, graph.places[child] as number, node);
}
