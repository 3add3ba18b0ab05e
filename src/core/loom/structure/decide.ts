import type { Decision } from '../../decider.ts';
import type { NewEvent } from '../../events/event.ts';
import type { ModeContext } from '../../mode.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import type { InputOf } from '../commands.ts';
import { emit, kindOfActor, notOnPath, unknownNode } from '../emit.ts';
import { linkOf } from '../graph/contexts.ts';
import type { Graph, Resolved } from '../graph/graph.ts';
import { linksAlong, ownerOf, positionOf, resolve } from '../graph/path.ts';
import { proofOf } from '../graph/proof.ts';
import { pendingEvents } from '../pending.ts';
import type { LoomState } from '../state.ts';

export function split(state: LoomState, input: InputOf<'split'>, context: ModeContext): Decision {
  const cut = splitAt(state, input.node, input.at, context);
  return isRefusal(cut) ? cut : [cut.event];
}

/** The event that cuts a node of the path in two, and the first half's id (W20). */
export function splitAt(
  state: LoomState,
  id: string,
  at: number,
  context: ModeContext,
): { readonly event: NewEvent; readonly prefix: string } | Refusal {
  const graph = state.graph.look();
  const found = shown(state, graph, id, context);
  if (isRefusal(found)) return found;
  const { node, position, resolved } = found;
  const content = graph.contents[node] as string;
  if (at <= 0 || at >= content.length || isInside(content, at)) {
    return refuse('malformed', `${id} has ${content.length} units of text and cannot be split at ${at}.`, { node: id });
  }
  const who = { author: graph.authors[node] as string, kind: graph.kinds[node] as 'human', created: context.now };
  const before = linksAlong(graph, resolved, context.hash).at(position);
  const [head, tail] = [content.slice(0, at), content.slice(at)];
  const prefix = { node: context.newId(), ...proofOf(head, before, who, context.hash) };
  const behind = linkOf(before, prefix.content_hash, context.hash);
  const suffix = { node: context.newId(), ...proofOf(tail, behind, who, context.hash) };
  return { event: emit(context, 'loom.divided', { node: id, at, prefix, suffix }), prefix: prefix.node };
}

export function merge(state: LoomState, input: InputOf<'merge'>, context: ModeContext): Decision {
  const graph = state.graph.look();
  const found = shown(state, graph, input.node, context);
  if (isRefusal(found)) return found;
  const { node, position, resolved } = found;
  if (position < 2)
    return refuse('malformed', `${input.node} is the first of its path: there is nothing to merge it with.`);
  const parent = resolved.nodes[position - 1] as number;
  const alike = graph.authors[parent] === graph.authors[node] && graph.kinds[parent] === graph.kinds[node];
  // One author to a node; who wrote which part the spans still tell (W20).
  const who = alike
    ? { author: graph.authors[node] as string, kind: graph.kinds[node] as 'human' }
    : { author: context.actor.id, kind: kindOfActor(context) };
  const content = `${graph.contents[parent]}${graph.contents[node]}`;
  const before = linksAlong(graph, resolved, context.hash).at(position - 1);
  const proof = proofOf(content, before, { ...who, created: context.now }, context.hash);
  const merged = { node: context.newId(), ...who, ...proof };
  return [emit(context, 'loom.merged', { parent: graph.ids[parent], node: input.node, merged })];
}

export function cherryPick(state: LoomState, input: InputOf<'cherry_pick'>, context: ModeContext): Decision {
  const graph = state.graph.look();
  const [node, source] = [graph.byId.get(input.node), graph.byId.get(input.source)];
  if (node === undefined) return unknownNode(input.node);
  if (source === undefined) return unknownNode(input.source);
  const [into, taken] = [graph.contents[node] as string, graph.contents[source] as string];
  const { start, end, from = 0, to = into.length } = input;
  if (!isSpan(taken, start, end)) return noSpan(input.source, start, end);
  if (!isSpan(into, from, to)) return noSpan(input.node, from, to);
  const text = into.slice(0, from) + taken.slice(start, end) + into.slice(to);
  const edit = { node: input.node, text, source: { node: input.source, start, end, at: from } };
  const pending = pendingEvents(state, { edits: [edit], text: '' }, context);
  return isRefusal(pending) ? pending : pending.events;
}

export function importTree(
  state: LoomState,
  { nodes, active, chosen = [], file }: InputOf<'import_tree'>,
  context: ModeContext,
): Decision {
  const graph = state.graph.look();
  const fresh = new Map<string, string | undefined>();
  for (const { id, parent, edited_from: from } of nodes) {
    if (fresh.has(id) || graph.byId.has(id)) return bad(id, 'is there twice');
    if (parent !== undefined && !fresh.has(parent) && !graph.byId.has(parent)) {
      return bad(id, `comes before its parent ${parent}`);
    }
    if (from !== undefined && !fresh.has(from) && !graph.byId.has(from))
      return bad(id, `comes before ${from}, which it is a version of`);
    if (from !== undefined && !isBeside(graph, fresh, from, parent))
      return bad(id, `has another parent than ${from}, which it is a version of`);
    fresh.set(id, parent);
  }
  const unknown = [...(active === undefined ? [] : [active]), ...chosen].find(
    (id) => !fresh.has(id) && !graph.byId.has(id),
  );
  if (unknown !== undefined) return unknownNode(unknown);
  if (nodes.length === 0 && active === undefined && chosen.length === 0) return [];
  return [emit(context, 'loom.imported', { nodes, active, file, ...(chosen.length > 0 && { chosen }) })];
}

/** Whether a node, of this part or of an earlier one, follows this parent. */
function isBeside(
  graph: Graph,
  fresh: ReadonlyMap<string, string | undefined>,
  id: string,
  parent: string | undefined,
) {
  if (fresh.has(id)) return fresh.get(id) === parent;
  const before = parent === undefined ? 0 : graph.byId.get(parent);
  if (before === undefined) return false;
  const family = graph.parentFamily[graph.places[graph.byId.get(id) as number] as number];
  return family === graph.family[graph.places[before] as number];
}

function bad(id: string, why: string): Refusal {
  return refuse('malformed', `The node ${id} ${why}. Nothing of this part was imported.`, { node: id });
}

function shown(
  state: LoomState,
  graph: Graph,
  id: string,
  context: ModeContext,
): { node: number; position: number; resolved: Resolved } | Refusal {
  const node = graph.byId.get(id);
  if (node === undefined) return unknownNode(id);
  const resolved = resolve(graph, ownerOf(graph, context.actor.id, state.founder));
  const position = positionOf(resolved, graph.places[node] as number);
  if (node === 0 || position < 0 || resolved.nodes[position] !== node) return notOnPath(id);
  return { node, position, resolved };
}

function isSpan(text: string, start: number, end: number): boolean {
  return start <= end && end <= text.length && !isInside(text, start) && !isInside(text, end);
}

function noSpan(id: string, start: number, end: number): Refusal {
  return refuse('malformed', `${id} has no span from ${start} to ${end}, or it would cut a character in two.`, {
    node: id,
  });
}

/** Within a surrogate pair (W8). */
function isInside(text: string, at: number): boolean {
  return at > 0 && /[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? '');
}
