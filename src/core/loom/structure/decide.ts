import type { Decision } from '../../decider.ts';
import type { NewEvent } from '../../events/event.ts';
import type { ModeContext } from '../../mode.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import type { LoomInput } from '../commands.ts';
import { authorKindOf, planCommit } from '../commit-plan.ts';
import { LoomDivided, LoomImported, LoomMerged } from '../events.ts';
import { chainContextHash } from '../graph/contexts.ts';
import type { Graph, ResolvedPath } from '../graph/graph.ts';
import { contextHashesAlong, pathOwner, positionOf, resolvePath } from '../graph/path.ts';
import { proofOf } from '../graph/proof.ts';
import { refuseOffPath, refuseUnknownNode } from '../refusals.ts';
import type { LoomState } from '../state.ts';

export function split(state: LoomState, input: LoomInput<'split'>, context: ModeContext): Decision {
  const splitResult = splitAt(state, input.node, input.at, context);
  return isRefusal(splitResult) ? splitResult : [splitResult.event];
}

/** The event that splits a node of the path in two, and the id of the first half (W20). */
export function splitAt(
  state: LoomState,
  id: string,
  at: number,
  context: ModeContext,
): { readonly event: NewEvent; readonly prefix: string } | Refusal {
  const graph = state.graph.read();
  const target = findShownNode(state, graph, id, context);
  if (isRefusal(target)) return target;
  const { node, position, resolved } = target;
  const content = graph.contents[node] as string;
  if (at <= 0 || at >= content.length || splitsSurrogatePair(content, at)) {
    return refuse('malformed', `${id} has ${content.length} units of text and cannot be split at ${at}.`, { node: id });
  }
  const provenance = {
    author: graph.authors[node] as string,
    kind: graph.kinds[node] as 'human',
    created: context.now,
  };
  const contextHash = contextHashesAlong(graph, resolved, context.hash).at(position);
  const [head, tail] = [content.slice(0, at), content.slice(at)];
  const prefix = { node: context.newId(), ...proofOf(head, contextHash, provenance, context.hash) };
  const suffixContextHash = chainContextHash(contextHash, prefix.content_hash, context.hash);
  const suffix = { node: context.newId(), ...proofOf(tail, suffixContextHash, provenance, context.hash) };
  return { event: LoomDivided.of(context.thread.id, { node: id, at, prefix, suffix }), prefix: prefix.node };
}

export function merge(state: LoomState, input: LoomInput<'merge'>, context: ModeContext): Decision {
  const graph = state.graph.read();
  const target = findShownNode(state, graph, input.node, context);
  if (isRefusal(target)) return target;
  const { node, position, resolved } = target;
  if (position < 2)
    return refuse('malformed', `${input.node} is the first of its path: there is nothing to merge it with.`);
  const parent = resolved.nodes[position - 1] as number;
  const isSameAuthor = graph.authors[parent] === graph.authors[node] && graph.kinds[parent] === graph.kinds[node];
  // A node has one author; the spans still say who wrote which part (W20).
  const attribution = isSameAuthor
    ? { author: graph.authors[node] as string, kind: graph.kinds[node] as 'human' }
    : { author: context.actor.id, kind: authorKindOf(context) };
  const content = `${graph.contents[parent]}${graph.contents[node]}`;
  const contextHash = contextHashesAlong(graph, resolved, context.hash).at(position - 1);
  const proof = proofOf(content, contextHash, { ...attribution, created: context.now }, context.hash);
  const mergedNode = { node: context.newId(), ...attribution, ...proof };
  const parentId = graph.ids[parent] as string;
  return [LoomMerged.of(context.thread.id, { parent: parentId, node: input.node, merged: mergedNode })];
}

