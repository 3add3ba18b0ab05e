import type { Generation } from '../../../../src/core/loom/graph/graph.ts';
import { ownerOf, positionOf, resolve } from '../../../../src/core/loom/graph/path.ts';
import type { LoomState } from '../../../../src/core/loom/state.ts';
import { numeral } from '../../../ui/numeral.ts';

type Dropped = NonNullable<Generation['dropped']>;

/** Where on a path the text begins that a model with a full window saw. */
export interface WindowEdge {
  /** Of the first node it saw, counted from 0. */
  readonly position: number;
  readonly words: string;
}

/** Of the last node of a path that was written so; each node's own is told with it. */
export function windowEdgeOf(state: LoomState, me: string): WindowEdge | undefined {
  const graph = state.graph.look();
  const resolved = resolve(graph, ownerOf(graph, me, state.founder));
  for (let at = resolved.length - 1; at > 0; at--) {
    const id = graph.origins.get(resolved.nodes[at]!)?.generation;
    const { dropped, model = '' } = (id !== undefined && graph.generations.get(id)) || {};
    if (!dropped) continue;
    const last = dropped.last === undefined ? undefined : graph.byId.get(dropped.last);
    const position = last === undefined ? 0 : positionOf(resolved, graph.places[last]!);
    if (position >= 0) return { position, words: lineFor(model, dropped) };
  }
  return undefined;
}

function lineFor(model: string, { nodes, cut }: Dropped): string {
  const start = cut === undefined ? '' : `the first ${counted(cut, 'token')} below`;
  const what = [nodes > 0 && 'what stands above this line', start].filter(Boolean).join(' and ');
  return `${model} did not see ${what}: its window was full`;
}

/** Of one node: how much of what stood before it its model did not see. */
export function unseenWords({ nodes, cut }: Dropped): string {
  const parts = [nodes > 0 && `the oldest ${counted(nodes, 'node')}`, cut !== undefined && counted(cut, 'token')];
  return `Written without ${parts.filter(Boolean).join(' and ')} before it: the model’s window was full.`;
}

function counted(count: number, what: string): string {
  return count === 1 ? what : `${numeral(count)} ${what}s`;
}
