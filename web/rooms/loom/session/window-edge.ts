import type { Generation } from '../../../../src/core/loom/graph/graph.ts';
import { pathOwner, positionOf, resolvePath } from '../../../../src/core/loom/graph/path.ts';
import type { LoomState } from '../../../../src/core/loom/state.ts';
import { formatNumber } from '../../../ui/format-number.ts';

type DroppedContext = NonNullable<Generation['dropped']>;

/** Where on a path the text begins that a model with a full window saw. */
export interface WindowEdge {
  /** Of the first node it saw, counted from 0. */
  readonly position: number;
  readonly words: string;
}

/** Of the last node of a path that was written so; each node's own is told with it. */
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
  const start = cut === undefined ? '' : `the first ${pluralize(cut, 'token')} below`;
  const what = [nodes > 0 && 'what stands above this line', start].filter(Boolean).join(' and ');
  return `${model} did not see ${what}: its window was full`;
}

/** Of one node: how much of what stood before it its model did not see. */
export function unseenMessage({ nodes, cut }: DroppedContext): string {
  const parts = [nodes > 0 && `the oldest ${pluralize(nodes, 'node')}`, cut !== undefined && pluralize(cut, 'token')];
  return `Written without ${parts.filter(Boolean).join(' and ')} before it: the model’s window was full.`;
}

function pluralize(count: number, what: string): string {
  return count === 1 ? what : `${formatNumber(count)} ${what}s`;
}
