import type { Decision } from '../decider.ts';
import type { ModeContext } from '../mode.ts';
import { isRefusal, type Refusal, refuse } from '../refusal.ts';
import type { LoomCommand, LoomInput } from './commands.ts';
import { planCommit } from './commit-plan.ts';
import { LoomConfigured, LoomMarked, LoomPreferred, LoomRepeated, LoomReverted, LoomSwitched } from './events.ts';
import { decideGeneration } from './generation/decide.ts';
import type { Graph } from './graph/graph.ts';
import { pathOwner, positionOf, resolvePath } from './graph/path.ts';
import { refuseUnknownNode } from './refusals.ts';
import type { LoomState } from './state.ts';
import { cherryPick, importTree, merge, split } from './structure/decide.ts';
import type { NodeMarks } from './view-schema.ts';

export function decideLoom(state: LoomState, command: LoomCommand, context: ModeContext): Decision {
  const refusal = isInternal(command) ? undefined : refuseIfPaused(context);
  if (refusal) return refusal;
  switch (command.name) {
    case 'commit':
      return eventsOf(planCommit(state, command.input, context));
    case 'switch':
      return switchTo(state, command.input, context);
    case 'mark':
      return mark(state, command.input, context);
    case 'prefer':
      return prefer(state, command.input, context);
    case 'undo':
    case 'redo':
      return undoOrRedo(state, command.name, context);
    case 'split':
      return split(state, command.input, context);
    case 'merge':
      return merge(state, command.input, context);
    case 'cherry_pick':
      return cherryPick(state, command.input, context);
    case 'import_tree':
      return importTree(state, command.input, context);
    case 'configure': {
      const { thread: _, ...content } = command.input;
      return Object.keys(content).length === 0 ? [] : [LoomConfigured.of(context.thread.id, content)];
    }
    default:
      return decideGeneration(state, command, context);
  }
}

function isInternal({ name }: LoomCommand): boolean {
  return name === 'report_wait' || name === 'report_generation' || name === 'report_failure';
}

function refuseIfPaused({ actor, thread }: ModeContext): Refusal | undefined {
  if (!thread.paused || actor.kind === 'human') return undefined;
  return refuse('thread_paused', `"${thread.title}" is paused: only humans may write. Nothing was changed.`, {
    participant: actor.id,
  });
}

function eventsOf(plan: ReturnType<typeof planCommit>): Decision {
  return isRefusal(plan) ? plan : plan.events;
}

/** Commits pending changes before the switch, so nothing is lost (W9). */
function switchTo(state: LoomState, input: LoomInput<'switch'>, context: ModeContext): Decision {
  const graph = state.graph.read();
  const node = graph.byId.get(input.node);
  if (node === undefined) return refuseUnknownNode(input.node);
  const plan = planCommit(state, input, context);
  if (isRefusal(plan)) return plan;
  const isAlreadyShown = plan.events.length === 0 && isShown(state, graph, context.actor.id, node);
  return isAlreadyShown ? [] : [...plan.events, LoomSwitched.of(context.thread.id, { to: input.node })];
}

function isShown(state: LoomState, graph: Graph, participant: string, node: number): boolean {
  const resolved = resolvePath(graph, pathOwner(graph, participant, state.founder));
  if (node === 0) return resolved.length === 1;
  const position = positionOf(resolved, graph.places[node] as number);
  return position >= 0 && resolved.nodes[position] === node;
}

function mark(state: LoomState, input: LoomInput<'mark'>, context: ModeContext): Decision {
  const graph = state.graph.read();
  const node = graph.byId.get(input.node);
  if (node === undefined) return refuseUnknownNode(input.node);
  if (node === 0) return refuse('malformed', 'The root of a loom is empty and invisible: it has no marks.');
  const current: NodeMarks = graph.marks.get(node) ?? {};
  const { untag = [] } = input;
  const currentTags = current.tags ?? [];
  const tags = new Set([...currentTags, ...(input.tags ?? [])]);
  for (const tag of untag) tags.delete(tag);
  const isTagged = input.tags !== undefined || untag.length > 0;
  if (isTagged && tags.size > 64)
    return refuse('malformed', `A node can have 64 tags; this one would have ${tags.size}.`);
  const isPruned = graph.pruned[graph.places[node] as number] === 1;
  const changes = {
    bookmark: ifChanged(input.bookmark, current.bookmark ?? null),
    rating: ifChanged(input.rating, current.rating ?? null),
    note: ifChanged(input.note, current.note ?? null),
    tags: isTagged && [...tags].join('\n') !== currentTags.join('\n') ? [...tags] : undefined,
    pruned: ifChanged(input.pruned, isPruned),
  };
  if (Object.values(changes).every((value) => value === undefined)) return [];
  return [LoomMarked.of(context.thread.id, { node: input.node, ...changes })];
}

function ifChanged<Value>(value: Value | undefined, current: Value): Value | undefined {
  return value === current ? undefined : value;
}

function prefer(state: LoomState, { node: id, child: childId }: LoomInput<'prefer'>, context: ModeContext): Decision {
  const graph = state.graph.read();
  const [node, child] = [graph.byId.get(id), graph.byId.get(childId)];
  if (node === undefined) return refuseUnknownNode(id);
  if (child === undefined) return refuseUnknownNode(childId);
  const family = graph.family[graph.places[node] as number];
  if (node === 0 || graph.parentFamily[graph.places[child] as number] !== family) {
    return refuse('malformed', `${childId} does not follow ${id}, so no version of ${id} can lead to it.`);
  }
  return [LoomPreferred.of(context.thread.id, { node: id, child: childId })];
}

function undoOrRedo(state: LoomState, name: 'undo' | 'redo', context: ModeContext): Decision {
  const acts = state.graph.read().acts.get(context.actor.id);
  const act = name === 'undo' ? acts?.done : acts?.undone;
  if (!act) return refuse('conflict', `There is nothing of yours to ${name} in this loom.`);
  const definition = name === 'undo' ? LoomReverted : LoomRepeated;
  return [definition.of(context.thread.id, { act: act.id, what: act.what })];
}
