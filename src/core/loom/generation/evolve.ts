import type { z } from 'zod';
import type { Event } from '../../events/event.ts';
import { waitingFrom } from '../../runs/wait.ts';
import { eventCredit } from '../authorship/credits.ts';
import type * as events from '../events.ts';
import { addPlace, type Generation, type Graph } from '../graph/graph.ts';
import { contextBehind, go, ownPath, remember } from '../graph/moves.ts';
import { END, positionOf, resolve } from '../graph/path.ts';
import type { Journal } from '../graph/persistent.ts';
import type { Exploration, LoomState, OpenGeneration, Requested } from '../state.ts';
import { advanced, stepped } from './exploration.ts';

type Content<Schema extends z.ZodType> = z.infer<Schema>;

export function evolveGeneration(state: LoomState, event: Event): LoomState {
  switch (event.type) {
    case 'generation.requested':
      return requested(state, event.id, event.content as Requested);
    case 'generation.waiting':
      return waits(state, event.ts, event.content as Content<typeof events.waiting>);
    case 'generation.finished':
      return finished(state, event);
    case 'generation.failed':
      return failed(state, event.content as Content<typeof events.failed>);
    case 'generation.stopped':
      return stopped(state, event.content as Content<typeof events.stopped>);
    case 'exploration.started':
      return started(state, event.id, event.content as Content<typeof events.explorationStarted>);
    case 'exploration.turned':
      return turned(state, event.id, event.content as Content<typeof events.explorationTurned>);
    default:
      return state;
  }
}

function requested(state: LoomState, event: string, request: Requested): LoomState {
  const { generation: id, at: atId, requester, model = '', exploration } = request;
  const asked = state.explorations.find((each) => each.exploration === exploration)?.asked ?? event;
  let opened: OpenGeneration | undefined;
  const graph = state.graph.change((data, journal) => {
    const at = data.byId.get(atId);
    if (at === undefined) return;
    const path = ownPath(data, journal, requester, state.founder);
    const context = contextBehind(data, journal, requester, at);
    const went = path.child[data.places[at] as number] ?? 0;
    opened = { request, asked, at, context, went };
    const fills = request.fill && went > 0 ? { fills: went } : {};
    journal.set<string, Generation>(data.generations, id, { model, requester, ...fills, state: 'running' });
  });
  if (!opened) return { ...state, graph };
  return {
    ...state,
    graph,
    open: [...state.open, opened],
    explorations: onExploration(state, exploration, (each) => stepped(each, atId, id)),
  };
}

function finished(state: LoomState, event: Event): LoomState {
  const content = event.content as Content<typeof events.finished>;
  const open = state.open.find(({ request }) => request.generation === content.generation);
  if (!open) return state;
  let nodes = state.nodes;
  const graph = state.graph.change((data, journal) => {
    addChoices(data, journal, event, open, content);
    nodes = data.ids.length - 1;
  });
  const made = content.choices.map(({ node, score = 0 }) => ({ node, score }));
  return {
    ...state,
    graph,
    nodes,
    open: state.open.filter((each) => each !== open),
    explorations: onExploration(state, open.request.exploration, (each) =>
      advanced(each, made, content.usage?.generated ?? 0),
    ),
  };
}

function addChoices(
  graph: Graph,
  journal: Journal,
  event: Event,
  { at, context, went, request, stopping }: OpenGeneration,
  content: Content<typeof events.finished>,
): void {
  const { generation, requester, exploration } = request;
  const { model, raw, prompt_hash, dropped, choices } = content;
  const { fills } = graph.generations.get(generation) ?? {};
  const place = graph.places[at] as number;
  const credit = eventCredit(event);
  const made = choices.map(({ node, content: text, finish, raw: own, context_hash }, choice) => {
    graph.contextHash[context] ??= context_hash;
    const interrupted = finish === 'cancelled' || finish === 'failed';
    const origin = {
      generation,
      choice,
      ...(own !== undefined && { raw: own }),
      ...(interrupted && ({ interrupted } as const)),
    };
    const wrote = { author: event.from, kind: 'model', created: event.ts, seq: event.seq, ...credit } as const;
    return addPlace(graph, journal, { id: node, content: text, ...wrote, context, origin }, place);
  });
  journal.set<string, Generation>(graph.generations, generation, {
    model,
    requester,
    ...(raw !== undefined && { raw }),
    ...(prompt_hash !== undefined && { prompt_hash }),
    ...(dropped && { dropped }),
    ...(fills !== undefined && { fills }),
    state: stopping ? 'stopped' : 'finished',
  });
  // Events from before choices were weighed lead to the first.
  const shown = made[content.shown ?? 0];
  // The requester is taken along only if they still stand where they asked (W4, W5).
  if (shown === undefined || exploration !== undefined || graph.paths.get(requester)?.child[place] !== went) return;
  const fresh = graph.places[shown] as number;
  const cells = go(graph, journal, requester, [
    { in: 'child', place, after: fresh },
    { in: 'child', place: fresh, after: END },
  ]);
  // Elsewhere by now, they find it when they come back: nothing they see has changed, so nothing is to be undone.
  if (positionOf(resolve(graph, requester), fresh) < 0) return;
  remember(graph, journal, requester, event.id, 'generate', cells);
}

function failed(state: LoomState, { generation, raw }: Content<typeof events.failed>): LoomState {
  const open = state.open.find(({ request }) => request.generation === generation);
  if (!open) return state;
  const { model = '', requester, exploration } = open.request;
  const told = { model, requester, ...(raw !== undefined && { raw }) };
  const graph = state.graph.change((data, journal) => {
    journal.set<string, Generation>(data.generations, generation, {
      ...told,
      state: open.stopping ? 'stopped' : 'failed',
    });
  });
  return {
    ...state,
    graph,
    open: state.open.filter((each) => each !== open),
    explorations: onExploration(state, exploration, (each) => advanced(each, [], 0)),
  };
}

function waits(state: LoomState, ts: string, { generation, ...wait }: Content<typeof events.waiting>): LoomState {
  const open = state.open.map((each) =>
    each.request.generation === generation ? { ...each, waiting: waitingFrom(each.waiting, ts, wait) } : each,
  );
  return { ...state, open };
}

function stopped(state: LoomState, { generation }: Content<typeof events.stopped>): LoomState {
  const open = state.open.map((each) =>
    each.request.generation === generation ? { ...each, stopping: true as const } : each,
  );
  return { ...state, open };
}

function started(state: LoomState, asked: string, content: Content<typeof events.explorationStarted>): LoomState {
  const frontier = [{ node: content.at, depth: 0, score: 0 }];
  const exploration: Exploration = { ...content, state: 'running', asked, made: 0, used: 0, frontier };
  return { ...state, explorations: [...state.explorations, exploration] };
}

function turned(
  state: LoomState,
  event: string,
  { exploration, to }: Content<typeof events.explorationTurned>,
): LoomState {
  if (to === 'running' || to === 'paused') {
    const turn = (each: Exploration) => ({ ...each, state: to, ...(to === 'running' && { asked: event }) });
    return { ...state, explorations: onExploration(state, exploration, turn) };
  }
  return { ...state, explorations: state.explorations.filter((each) => each.exploration !== exploration) };
}

function onExploration(
  { explorations }: LoomState,
  id: string | undefined,
  change: (exploration: Exploration) => Exploration,
): readonly Exploration[] {
  if (id === undefined) return explorations;
  return explorations.map((each) => (each.exploration === id ? change(each) : each));
}
