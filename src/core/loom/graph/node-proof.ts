import { hashOfContext } from './contexts.ts';
import type { Graph } from './graph.ts';
import { type HashFunction, type NodeProof, type NodeProvenance, proofOf } from './proof.ts';

/** A node's hashes, recomputed from its data for display and export (W7). */
export function proofOfNode(graph: Graph, node: number, hash: HashFunction): NodeProof {
  const context = hashOfContext(graph, graph.contexts[node] as number, hash);
  return proofOf(graph.contents[node] as string, context, provenanceOf(graph, node), hash);
}

export function provenanceOf(graph: Graph, node: number): NodeProvenance {
  const { generation, raw = generation && graph.generations.get(generation)?.raw } = graph.origins.get(node) ?? {};
  return {
    author: graph.authors[node] as string,
    kind: graph.kinds[node] as 'human',
    created: graph.created[node] as string,
    raw,
  };
}
