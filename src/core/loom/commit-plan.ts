import type { NewEvent } from '../events/event.ts';
import type { ModeContext } from '../mode.ts';
import { isRefusal, type Refusal, refuse } from '../refusal.ts';
import type { SpanSource } from './events.ts';
import { LoomCommitted } from './events.ts';
import { chainContextHash, hashOfContext } from './graph/contexts.ts';
import { type AuthorKind, type Graph, type ResolvedPath, versionsOf } from './graph/graph.ts';
import { type ContextHashes, contextHashesAlong, pathOwner, positionOf, resolvePath, tipOf } from './graph/path.ts';
import { type NodeProof, proofOf } from './graph/proof.ts';
import { refuseOffPath, refuseUnknownNode } from './refusals.ts';
import type { LoomState } from './state.ts';

export interface PendingChanges {
  readonly edits: readonly { readonly node: string; readonly text: string; readonly source?: SpanSource }[];
  readonly text: string;
  readonly after?: string | undefined;
}

export interface CommitPlan {
  /** One event, or none if nothing changed. */
  readonly events: readonly NewEvent[];
  /** The node at the end of the path after the commit. */
  readonly tip: string;
  /** The new version of each edited node. */
  readonly versions: ReadonlyMap<string, string>;
}

interface PlannedEdit {
  readonly position: number;
  readonly base: number;
  readonly text: string;
  readonly source?: SpanSource;
}

/**
 * Turns edits into versions and the buffer into a node: one event at any depth and for any number of children (W3, W9,
 * W10).
 */
export function planCommit(state: LoomState, pending: PendingChanges, context: ModeContext): CommitPlan | Refusal {
  const graph = state.graph.read();
  const resolved = resolvePath(graph, pathOwner(graph, context.actor.id, state.founder));
  const edits = planEdits(graph, resolved, pending.edits);
  if (isRefusal(edits)) return edits;

  const contextHashes = contextHashesAlong(graph, resolved, context.hash);
  const versions = new Map<string, string>();
  const eventEdits = edits.map(({ position, base, text, source }) => {
    const proof = prove(text, contextHashes.at(position), context);
    contextHashes.replace(position, text);
    const [node, from] = [context.newId(), graph.ids[base] as string];
    versions.set(graph.ids[resolved.nodes[position] as number] as string, node);
    const concurrent = concurrentVersions(graph, base, context.actor.id);
    return {
      node,
      from,
      content: text,
      ...proof,
      ...(source && { source }),
      ...(concurrent.length > 0 && { beside: concurrent }),
    };
  });
  const appendedNode = planAppend(graph, resolved, pending, contextHashes, versions, context);
  if (isRefusal(appendedNode)) return appendedNode;
  const last = graph.ids[tipOf(resolved)] as string;
  return {
    events:
      eventEdits.length > 0 || appendedNode
        ? [LoomCommitted.of(context.thread.id, { edits: eventEdits, append: appendedNode })]
        : [],
    tip: appendedNode?.node ?? versions.get(last) ?? last,
    versions,
  };
}

function planEdits(
  graph: Graph,
  resolved: ResolvedPath,
  submittedEdits: PendingChanges['edits'],
): readonly PlannedEdit[] | Refusal {
  const edits: PlannedEdit[] = [];
  const positions = new Set<number>();
  for (const { node: id, text, source } of submittedEdits) {
    const base = graph.byId.get(id);
    if (base === undefined) return refuseUnknownNode(id);
    if (base === 0) return refuse('malformed', 'The root of a loom is always empty. Write after it instead.');
    const place = graph.places[base] as number;
    const position = positionOf(resolved, place);
    if (position < 0) return refuseOffPath(id);
    if (positions.has(position)) return refuse('malformed', `Two edits change the same place, ${id}. Send one.`);
    positions.add(position);
    // An edit that ends as it began commits nothing (W10).
    if (graph.contents[base] !== text) edits.push({ position, base, text, ...(source && { source }) });
  }
  return edits.sort((a, b) => a.position - b.position);
}

function planAppend(
  graph: Graph,
  resolved: ResolvedPath,
  { text, after }: PendingChanges,
  contextHashes: ContextHashes,
  versions: ReadonlyMap<string, string>,
  context: ModeContext,
): ({ node: string; after: string; content: string } & NodeProof) | undefined | Refusal {
  if (text === '') return undefined;
  const parent = after === undefined ? tipOf(resolved) : graph.byId.get(after);
  if (parent === undefined) return refuseUnknownNode(after as string);
  const position = positionOf(resolved, graph.places[parent] as number);
  const shownNode = position < 0 ? parent : (resolved.nodes[position] as number);
  const id = graph.ids[shownNode] as string;
  const contextHash =
    position < 0
      ? chainContextHash(
          hashOfContext(graph, graph.contexts[parent] as number, context.hash),
          context.hash(graph.contents[parent] as string),
          context.hash,
        )
      : contextHashes.at(position + 1);
  return { node: context.newId(), after: versions.get(id) ?? id, content: text, ...prove(text, contextHash, context) };
}

function prove(text: string, contextHash: string, context: ModeContext): NodeProof {
  const provenance = { author: context.actor.id, kind: authorKindOf(context), created: context.now };
  return proofOf(text, contextHash, provenance, context.hash);
}

export function authorKindOf({ actor }: ModeContext): AuthorKind {
  return actor.kind === 'human' ? 'human' : 'model';
}

const MAX_CONCURRENT_VERSIONS = 100;

/** Versions that others made at this place after the edited one. Both stay, and both sides are notified. */
function concurrentVersions(graph: Graph, base: number, participant: string): string[] {
  return versionsOf(graph, graph.places[base] as number)
    .filter((node) => node > base && graph.authors[node] !== participant)
    .slice(-MAX_CONCURRENT_VERSIONS)
    .map((node) => graph.ids[node] as string);
}
