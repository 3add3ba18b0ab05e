import { madeContextAfter } from './contexts.ts';
import { type Act, type Acts, type Cell, copyOfPath, type Graph, type Path } from './graph.ts';
import { END, madeContextAt, positionOf, reshow, resolve, retrace, shownAt, wayTo } from './path.ts';
import type { Journal } from './versions.ts';

/** What an act does to a path or to what is pruned. */
export type Move = Omit<Cell, 'before'>;

/** A path of one's own from the first act on: it begins as what was looked at until then. */
export function ownPath(graph: Graph, journal: Journal, participant: string, founder: string): Path {
  const own = graph.paths.get(participant);
  if (own) return own;
  const path = copyOfPath(graph.paths.get(founder) ?? { child: [END], version: [], seen: [] });
  journal.set(graph.paths, participant, path);
  return path;
}

/** Goes where the moves say and tells what that changed. */
export function go(graph: Graph, journal: Journal, who: string, moves: readonly Move[]): readonly Cell[] {
  const path = graph.paths.get(who) as Path;
  const cells = moves
    .map((move) => ({ ...move, before: cellOf(graph, path, move) }))
    .filter(({ before, after }) => before !== after);
  apply(graph, journal, who, cells);
  return cells;
}

/** What was changed is an act that its participant may take back. */
export function remember(graph: Graph, journal: Journal, who: string, act: Omit<Act, 'below'>): void {
  const { done } = graph.acts.get(who) ?? {};
  journal.set<string, Acts>(graph.acts, who, { done: { ...act, below: done } });
}

/** Takes the newest act back, or does it again. Nodes stay: only ways and prunings change (W14). */
export function takeBackAct(graph: Graph, journal: Journal, who: string): void {
  const { done, undone } = graph.acts.get(who) ?? {};
  if (!done) return;
  const acts = { ...(done.below && { done: done.below }), undone: { ...done, below: undone } };
  journal.set<string, Acts>(graph.acts, who, acts);
  apply(graph, journal, who, done.cells.map(turned).reverse());
}

export function doActAgain(graph: Graph, journal: Journal, who: string): void {
  const { done, undone } = graph.acts.get(who) ?? {};
  if (!undone) return;
  const acts = { done: { ...undone, below: done }, ...(undone.below && { undone: undone.below }) };
  journal.set<string, Acts>(graph.acts, who, acts);
  apply(graph, journal, who, undone.cells);
}

function turned(cell: Cell): Cell {
  return { ...cell, before: cell.after, after: cell.before };
}

function apply(graph: Graph, journal: Journal, who: string, cells: readonly Cell[]): void {
  const path = graph.paths.get(who) as Path;
  const resolved = resolve(graph, who);
  let leaves = Number.POSITIVE_INFINITY;
  for (const { in: column, place, after } of cells) {
    if (column === 'pruned') {
      journal.put(graph.pruned, place, after);
      continue;
    }
    putAt(journal, path[column], place, after);
    if (column === 'version') putAt(journal, path.seen, place, graph.lastNode[place] as number);
    const position = positionOf(resolved, place);
    if (position < 0) continue;
    if (column === 'version') reshow(graph, who, position);
    else leaves = Math.min(leaves, position);
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
  return [...moves, { in: 'version', place, after: node }];
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
export function putAt(journal: Journal, list: number[], index: number, value: number): void {
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
  const steps = movesTo(graph, who, node).filter((move) => move.in === 'child');
  return [...steps, { in: 'child', place: graph.places[node] as number, after: END }];
}
