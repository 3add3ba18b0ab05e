import type { ContentOf, EventOf } from '../../events/define.ts';
import { ignoreUnknown } from '../../events/read.ts';
import { extendWait } from '../../runs/wait.ts';
import { importCredit } from '../authorship/credits.ts';
import type {
  ExplorationStarted,
  ExplorationTurned,
  GenerationFailed,
  GenerationFinished,
  GenerationStopped,
  GenerationWaiting,
  LoomEvent,
} from '../events.ts';
import { addPlace, type Generation, type Graph } from '../graph/graph.ts';
import { applyMoves, ensurePath, pathContextAfter, recordAct } from '../graph/moves.ts';
import { PATH_END, positionOf, resolvePath } from '../graph/path.ts';
import type { Journal } from '../graph/persistent.ts';
import type { Exploration, GenerationRequest, LoomState, OpenGeneration } from '../state.ts';
import { advanceExploration, startExplorationStep } from './exploration.ts';

type GenerationEvent = Extract<LoomEvent, { type: `generation.${string}` | `exploration.${string}` }>;

export function evolveGeneration(state: LoomState, event: GenerationEvent): LoomState {
  switch (event.type) {
    case 'generation.requested':
      return startGeneration(state, event.id, event.content);
    case 'generation.waiting':
      return delayGeneration(state, event.ts, event.content);
    case 'generation.finished':
      return finishGeneration(state, event);
    case 'generation.failed':
      return failGeneration(state, event.content);
    case 'generation.stopped':
      return stopGeneration(state, event.content);
    case 'exploration.started':
      return startExploration(state, event.id, event.content);
    case 'exploration.turned':
      return turnExploration(state, event.id, event.content);
    default:
      return ignoreUnknown(state, event);
  }
}

function startGeneration(state: LoomState, eventId: string, request: GenerationRequest): LoomState {
  const { generation: id, at: atId, requester, model = '', exploration } = request;
  const requestEvent = state.explorations.find((each) => each.exploration === exploration)?.asked ?? eventId;
  let openGeneration: OpenGeneration | undefined;
  const graph = state.graph.change((data, journal) => {
    const at = data.byId.get(atId);
    if (at === undefined) return;
    const path = ensurePath(data, journal, requester, state.founder);
    const context = pathContextAfter(data, journal, requester, at);
    const nextPlace = path.child[data.places[at] as number] ?? 0;
    openGeneration = { request, asked: requestEvent, at, context, nextPlace };
    const fills = request.fill && nextPlace > 0 ? { fills: nextPlace } : {};
    journal.set<string, Generation>(data.generations, id, { model, requester, ...fills, state: 'running' });
  });
  if (!openGeneration) return { ...state, graph };
  return {
    ...state,
    graph,
    openGenerations: [...state.openGenerations, openGeneration],
    explorations: updateExploration(state, exploration, (each) => startExplorationStep(each, atId, id)),
  };
}

function finishGeneration(state: LoomState, event: EventOf<typeof GenerationFinished>): LoomState {
  const { content } = event;
  const open = state.openGenerations.find(({ request }) => request.generation === content.generation);
  if (!open) return state;
  let nodes = state.nodes;
  const graph = state.graph.change((data, journal) => {
    addChoices(data, journal, event, open);
    nodes = data.ids.length - 1;
  });
  const scoredNodes = content.choices.map(({ node, score = 0 }) => ({ node, score }));
  return {
    ...state,
    graph,
    nodes,
    openGenerations: state.openGenerations.filter((each) => each !== open),
    explorations: updateExploration(state, open.request.exploration, (each) =>
      advanceExploration(each, scoredNodes, content.usage?.generated ?? 0),
    ),
  };
}