export function cherryPick(state: LoomState, input: LoomInput<'cherry_pick'>, context: ModeContext): Decision {
  const graph = state.graph.read();
  const [node, source] = [graph.byId.get(input.node), graph.byId.get(input.source)];
  if (node === undefined) return refuseUnknownNode(input.node);
  if (source === undefined) return refuseUnknownNode(input.source);
  const [targetText, sourceText] = [graph.contents[node] as string, graph.contents[source] as string];
  const { start, end, from = 0, to = targetText.length } = input;
  if (!isValidSpan(sourceText, start, end)) return refuseSpan(input.source, start, end);
  if (!isValidSpan(targetText, from, to)) return refuseSpan(input.node, from, to);
  const text = targetText.slice(0, from) + sourceText.slice(start, end) + targetText.slice(to);
  const edit = { node: input.node, text, source: { node: input.source, start, end, at: from } };
  const plan = planCommit(state, { edits: [edit], text: '' }, context);
  return isRefusal(plan) ? plan : plan.events;
}

export function importTree(
  state: LoomState,
  { nodes, active, chosen = [], file }: LoomInput<'import_tree'>,
  context: ModeContext,
): Decision {
  const graph = state.graph.read();
  const newParents = new Map<string, string | undefined>();
  for (const { id, parent, edited_from: from } of nodes) {
    if (newParents.has(id) || graph.byId.has(id)) return refuseNode(id, 'appears twice');
    if (parent !== undefined && !newParents.has(parent) && !graph.byId.has(parent)) {
      return refuseNode(id, `comes before its parent ${parent}`);
    }
    if (from !== undefined && !newParents.has(from) && !graph.byId.has(from))
      return refuseNode(id, `comes before ${from}, which it is a version of`);
    if (from !== undefined && !hasParent(graph, newParents, from, parent))
      return refuseNode(id, `has another parent than ${from}, which it is a version of`);
    newParents.set(id, parent);
  }
  const unknown = [...(active === undefined ? [] : [active]), ...chosen].find(
    (id) => !newParents.has(id) && !graph.byId.has(id),
  );
  if (unknown !== undefined) return refuseUnknownNode(unknown);
  if (nodes.length === 0 && active === undefined && chosen.length === 0) return [];
  return [LoomImported.of(context.thread.id, { nodes, active, file, chosen: chosen.length > 0 ? chosen : undefined })];
}

/** True if a node of this import part, or of an earlier one, follows this parent. */
function hasParent(
  graph: Graph,
  newParents: ReadonlyMap<string, string | undefined>,
  id: string,
  parent: string | undefined,
) {
  if (newParents.has(id)) return newParents.get(id) === parent;
  const parentNode = parent === undefined ? 0 : graph.byId.get(parent);
  if (parentNode === undefined) return false;
  const family = graph.parentFamily[graph.places[graph.byId.get(id) as number] as number];
  return family === graph.family[graph.places[parentNode] as number];
}

function refuseNode(id: string, why: string): Refusal {
  return refuse('malformed', `The node ${id} ${why}. Nothing of this part was imported.`, { node: id });
}

function findShownNode(
  state: LoomState,
  graph: Graph,
  id: string,
  context: ModeContext,
): { node: number; position: number; resolved: ResolvedPath } | Refusal {
  const node = graph.byId.get(id);
  if (node === undefined) return refuseUnknownNode(id);
  const resolved = resolvePath(graph, pathOwner(graph, context.actor.id, state.founder));
  const position = positionOf(resolved, graph.places[node] as number);
  if (node === 0 || position < 0 || resolved.nodes[position] !== node) return refuseOffPath(id);
  return { node, position, resolved };
}

function isValidSpan(text: string, start: number, end: number): boolean {
  return start <= end && end <= text.length && !splitsSurrogatePair(text, start) && !splitsSurrogatePair(text, end);
}

function refuseSpan(id: string, start: number, end: number): Refusal {
  return refuse('malformed', `${id} has no span from ${start} to ${end}, or it would cut a character in two.`, {
    node: id,
  });
}

/** True if `at` is inside a surrogate pair (W8). */
function splitsSurrogatePair(text: string, at: number): boolean {
  return at > 0 && /[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? '');
}
