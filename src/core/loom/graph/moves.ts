import { ensureContextAfter } from './contexts.ts';
import { type ActHistory, copyPath, type Graph, type PathAct, type PathChoices } from './graph.ts';
import {
  ensureContextAt,
  PATH_END,
  positionOf,
  refreshShown,
  resolvePath,
  retrace,
  routeTo,
  shownVersion,
} from './path.ts';
import type { Journal } from './persistent.ts';

/** One change that an act makes to a path or to the pruned places. */
export interface PathMove {
  readonly in: 'child' | 'version' | 'pruned';
  readonly place: number;
  readonly after: number;
}

const COLUMNS = ['child', 'version', 'pruned'] as const;

/** Gives a participant their own path on their first act; it starts as a copy of the path they saw until then. */
export function ensurePath(graph: Graph, journal: Journal, participant: string, founder: string): PathChoices {
  const existing = graph.paths.get(participant);
  if (existing) return existing;
  const path = copyPath(graph.paths.get(founder) ?? { child: [PATH_END], version: [], seen: [] });
  journal.set(graph.paths, participant, path);
  return path;
}

/** Applies the moves and returns the changed cells, in groups of four. */
export function applyMoves(
  graph: Graph,
  journal: Journal,
  participant: string,
  moves: readonly PathMove[],
): readonly number[] {
  const path = graph.paths.get(participant) as PathChoices;
  const cells: number[] = [];
  for (const move of moves) {
    const before = cellOf(graph, path, move);
    if (before !== move.after) cells.push(COLUMNS.indexOf(move.in), move.place, before, move.after);
  }
  applyCells(graph, journal, participant, cells);
  return cells;
}

/** Records the changed cells as an act that the participant can undo. */
export function recordAct(
  graph: Graph,
  journal: Journal,
  participant: string,
  id: string,
  what: PathAct['what'],
  cells: readonly number[],
): void {
  const done: PathAct = { id, what, cells, below: graph.acts.get(participant)?.done };
  journal.set<string, ActHistory>(graph.acts, participant, { done });
}

/** Undoes the newest act. Nodes stay: only paths and pruning change (W14). */
export function undoAct(graph: Graph, journal: Journal, participant: string): void {
  const { done, undone } = graph.acts.get(participant) ?? {};
  if (!done) return;
  const acts = { ...(done.below && { done: done.below }), undone: { ...done, below: undone } };
  journal.set<string, ActHistory>(graph.acts, participant, acts);
  applyCells(graph, journal, participant, invertCells(done.cells));
}

export function redoAct(graph: Graph, journal: Journal, participant: string): void {
  const { done, undone } = graph.acts.get(participant) ?? {};
  if (!undone) return;
  const acts = { done: { ...undone, below: done }, ...(undone.below && { undone: undone.below }) };
  journal.set<string, ActHistory>(graph.acts, participant, acts);
  applyCells(graph, journal, participant, undone.cells);
}

function invertCells(cells: readonly number[]): number[] {
  const inverted: number[] = [];
  for (let i = cells.length - 4; i >= 0; i -= 4) {
    inverted.push(cells[i] as number, cells[i + 1] as number, cells[i + 3] as number, cells[i + 2] as number);
  }
  return inverted;
}

function applyCells(graph: Graph, journal: Journal, participant: string, cells: readonly number[]): void {
  const path = graph.paths.get(participant) as PathChoices;
  const resolved = resolvePath(graph, participant);
  let firstChange = Number.POSITIVE_INFINITY;
  for (let i = 0; i < cells.length; i += 4) {
    const column = COLUMNS[cells[i] as number];
    const [place, after] = [cells[i + 1] as number, cells[i + 3] as number];
    if (column === 'pruned' || column === undefined) {
      journal.put(graph.pruned, place, after);
      continue;
    }
    putPadded(journal, path[column], place, after);
    const position = positionOf(resolved, place);
    if (column === 'version') {
      putPadded(journal, path.seen, place, graph.lastNode[place] as number);
      if (position >= 0) refreshShown(graph, participant, position);
    } else if (position >= 0 && position < firstChange) firstChange = position;
  }
  if (firstChange !== Number.POSITIVE_INFINITY) retrace(graph, participant, firstChange);
}

/**
 * The moves to a node: back to where its branch leaves the path, down to the node, and on along earlier choices (W5).
 */
export function movesTo(graph: Graph, participant: string, node: number): PathMove[] {
  const place = graph.places[node] as number;
  const resolved = resolvePath(graph, participant);
  if (place === 0) return [{ in: 'child', place: 0, after: PATH_END }];
  const { from, steps } = routeTo(graph, resolved, place);
  const moves: PathMove[] = [];
  let at = resolved.places[from] as number;
  for (const next of steps) {
    moves.push({ in: 'child', place: at, after: next });
    at = next;
  }
  moves.push({ in: 'version', place, after: node });
  return moves;
}

/** Extends the path beyond `from`: along earlier choices, else along first children that are not pruned. */
export function extendPath(graph: Graph, journal: Journal, participant: string, from: number): void {
  const path = graph.paths.get(participant) as PathChoices;
  let place = from;
  let firstUnvisited = -1;
  for (;;) {
    let next = path.child[place] ?? 0;
    if (next === 0) {
      if (firstUnvisited < 0) firstUnvisited = place;
      next = firstChild(graph, place);
      putPadded(journal, path.child, place, next);
    }
    if (next === PATH_END) break;
    place = next;
  }
  const position = firstUnvisited < 0 ? -1 : positionOf(resolvePath(graph, participant), firstUnvisited);
  if (position >= 0) retrace(graph, participant, position);
}

function firstChild(graph: Graph, place: number): number {
  let child = graph.firstChild[graph.family[place] as number] as number;
  while (child >= 0 && graph.pruned[child] === 1) child = graph.nextSibling[child] as number;
  return child < 0 ? PATH_END : child;
}

/**
 * Call this before a place gets another version: participants there keep the version they see, except the one who
 * moves.
 */
export function pinVersions(graph: Graph, journal: Journal, place: number): void {
  for (const path of graph.paths.values()) {
    const next = path.child[place] ?? 0;
    if (next === 0 || (path.version[place] ?? 0) !== 0) continue;
    putPadded(journal, path.version, place, shownVersion(graph, path, place, next));
  }
}

function cellOf(graph: Graph, path: PathChoices, { in: column, place }: PathMove): number {
  return (column === 'pruned' ? graph.pruned[place] : path[column][place]) ?? 0;
}

/** A zero means no choice, so padding with zeros needs no journal. */
function putPadded(journal: Journal, list: number[], index: number, value: number): void {
  while (list.length <= index) list.push(0);
  journal.put(list, index, value);
}

/** The context after a node: as on the path, or, for a node off the path, as it was when the node was written. */
export function pathContextAfter(graph: Graph, journal: Journal, participant: string, node: number): number {
  const resolved = resolvePath(graph, participant);
  const position = positionOf(resolved, graph.places[node] as number);
  if (position >= 0) return ensureContextAt(graph, journal, resolved, position + 1);
  return ensureContextAfter(graph, journal, graph.contexts[node] as number, node);
}

/** The moves to a new place, where the path then ends. */
export function movesToEnd(graph: Graph, participant: string, node: number): PathMove[] {
  const place = graph.places[node] as number;
  const moves = movesTo(graph, participant, node);
  moves.pop();
  moves.push({ in: 'child', place, after: PATH_END });
  return moves;
}
