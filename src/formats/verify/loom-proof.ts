import { problemWithEvent } from '../../core/events/check.ts';
import type { Event } from '../../core/events/event.ts';
import { total } from '../../core/events/tolerant-fold.ts';
import { evolveLoom } from '../../core/loom/evolve.ts';
import { hashOfContext, linkOf } from '../../core/loom/graph/contexts.ts';
import type { Graph } from '../../core/loom/graph/graph.ts';
import { provenanceOf } from '../../core/loom/graph/node-proof.ts';
import { type Proof, proofOf } from '../../core/loom/graph/proof.ts';
import { initialLoom, type LoomState } from '../../core/loom/state.ts';
import { sha256 } from '../../log/seal.ts';
import { type Broken, forkedFrom } from './chain.ts';

const evolve = total(evolveLoom);

interface Followed {
  readonly state: LoomState;
  readonly seq: number;
}

/**
 * Follows looms event by event and works every node's hashes out anew: what it says, what stood before it on the path it
 * was written on, who wrote it when, and the response it came in (W7). It says which node is not what it was written as.
 */
export function createLoomProof() {
  const looms = new Map<string, Followed>();

  function follow(event: Event): Broken | undefined {
    const before = looms.get(event.thread) ?? beginning(event);
    if (!before) return undefined;
    const state = evolve(before.state, event);
    looms.set(event.thread, { state, seq: event.seq });
    for (const written of proofsIn(event)) {
      const why = problemWith(state.graph.look(), written);
      if (why) return { thread: event.thread, seq: event.seq, id: event.id, why };
    }
    return undefined;
  }

  /** A fork is followed where its parent was when it began; of one that begins earlier the chain alone is proved. */
  function beginning(event: Event): Followed | undefined {
    if (event.type !== 'thread.created' || (event.content as { kind?: unknown } | null)?.kind !== 'loom')
      return undefined;
    const fork = forkedFrom(event);
    if (!fork) return { state: initialLoom(), seq: 0 };
    const parent = looms.get(fork.thread);
    return parent?.seq === fork.seq ? parent : undefined;
  }

  return { follow };
}

/** What is wrong with one node that an event brought; undefined where it holds, or was imported and is proved by its event alone. */
export function problemWithNode(graph: Graph, event: Event, node: string): string | undefined {
  const written = proofsIn(event).find((each) => each.node === node);
  return written && problemWith(graph, written);
}

type Written = Proof & { readonly node: string };

/** The nodes an event brought, with what it said to prove them. Imported ones are proved by their event alone. */
function proofsIn(event: Event): readonly Written[] {
  // One that is not written as its type is has brought no node.
  return problemWithEvent(event) === undefined ? proofsOf(event) : [];
}

function proofsOf({ type, content }: Event): readonly Written[] {
  const said = content as unknown as Readonly<Record<string, Written>> & Lists;
  if (type === 'loom.committed') return [...said.edits, ...(said.append ? [said.append] : [])];
  if (type === 'loom.divided') return [said.prefix, said.suffix].filter((piece) => piece !== undefined);
  if (type === 'loom.merged') return said.merged ? [said.merged] : [];
  return type === 'generation.finished' ? said.choices : [];
}

interface Lists {
  readonly edits: readonly Written[] & Written;
  readonly choices: readonly Written[] & Written;
}

function problemWith(graph: Graph, written: Written): string | undefined {
  const node = graph.byId.get(written.node);
  if (node === undefined) return `names the node ${written.node}, which does not follow from what came before`;
  const context = graph.contexts[node] as number;
  // What the event itself said of the context is not believed: it is made of the one before it.
  const parent = graph.contents[graph.contextNode[context] as number] as string;
  const before = hashOfContext(graph, graph.contextBefore[context] as number, sha256);
  const own = proofOf(
    graph.contents[node] as string,
    linkOf(before, sha256(parent), sha256),
    provenanceOf(graph, node),
    sha256,
  );
  if (own.content_hash !== written.content_hash) return `has another text in node ${written.node} than was written`;
  if (own.context_hash !== written.context_hash) {
    return `has the node ${written.node} after another text than it was written after`;
  }
  if (own.provenance_hash !== written.provenance_hash) {
    return `has another author, time or response for node ${written.node} than it was written with`;
  }
  return undefined;
}
