import { findEventProblem } from '../../core/events/check.ts';
import type { Event } from '../../core/events/event.ts';
import { readEvent } from '../../core/events/read.ts';
import { tolerantFold } from '../../core/events/tolerant-fold.ts';
import type { LoomEvent } from '../../core/loom/events.ts';
import { evolveLoom } from '../../core/loom/evolve.ts';
import { chainContextHash, hashOfContext } from '../../core/loom/graph/contexts.ts';
import type { Graph } from '../../core/loom/graph/graph.ts';
import { provenanceOf } from '../../core/loom/graph/node-proof.ts';
import { type NodeProof, proofOf } from '../../core/loom/graph/proof.ts';
import { initialLoom, type LoomState } from '../../core/loom/state.ts';
import { ThreadCreated } from '../../core/threads/events.ts';
import { sha256 } from '../../log/seal.ts';
import { failureAt, forkPointOf, type ProofFailure } from './chain.ts';

const evolve = tolerantFold(evolveLoom);

interface FollowedLoom {
  readonly state: LoomState;
  readonly seq: number;
}

/**
 * Follows looms event by event and recomputes every node's hashes: its text, the path before it, its author and time,
 * and the response it came in (W7). Reports the node that differs from what was written.
 */
export function createLoomProof() {
  const looms = new Map<string, FollowedLoom>();

  function follow(event: Event): ProofFailure | undefined {
    const loom = looms.get(event.thread) ?? startOf(event);
    if (!loom) return undefined;
    const state = evolve(loom.state, event);
    looms.set(event.thread, { state, seq: event.seq });
    for (const proof of proofsIn(event)) {
      const why = problemWithProof(state.graph.read(), proof);
      if (why) return failureAt(event, why);
    }
    return undefined;
  }

  /**
   * A fork starts from its parent's state if the parent has been followed exactly to the fork point; for a fork that
   * starts earlier, only the chain is verified.
   */
  function startOf(event: Event): FollowedLoom | undefined {
    if (ThreadCreated.read(event)?.content?.kind !== 'loom') return undefined;
    const fork = forkPointOf(event);
    if (!fork) return { state: initialLoom(), seq: 0 };
    const parent = looms.get(fork.thread);
    return parent?.seq === fork.seq ? parent : undefined;
  }

  return { follow };
}

/**
 * The problem with one node that an event added; undefined if the node is intact, or imported and proved by its event
 * alone.
 */
export function problemWithNode(graph: Graph, event: Event, node: string): string | undefined {
  const proof = proofsIn(event).find((each) => each.node === node);
  return proof && problemWithProof(graph, proof);
}

type StoredNodeProof = NodeProof & { readonly node: string };

/** The nodes an event added, with the data to prove them. Imported nodes are proved by their event alone. */
function proofsIn(event: Event): readonly StoredNodeProof[] {
  // An event that does not match its type's schema added no node.
  return findEventProblem(event) === undefined ? proofsOf(event) : [];
}

function proofsOf(stored: Event): readonly StoredNodeProof[] {
  const event = readEvent<LoomEvent>(stored);
  switch (event.type) {
    case 'loom.committed': {
      const { edits, append } = event.content;
      return append ? [...edits, append] : edits;
    }
    case 'loom.divided':
      return [event.content.prefix, event.content.suffix];
    case 'loom.merged':
      return [event.content.merged];
    case 'generation.finished':
      return event.content.choices;
    default:
      return [];
  }
}

function problemWithProof(graph: Graph, proof: StoredNodeProof): string | undefined {
  const node = graph.byId.get(proof.node);
  if (node === undefined) return `names the node ${proof.node}, which does not follow from what came before`;
  const context = graph.contexts[node] as number;
  // The context is derived from the one before it, not taken from the event's own claim.
  const parent = graph.contents[graph.contextNode[context] as number] as string;
  const contextHash = hashOfContext(graph, graph.contextBefore[context] as number, sha256);
  const expected = proofOf(
    graph.contents[node] as string,
    chainContextHash(contextHash, sha256(parent), sha256),
    provenanceOf(graph, node),
    sha256,
  );
  if (expected.content_hash !== proof.content_hash) return `has another text in node ${proof.node} than was written`;
  if (expected.context_hash !== proof.context_hash) {
    return `has the node ${proof.node} after another text than it was written after`;
  }
  if (expected.provenance_hash !== proof.provenance_hash) {
    return `has another author, time or response for node ${proof.node} than it was written with`;
  }
  return undefined;
}
