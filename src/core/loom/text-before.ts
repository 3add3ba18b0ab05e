import { NO_CONTEXT } from './graph/contexts.ts';
import type { Graph } from './graph/graph.ts';
import { pathOwner, positionOf, resolvePath } from './graph/path.ts';
import type { LoomState } from './state.ts';
import { pathText } from './view.ts';

/** The text before a node: as on the participant's path, or, off that path, as it was when the node was written. */
export function textBefore(state: LoomState, id: string, participant: string): string {
  const graph = state.graph.read();
  const node = graph.byId.get(id);
  if (node === undefined) return '';
  const resolved = resolvePath(graph, pathOwner(graph, participant, state.founder));
  const position = positionOf(resolved, graph.places[node] as number);
  if (position >= 0 && resolved.nodes[position] === node) return pathText(graph, resolved, 1, position);
  return contextText(graph, node);
}

function contextText(graph: Graph, node: number): string {
  const texts: string[] = [];
  for (let at = graph.contexts[node] as number; at !== NO_CONTEXT; at = graph.contextBefore[at] as number) {
    texts.push(graph.contents[graph.contextNode[at] as number] as string);
  }
  return texts.reverse().join('');
}
