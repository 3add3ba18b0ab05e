import { NO_CONTEXT } from '../graph/contexts.ts';
import { pathOwner, positionOf, resolvePath } from '../graph/path.ts';
import type { LoomState, OpenGeneration } from '../state.ts';
import { pathText } from '../view.ts';

export interface PromptNode {
  readonly id: string;
  readonly content: string;
}

/** Finds a generation that was requested and is not finished. */
export function findOpenGeneration(state: LoomState, generation: string): OpenGeneration | undefined {
  return state.openGenerations.find(({ request }) => request.generation === generation);
}

/** The nodes of a generation's prompt, oldest first, as they were at request time, whatever was edited since (W16). */
export function promptNodes(state: LoomState, { context }: OpenGeneration): readonly PromptNode[] {
  const graph = state.graph.read();
  const nodes: PromptNode[] = [];
  for (let at = context; at !== NO_CONTEXT; at = graph.contextBefore[at] as number) {
    const node = graph.contextNode[at] as number;
    if (node !== 0) nodes.push({ id: graph.ids[node] as string, content: graph.contents[node] as string });
  }
  return nodes.reverse();
}

/** The text that follows on the requester's path, for fill in the middle; empty if the path no longer leads there. */
export function promptSuffix(state: LoomState, { at, request }: OpenGeneration): string {
  const graph = state.graph.read();
  const resolved = resolvePath(graph, pathOwner(graph, request.requester, state.founder));
  const position = positionOf(resolved, graph.places[at] as number);
  return position < 0 ? '' : pathText(graph, resolved, position + 1);
}
