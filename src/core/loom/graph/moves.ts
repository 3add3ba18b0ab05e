import { madeContextAfter } from './contexts.ts';
import { type Act, type Acts, copyOfPath, type Graph, type Path } from './graph.ts';
import { END, madeContextAt, positionOf, reshow, resolve, retrace, shownAt, wayTo } from './path.ts';
import type { Journal } from './persistent.ts';

/** What an act does to a path, or to what is pruned. */
export interface Move {
  readonly in: 'child' | 'version' | 'pruned';
  readonly place: number;
  readonly after: number;
}

const COLUMNS = ['child', 'version', 'pruned'] as const;

/** A path of one's own from the first act on: it begins as what was looked at until then. */
export function ownPath(graph: Graph, journal: Journal, participant: string, founder: string): Path {
  const own = graph.paths.get(participant);
  if (own) return own;
  const path = copyOfPath(graph.paths.get(founder) ?? { child: [END], version: [], seen: [] });
  journal.set(graph.paths, participant, path);
  return path;
}

/** Goes where the moves say and tells what that changed, in fours. */
export function go(graph: Graph, journal: Journal, who: string, moves: readonly Move[]): readonly number[] {
  const path = graph.paths.get(who) as Path;
  const cells: number[] = [];
  for (const move of moves) {
    const before = cellOf(graph, path, move);
    if (before !== move.after) cells.push(COLUMNS.indexOf(move.in), move.place, before, move.after);
  }
  apply(graph, journal, who, cells);
  return cells;
}

/** What was changed is an act that its participant may take back. */
export function remember(
  graph: Graph,
  journal: Journal,
  who: string,
  id: string,
  what: Act['what'],
  cells: readonly number[],
): void {
  const done: Act = { id, what, cells, below: graph.acts.get(who)?.done };
  journal.set<string, Acts>(graph.acts, who, { done });
}

/** Takes the newest act back, or does it again. Nodes stay: only ways and prunings change (W14). */
export function takeBackAct(graph: Graph, journal: Journal, who: string): void {
  const { done, undone } = graph.acts.get(who) ?? {};
  if (!done) return;
  const acts = { ...(done.below && { done: done.below }), undone: { ...done, below: undone } };
  journal.set<string, Acts>(graph.acts, who, acts);
  apply(graph, journal, who, turned(done.cells));
}

export function doActAgain(graph: Graph, journal: Journal, who: string): void {
  const { done, undone } = graph.acts.get(who) ?? {};
  if (!undone) return;
  const acts = { done: { ...undone, below: done }, ...(undone.below && { undone: undone.below }) };
  journal.set<string, Acts>(graph.acts, who, acts);
  apply(graph, journal, who, undone.cells);
}

function turned(cells: readonly number[]): number[] {
  const back: number[] = [];
  for (let i = cells.length - 4; i >= 0; i -= 4) {
    back.push(cells[i] as number, cells[i + 1] as number, cells[i + 3] as number, cells[i + 2] as number);
  }
  return back;
}

function apply(graph: Graph, journal: Journal, who: string, cells: readonly number[]): void {
  const path = graph.paths.get(who) as Path;
  const resolved = resolve(graph, who);
  let leaves = Number.POSITIVE_INFINITY;
  for (let i = 0; i < cells.length; i += 4) {
    const column = COLUMNS[cells[i] as number];
    const [place, after] = [cells[i + 1] as number, cells[i + 3] as number];
    if (column === 'pruned' || column === undefined) {
      journal.put(graph.pruned, place, after);
      continue;
    }
    putAt(journal, path[column], place, after);
    const position = positionOf(resolved, place);
    if (column === 'version') {
      putAt(journal, path.seen, place, graph.lastNode[place] as number);
      if (position >= 0) reshow(graph, who, position);
    } else if (position >= 0 && position < leaves) leaves = position;
  }
  if (leaves !== Number.POSITIVE_INFINITY) retrace(graph, who, leaves);
}

/** Goes to a node: up to where the path is left, down to it, and on along what was gone before (W5). */
export function movesTo(graph: Graph, who: string, node: number): Move[] {
  const place = graph.places[node] as number;
  const resolved = resolve(graph, who);
  if (place === 0) return [{ in: 'child', place: 0, after: END }];
  const { from, steps } = wayTo(graph, resolved, place);
  const moves: Move[] = [];
  let at = resolved.places[from] as number;
  for (const next of steps) {
    moves.push({ in: 'child', place: at, after: next });
    at = next;
  }
  moves.push({ in: 'version', place, after: node });
  return moves;
}

/** Beyond a place that is gone to: along what was gone before, else along first children that are not pruned. */
export function settle(graph: Graph, journal: Journal, who: string, from: number): void {
  const path = graph.paths.get(who) as Path;
  let place = from;
  let fresh = -1;
  for (;;) {
    let next = path.child[place] ?? 0;
    if (next === 0) {
      if (fresh < 0) fresh = place;
      next = firstChild(graph, place);
      putAt(journal, path.child, place, next);
    }
    if (next === END) break;
    place = next;
  }
  const position = fresh < 0 ? -1 : positionOf(resolve(graph, who), fresh);
  if (position >= 0) retrace(graph, who, position);
}

function firstChild(graph: Graph, place: number): number {
  let child = graph.firstChild[graph.family[place] as number] as number;
  while (child >= 0 && graph.pruned[child] === 1) child = graph.nextSibling[child] as number;
  return child < 0 ? END : child;
}

/** Before a place gets another version: whoever is there keeps what they see, unless it is they who move on. */
export function pinEveryone(graph: Graph, journal: Journal, place: number): void {
  for (const path of graph.paths.values()) {
    const next = path.child[place] ?? 0;
    if (next === 0 || (path.version[place] ?? 0) !== 0) continue;
    putAt(journal, path.version, place, shownAt(graph, path, place, next));
  }
}

function cellOf(graph: Graph, path: Path, { in: column, place }: Move): number {
  return (column === 'pruned' ? graph.pruned[place] : path[column][place]) ?? 0;
}

/** Zeros in between stand for nothing, so they need no journal. */
function putAt(journal: Journal, list: number[], index: number, value: number): void {
  while (list.length <= index) list.push(0);
  journal.put(list, index, value);
}

/** The context of what comes after a node: as it stands on the path, or as it was written where it is not on it. */
export function contextBehind(graph: Graph, journal: Journal, who: string, node: number): number {
  const resolved = resolve(graph, who);
  const position = positionOf(resolved, graph.places[node] as number);
  if (position >= 0) return madeContextAt(graph, journal, resolved, position + 1);
  return madeContextAfter(graph, journal, graph.contexts[node] as number, node);
}

/** To a place that has just come, and no further. */
export function movesToEnd(graph: Graph, who: string, node: number): Move[] {
  const place = graph.places[node] as number;
  const moves = movesTo(graph, who, node);
  moves.pop();
  moves.push({ in: 'child', place, after: END });
  return moves;
}
