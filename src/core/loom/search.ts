import { ownerOf, positionOf, resolve } from './graph/path.ts';
import type { LoomState } from './state.ts';

export interface Found {
  readonly node: string;
  /** Where the first of the words stands in the node. */
  readonly start: number;
  readonly end: number;
  readonly excerpt: string;
  readonly on_path: boolean;
}

const AROUND = 40;
/** What means something in an expression; with `u`, a backslash before anything else is a mistake. */
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

/** Nodes that have all the words, whatever their case: those of the path in its order, or all, the newest first (W22). */
export function searchLoom(
  state: LoomState,
  participant: string,
  words: string,
  where: 'tree' | 'path',
  limit: number,
): { readonly found: readonly Found[]; readonly more: boolean } {
  const graph = state.graph.look();
  const resolved = resolve(graph, ownerOf(graph, participant, state.founder));
  const wanted = words.split(/\s+/u).filter((word) => word !== '');
  const patterns = wanted.map((word) => new RegExp(word.replace(SYNTAX, '\\$&'), 'iu'));
  const all = where === 'path' ? resolved.length : graph.ids.length;
  const found: Found[] = [];
  for (let i = 1; i < all; i++) {
    const node = where === 'path' ? (resolved.nodes[i] as number) : all - i;
    const content = graph.contents[node] as string;
    const matches = patterns.map((pattern) => pattern.exec(content));
    const [first] = matches;
    if (!first || matches.some((match) => match === null)) continue;
    if (found.length === limit) return { found, more: true };
    const [start, end] = [first.index, first.index + first[0].length];
    found.push({
      node: graph.ids[node] as string,
      start,
      end,
      excerpt: content.slice(Math.max(0, start - AROUND), end + AROUND).toWellFormed(),
      on_path: resolved.nodes[positionOf(resolved, graph.places[node] as number)] === node,
    });
  }
  return { found, more: false };
}
