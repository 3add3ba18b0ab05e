import type { NewEvent } from '../events/event.ts';
import type { ModeContext } from '../mode.ts';
import { isRefusal, type Refusal, refuse } from '../refusal.ts';
import { emit, kindOfActor, notOnPath, unknownNode } from './emit.ts';
import { hashOfContext, linkOf } from './graph/contexts.ts';
import { type Graph, type Resolved, type Source, versionsOf } from './graph/graph.ts';
import { type Links, linksAlong, ownerOf, positionOf, resolve, tipOf } from './graph/path.ts';
import { type Proof, proofOf } from './graph/proof.ts';
import type { LoomState } from './state.ts';

export interface Pending {
  readonly edits: readonly { readonly node: string; readonly text: string; readonly source?: Source }[];
  readonly text: string;
  readonly after?: string | undefined;
}

export interface Committing {
  /** One event, or none when nothing is new. */
  readonly events: readonly NewEvent[];
  /** The node at the end of the path once it is done. */
  readonly tip: string;
  /** Versions that will have come: what was edited is shown by these. */
  readonly versions: ReadonlyMap<string, string>;
}

interface Edit {
  readonly position: number;
  readonly base: number;
  readonly text: string;
  readonly source?: Source;
}

/** Edits become versions and the buffer a node: one event, however deep and however many children (W3, W9, W10). */
export function pendingEvents(state: LoomState, pending: Pending, context: ModeContext): Committing | Refusal {
  const graph = state.graph.look();
  const resolved = resolve(graph, ownerOf(graph, context.actor.id, state.founder));
  const edits = editsOf(graph, resolved, pending.edits);
  if (isRefusal(edits)) return edits;

  const links = linksAlong(graph, resolved, context.hash);
  const versions = new Map<string, string>();
  const written = edits.map(({ position, base, text, source }) => {
    const proof = prove(text, links.at(position), context);
    links.replace(position, text);
    const [node, from] = [context.newId(), graph.ids[base] as string];
    versions.set(graph.ids[resolved.nodes[position] as number] as string, node);
    const beside = besides(graph, base, context.actor.id);
    return { node, from, content: text, ...proof, ...(source && { source }), ...(beside.length > 0 && { beside }) };
  });
  const append = appended(graph, resolved, pending, links, versions, context);
  if (isRefusal(append)) return append;
  const last = graph.ids[tipOf(resolved)] as string;
  return {
    events: written.length > 0 || append ? [emit(context, 'loom.committed', { edits: written, append })] : [],
    tip: append?.node ?? versions.get(last) ?? last,
    versions,
  };
}

function editsOf(graph: Graph, resolved: Resolved, given: Pending['edits']): readonly Edit[] | Refusal {
  const edits: Edit[] = [];
  const places = new Set<number>();
  for (const { node: id, text, source } of given) {
    const base = graph.byId.get(id);
    if (base === undefined) return unknownNode(id);
    if (base === 0) return refuse('malformed', 'The root of a loom is empty for good. Write after it instead.');
    const place = graph.places[base] as number;
    const position = positionOf(resolved, place);
    if (position < 0) return notOnPath(id);
    if (places.has(position)) return refuse('malformed', `Two edits are of the same place, that of ${id}. Send one.`);
    places.add(position);
    // An edit that ends as it began commits nothing (W10).
    if (graph.contents[base] !== text) edits.push({ position, base, text, ...(source && { source }) });
  }
  return edits.sort((a, b) => a.position - b.position);
}

function appended(
  graph: Graph,
  resolved: Resolved,
  { text, after }: Pending,
  links: Links,
  versions: ReadonlyMap<string, string>,
  context: ModeContext,
): ({ node: string; after: string; content: string } & Proof) | undefined | Refusal {
  if (text === '') return undefined;
  const parent = after === undefined ? tipOf(resolved) : graph.byId.get(after);
  if (parent === undefined) return unknownNode(after as string);
  const position = positionOf(resolved, graph.places[parent] as number);
  const shown = position < 0 ? parent : (resolved.nodes[position] as number);
  const id = graph.ids[shown] as string;
  const before =
    position < 0
      ? linkOf(
          hashOfContext(graph, graph.contexts[parent] as number, context.hash),
          context.hash(graph.contents[parent] as string),
          context.hash,
        )
      : links.at(position + 1);
  return { node: context.newId(), after: versions.get(id) ?? id, content: text, ...prove(text, before, context) };
}

function prove(text: string, contextHash: string, context: ModeContext): Proof {
  const provenance = { author: context.actor.id, kind: kindOfActor(context), created: context.now };
  return proofOf(text, contextHash, provenance, context.hash);
}

const MOST_BESIDE = 100;

/** Versions that others made of this place since the one that was edited: both stay, and both sides are told. */
function besides(graph: Graph, base: number, who: string): string[] {
  return versionsOf(graph, graph.places[base] as number)
    .filter((node) => node > base && graph.authors[node] !== who)
    .slice(-MOST_BESIDE)
    .map((node) => graph.ids[node] as string);
}
