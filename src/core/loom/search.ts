import { pathOwner, positionOf, resolvePath } from './graph/path.ts';
import type { LoomState } from './state.ts';
import type { LoomSearchHit } from './view-schema.ts';

const EXCERPT_MARGIN = 40;
/** Characters to escape in a regular expression. With the `u` flag, a backslash before any other is a syntax error. */
const REGEX_SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

/**
 * Finds nodes that contain all the words, ignoring case: on the path in path order, or in the whole loom newest first
 * (W22).
 */
export function searchLoom(
  state: LoomState,
  participant: string,
  words: string,
  where: 'tree' | 'path',
  limit: number,
): { readonly found: readonly LoomSearchHit[]; readonly more: boolean } {
  const graph = state.graph.read();
  const resolved = resolvePath(graph, pathOwner(graph, participant, state.founder));
  const terms = words.split(/\s+/u).filter((word) => word !== '');
  const patterns = terms.map((word) => new RegExp(word.replace(REGEX_SYNTAX, '\\$&'), 'iu'));
  const nodeCount = where === 'path' ? resolved.length : graph.ids.length;
  const hits: LoomSearchHit[] = [];
  for (let i = 1; i < nodeCount; i++) {
    const node = where === 'path' ? (resolved.nodes[i] as number) : nodeCount - i;
    const content = graph.contents[node] as string;
    const matches = patterns.map((pattern) => pattern.exec(content));
    const [firstMatch] = matches;
    if (!firstMatch || matches.some((match) => match === null)) continue;
    if (hits.length === limit) return { found: hits, more: true };
    const [start, end] = [firstMatch.index, firstMatch.index + firstMatch[0].length];
    hits.push({
      node: graph.ids[node] as string,
      start,
      end,
      excerpt: content.slice(Math.max(0, start - EXCERPT_MARGIN), end + EXCERPT_MARGIN).toWellFormed(),
      on_path: resolved.nodes[positionOf(resolved, graph.places[node] as number)] === node,
    });
  }
  return { found: hits, more: false };
}
