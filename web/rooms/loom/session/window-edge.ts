import type { Generation } from '../../../../src/core/loom/graph/graph.ts';
import { pathOwner, positionOf, resolvePath } from '../../../../src/core/loom/graph/path.ts';
import type { LoomState } from '../../../../src/core/loom/state.ts';
import { formatNumber } from '../../../../src/core/text/format-number.ts';

type DroppedContext = NonNullable<Generation['dropped']>;

/** The start of the text on a path that a model with a full context window saw. */
export interface WindowEdge {
  /** The position of the first visible node, counted from 0. */
  readonly position: number;
  readonly words: string;
}

/** The edge for the last node of the path written with a full window; `unseenMessage` covers single nodes. */
export function windowEdgeOf(state: LoomState, me: string): WindowEdge | undefined {
  const graph = state.graph.read();
  const resolved = resolvePath(graph, pathOwner(graph, me, state.founder));
  for (let at = resolved.length - 1; at > 0; at--) {
    const id = graph.origins.get(resolved.nodes[at]!)?.generation;
    const { dropped, model = '' } = (id !== undefined && graph.generations.get(id)) || {};
    if (!dropped) continue;
    const last = dropped.last === undefined ? undefined : graph.byId.get(dropped.last);
    const position = last === undefined ? 0 : positionOf(resolved, graph.places[last]!);
    if (position >= 0) return { position, words: edgeLabel(model, dropped) };
  }
  return undefined;
}

function edgeLabel(model: string, { nodes, cut }: DroppedContext): string {
  const start = cut === undefined ? '' : `the first ${withCount(cut, 'token')} below`;
  const what = [nodes > 0 && 'the text above this line', start].filter(Boolean).join(' and ');
  return `${model} did not see ${what}: its window was full`;
}

/** Says how much of the text before one node its model did not see. */
export function unseenMessage({ nodes, cut }: DroppedContext): string {
  const parts = [nodes > 0 && `the oldest ${withCount(nodes, 'node')}`, cut !== undefined && withCount(cut, 'token')];
  return `Written without ${parts.filter(Boolean).join(' and ')} before it: the model’s window was full.`;
}

function withCount(count: number, what: string): string {
  return count === 1 ? what : `${formatNumber(count)} ${what}s`;
}
