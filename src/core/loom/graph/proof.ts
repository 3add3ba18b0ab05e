import { canonicalJson } from '../../events/canonical.ts';
import type { AuthorKind } from './graph.ts';

export type HashFunction = (text: string) => string;

/** The data that proves a node, besides its own text (W7). */
export interface NodeProof {
  readonly content_hash: string;
  readonly context_hash: string;
  readonly provenance_hash: string;
}

export interface NodeProvenance {
  readonly author: string;
  readonly kind: AuthorKind;
  readonly created: string;
  /** The hash of the raw response that contained the node. */
  readonly raw?: string | undefined;
}

export function proofOf(
  content: string,
  contextHash: string,
  provenance: NodeProvenance,
  hash: HashFunction,
): NodeProof {
  const content_hash = hash(content);
  const { author, kind, created, raw = null } = provenance;
  const canonicalNode = canonicalJson({ author, content_hash, context_hash: contextHash, created, kind, raw });
  return { content_hash, context_hash: contextHash, provenance_hash: hash(`heddle node 1\n${canonicalNode}`) };
}
