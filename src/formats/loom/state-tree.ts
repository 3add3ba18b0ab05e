import type { Event, Json } from '../../core/events/event.ts';
import { readEvent } from '../../core/events/read.ts';
import type { LoomEvent, TokenRow } from '../../core/loom/events.ts';
import { childrenOf, type Graph, versionsOf } from '../../core/loom/graph/graph.ts';
import { parentOnPath, pathOwner, positionOf, resolvePath, shownNodeFor } from '../../core/loom/graph/path.ts';
import type { LoomState } from '../../core/loom/state.ts';
import { sourcesOf } from '../../core/loom/view.ts';
import type { LoomTree, TokenLogprob, TreeNode } from './tree.ts';

/** Node data that is not kept in memory. */
export interface NodeDetails {
  readonly model?: string;
  readonly tokens?: readonly TokenRow[];
  readonly extra?: Readonly<Record<string, Json>>;
}

/** The details of the nodes that an event added. */
export function* nodeDetailsIn(stored: Event): Generator<readonly [string, NodeDetails]> {
  const event = readEvent<LoomEvent>(stored);
  if (event.type === 'generation.finished') {
    const { model, choices } = event.content;
    for (const { node, tokens } of choices) yield [node, { model, ...(tokens && { tokens }) }];
  }
  if (event.type !== 'loom.imported') return;
  for (const { id, model, tokens, extra } of event.content.nodes) {
    if (model === undefined && !tokens && !extra) continue;
    yield [
      id,
      {
        ...(model !== undefined && { model }),
        ...(tokens && { tokens }),
        ...(extra && { extra }),
      },
    ];
  }
}

/**
 * Converts a loom to the common tree of all formats. Each node follows the version of its parent that the participant
 * sees; children shared after a split or a merge follow the node on the participant's path. There is no recursion.
 */
export function treeOfState(
  state: LoomState,
  title: string,
  participant: string,
  details: ReadonlyMap<string, NodeDetails>,
): LoomTree {
  const graph = state.graph.read();
  const owner = pathOwner(graph, participant, state.founder);
  const resolved = resolvePath(graph, owner);
  const nodes: TreeNode[] = [];
  const chosen: string[] = [];
  const stack: number[] = followers(0);
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    const parentPlace = parentOnPath(graph, resolved, place);
    const parent = parentPlace === 0 ? undefined : (graph.ids[shownNode(parentPlace)] as string);
    const sources = sourcesOf(graph, place);
    for (const node of versionsOf(graph, place)) {
      nodes.push({ ...nodeOf(graph, node, parent, details), ...(sources.length > 1 && { sources }) });
    }
    if (shownNode(place) !== graph.lastNode[place]) chosen.push(graph.ids[shownNode(place)] as string);
    for (const follower of followers(place)) stack.push(follower);
  }
  const tip = resolved.nodes[resolved.length - 1] as number;
  const { system } = state.settings;
  return {
    title,
    nodes,
    ...(tip !== 0 && { active: graph.ids[tip] as string }),
    ...(chosen.length > 0 && { chosen }),
    ...(system !== undefined && { system }),
  };

  /** In reverse order, because a stack returns the last one first. */
  function followers(place: number): number[] {
    return childrenOf(graph, place)
      .filter((child) => parentOnPath(graph, resolved, child) === place)
      .reverse();
  }

  function shownNode(place: number): number {
    const position = positionOf(resolved, place);
    return position < 0 ? shownNodeFor(graph, owner, place) : (resolved.nodes[position] as number);
  }
}

function nodeOf(
  graph: Graph,
  node: number,
  parent: string | undefined,
  details: ReadonlyMap<string, NodeDetails>,
): TreeNode {
  const id = graph.ids[node] as string;
  const originalNode = graph.edited[node] as number;
  const marks = graph.marks.get(node);
  const { model, tokens, extra } = details.get(id) ?? {};
  return {
    id,
    content: graph.contents[node] as string,
    kind: graph.kinds[node] as TreeNode['kind'],
    author: graph.authors[node] as string,
    created: graph.created[node] as string,
    ...(parent !== undefined && { parent }),
    ...(originalNode >= 0 && { editedFrom: graph.ids[originalNode] as string }),
    ...(model !== undefined && { model }),
    ...(marks?.bookmark !== undefined && { bookmark: marks.bookmark === '' ? {} : { label: marks.bookmark } }),
    ...(marks?.tags && { tags: marks.tags }),
    ...(graph.pruned[graph.places[node] as number] === 1 && { pruned: true }),
    ...(marks?.note !== undefined && { note: marks.note }),
    ...(marks?.rating !== undefined && { rating: marks.rating }),
    ...(tokens && { logprobs: tokens.map(tokenOf) }),
    ...(extra && { extra }),
  };
}

function tokenOf([token, logprob, alternatives]: TokenRow): TokenLogprob {
  return {
    token,
    ...(logprob !== null && { logprob }),
    ...(alternatives.length > 0 && { top: alternatives.map(([other, value]) => ({ token: other, logprob: value })) }),
  };
}