function addChoices(
  graph: Graph,
  journal: Journal,
  event: EventOf<typeof GenerationFinished>,
  { at, context, nextPlace, request, stopping }: OpenGeneration,
): void {
  const { generation, requester, exploration } = request;
  const { model, raw, prompt_hash, dropped, choices, shown } = event.content;
  const { fills } = graph.generations.get(generation) ?? {};
  const place = graph.places[at] as number;
  const credit = importCredit(event);
  const nodes = choices.map(({ node, content: text, finish, raw: ownRaw, context_hash }, choice) => {
    graph.contextHash[context] ??= context_hash;
    const interrupted = finish === 'cancelled' || finish === 'failed';
    const origin = {
      generation,
      choice,
      ...(ownRaw !== undefined && { raw: ownRaw }),
      ...(interrupted && ({ interrupted } as const)),
    };
    const attribution = { author: event.from, kind: 'model', created: event.ts, seq: event.seq, ...credit } as const;
    return addPlace(graph, journal, { id: node, content: text, ...attribution, context, origin }, place);
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
  const shownNode = nodes[shown];
  // Move the requester's path only if it has not changed here since the request (W4, W5).
  if (shownNode === undefined || exploration !== undefined || graph.paths.get(requester)?.child[place] !== nextPlace)
    return;
  const newPlace = graph.places[shownNode] as number;
  const cells = applyMoves(graph, journal, requester, [
    { in: 'child', place, after: newPlace },
    { in: 'child', place: newPlace, after: PATH_END },
  ]);
  // Requesters who have moved elsewhere find it when they return. Nothing they see changed, so there is nothing to
  // undo.
  if (positionOf(resolvePath(graph, requester), newPlace) < 0) return;
  recordAct(graph, journal, requester, event.id, 'generate', cells);
}

function failGeneration(state: LoomState, { generation, raw }: ContentOf<typeof GenerationFailed>): LoomState {
  const open = state.openGenerations.find(({ request }) => request.generation === generation);
  if (!open) return state;
  const { model = '', requester, exploration } = open.request;
  const generationFields = { model, requester, ...(raw !== undefined && { raw }) };
  const graph = state.graph.change((data, journal) => {
    journal.set<string, Generation>(data.generations, generation, {
      ...generationFields,
      state: open.stopping ? 'stopped' : 'failed',
    });
  });
  return {
    ...state,
    graph,
    openGenerations: state.openGenerations.filter((each) => each !== open),
    explorations: updateExploration(state, exploration, (each) => advanceExploration(each, [], 0)),
  };
}

function delayGeneration(
  state: LoomState,
  ts: string,
  { generation, ...wait }: ContentOf<typeof GenerationWaiting>,
): LoomState {
  const open = state.openGenerations.map((each) =>
    each.request.generation === generation ? { ...each, waiting: extendWait(each.waiting, ts, wait) } : each,
  );
  return { ...state, openGenerations: open };
}

function stopGeneration(state: LoomState, { generation }: ContentOf<typeof GenerationStopped>): LoomState {
  const open = state.openGenerations.map((each) =>
    each.request.generation === generation ? { ...each, stopping: true as const } : each,
  );
  return { ...state, openGenerations: open };
}

function startExploration(state: LoomState, eventId: string, content: ContentOf<typeof ExplorationStarted>): LoomState {
  const frontier = [{ node: content.at, depth: 0, score: 0 }];
  const exploration: Exploration = {
    ...content,
    state: 'running',
    asked: eventId,
    nodesMade: 0,
    tokensUsed: 0,
    frontier,
  };
  return { ...state, explorations: [...state.explorations, exploration] };
}

function turnExploration(
  state: LoomState,
  eventId: string,
  { exploration, to }: ContentOf<typeof ExplorationTurned>,
): LoomState {
  if (to === 'running' || to === 'paused') {
    const withState = (each: Exploration) => ({ ...each, state: to, ...(to === 'running' && { asked: eventId }) });
    return { ...state, explorations: updateExploration(state, exploration, withState) };
  }
  return { ...state, explorations: state.explorations.filter((each) => each.exploration !== exploration) };
}

function updateExploration(
  { explorations }: LoomState,
  id: string | undefined,
  change: (exploration: Exploration) => Exploration,
): readonly Exploration[] {
  if (id === undefined) return explorations;
  return explorations.map((each) => (each.exploration === id ? change(each) : each));
}
