import type { Decision } from '../../decider.ts';
import type { NewEnvelope } from '../../events/define.ts';
import type { NewEvent } from '../../events/event.ts';
import type { ModeContext } from '../../mode.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import type { LoomCommand, LoomInput } from '../commands.ts';
import { planCommit } from '../commit-plan.ts';
import {
  ExplorationStarted,
  ExplorationTurned,
  GenerationFailed,
  GenerationFinished,
  GenerationRequested,
  GenerationStopped,
  GenerationWaiting,
} from '../events.ts';
import { hashOfContext } from '../graph/contexts.ts';
import { type Graph, ROOT } from '../graph/graph.ts';
import { pathOwner, positionOf, resolvePath } from '../graph/path.ts';
import { proofOf } from '../graph/proof.ts';
import { refuseOffPath, refuseUnknownNode } from '../refusals.ts';
import type { Exploration, LoomState } from '../state.ts';
import { splitAt } from '../structure/decide.ts';
import { advanceExploration, nextStep, noveltyOf } from './exploration.ts';

const MAX_CONCURRENT = 16;
const MAX_TOKENS = 65_536;
const DEFAULTS = { n: 3, max_tokens: 50, logprobs: 5 };

type GenerationCommand = Extract<
  LoomCommand,
  {
    name: 'generate' | 'stop' | 'explore' | 'turn_exploration' | 'report_wait' | 'report_generation' | 'report_failure';
  }
>;

export function decideGeneration(state: LoomState, command: LoomCommand, context: ModeContext): Decision {
  const generationCommand = command as GenerationCommand;
  switch (generationCommand.name) {
    case 'generate':
      return generate(state, generationCommand.input, context);
    case 'stop':
      return stop(state, generationCommand.input, context);
    case 'explore':
      return explore(state, generationCommand.input, context);
    case 'turn_exploration':
      return turnExploration(state, generationCommand.input, context);
    case 'report_wait':
      return wait(state, generationCommand.input, context);
    case 'report_generation':
      return finish(state, generationCommand.input, context);
    case 'report_failure':
      return fail(state, generationCommand.input, context);
  }
}

function generate(state: LoomState, input: LoomInput<'generate'>, context: ModeContext): Decision {
  const { thread: _, edits, text, after, at: target, offset, fill, ...sampling } = input;
  const request = { ...DEFAULTS, ...state.settings, ...withoutUndefined(sampling) };
  if (request.n * request.max_tokens > MAX_TOKENS) {
    return refuse(
      'malformed',
      `${request.n} continuations of ${request.max_tokens} tokens are too many at once; n × max_tokens may be ${MAX_TOKENS}.`,
    );
  }
  const refusal = checkConcurrency(state);
  if (refusal) return refusal;
  const prepared = prepareStart(state, { edits, text, after }, target, offset, context);
  if (isRefusal(prepared)) return prepared;
  const generation = context.newId();
  const content = { generation, at: prepared.at, requester: context.actor.id, ...request, fill: fill || undefined };
  return [...prepared.events, GenerationRequested.of(context.thread.id, content)];
}

function withoutUndefined<Fields extends object>(fields: Fields) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Fields]?: NonNullable<Fields[Key]> };
}

/** Commits pending changes, splits the node if requested, and returns the node to continue from (W16, W20). */
function prepareStart(
  state: LoomState,
  pending: Parameters<typeof planCommit>[1],
  target: string | undefined,
  offset: number | undefined,
  context: ModeContext,
): { readonly events: readonly NewEvent[]; readonly at: string } | Refusal {
  const plan = planCommit(state, pending, context);
  if (isRefusal(plan)) return plan;
  const { events, tip, versions } = plan;
  if (target === undefined) return { events, at: tip };
  const graph = state.graph.read();
  const node = graph.byId.get(target);
  if (node === undefined) return refuseUnknownNode(target);
  const resolved = resolvePath(graph, pathOwner(graph, context.actor.id, state.founder));
  const position = positionOf(resolved, graph.places[node] as number);
  if (position < 0) return refuseOffPath(target);
  const shownId = graph.ids[resolved.nodes[position] as number] as string;
  const length = graph.contents[resolved.nodes[position] as number]?.length ?? 0;
  if (offset === undefined || (offset === length && !versions.has(shownId)))
    return { events, at: versions.get(shownId) ?? shownId };
  if (offset === 0) return { events, at: position === 0 ? ROOT : idAt(graph, resolved.nodes, position - 1, versions) };
  if (events.length > 0) {
    return refuse('conflict', 'Commit pending changes first: positions within a node count in committed text.');
  }
  const splitResult = splitAt(state, shownId, offset, context);
  return isRefusal(splitResult) ? splitResult : { events: [splitResult.event], at: splitResult.prefix };
}

function idAt(graph: Graph, nodes: Int32Array, position: number, versions: ReadonlyMap<string, string>): string {
  const id = graph.ids[nodes[position] as number] as string;
  return versions.get(id) ?? id;
}

function checkConcurrency({ openGenerations: open }: LoomState): Refusal | undefined {
  if (open.filter(({ stopping }) => !stopping).length < MAX_CONCURRENT) return undefined;
  return refuse(
    'rate_limited',
    `${MAX_CONCURRENT} generations are already running in this loom. Wait for one, or stop one.`,
  );
}

function stop(state: LoomState, { generation }: LoomInput<'stop'>, context: ModeContext): Decision {
  const running = state.openGenerations.filter(({ stopping }) => !stopping);
  const targets = running.filter(({ request }) =>
    generation === undefined ? request.requester === context.actor.id : request.generation === generation,
  );
  return targets.map(({ request }) => GenerationStopped.of(context.thread.id, { generation: request.generation }));
}

/** Waits for a model that cannot answer now, until the generation is stopped (W32). */
function wait(state: LoomState, input: LoomInput<'report_wait'>, context: ModeContext): Decision {
  const { thread: _, blobs, ...content } = input;
  const open = state.openGenerations.find(({ request }) => request.generation === input.generation);
  return open && !open.stopping ? [GenerationWaiting.of(context.thread.id, content, blobs && { meta: { blobs } })] : [];
}

function finish(state: LoomState, input: LoomInput<'report_generation'>, context: ModeContext): Decision {
  const { thread: _, choices: reportedChoices, ...outcome } = input;
  const open = state.openGenerations.find(({ request }) => request.generation === input.generation);
  if (!open) return [];
  const graph = state.graph.read();
  const contextHash = hashOfContext(graph, open.context, context.hash);
  const provenance = { author: context.actor.id, kind: 'model', created: context.now } as const;
  const exploration = state.explorations.find((each) => each.exploration === open.request.exploration);
  const otherTexts = exploration?.rank === 'novelty' ? frontierTexts(graph, exploration) : [];
  const choices = reportedChoices.map((choice) => {
    const score = exploration?.rank === 'novelty' ? noveltyOf(choice.content, otherTexts) : choice.score;
    otherTexts.push(choice.content);
    const proof = proofOf(choice.content, contextHash, { ...provenance, raw: choice.raw ?? outcome.raw }, context.hash);
    return { ...choice, ...(score !== undefined && { score }), node: context.newId(), ...proof };
  });
  const shown = exploration ? 0 : indexToShow(reportedChoices);
  const envelope = envelopeFor([outcome.raw, ...reportedChoices.map(({ raw }) => raw)]);
  const scoredNodes = choices.map(({ node, score = 0 }) => ({ node, score }));
  const next = exploration && advanceExploration(exploration, scoredNodes, outcome.usage?.generated ?? 0);
  return [
    GenerationFinished.of(context.thread.id, { ...outcome, at: open.request.at, choices, shown }, envelope),
    ...(next ? continueExploration(next, state, context) : []),
  ];
}

/** The first complete choice, or, if none is complete, the first that is not blank (W4). */
function indexToShow(choices: LoomInput<'report_generation'>['choices']): number {
  const hasText = ({ content }: (typeof choices)[number]) => content.trim() !== '';
  const firstComplete = choices.findIndex(
    (choice) => hasText(choice) && !choice.withheld && (choice.finish === 'stop' || choice.finish === 'length'),
  );
  return Math.max(0, firstComplete >= 0 ? firstComplete : choices.findIndex(hasText));
}

function envelopeFor(raws: readonly (string | undefined)[]): NewEnvelope | undefined {
  const blobs = new Set(raws.filter((raw) => raw !== undefined));
  return blobs.size > 0 ? { meta: { blobs: [...blobs] } } : undefined;
}

function frontierTexts(graph: Graph, { frontier }: Exploration): string[] {
  return frontier.slice(-256).map(({ node }) => graph.contents[graph.byId.get(node) ?? 0] as string);
}

function fail(state: LoomState, input: LoomInput<'report_failure'>, context: ModeContext): Decision {
  const { thread: _, ...content } = input;
  const open = state.openGenerations.find(({ request }) => request.generation === input.generation);
  if (!open) return [];
  const { id } = context.thread;
  const failedEvent = GenerationFailed.of(id, content, envelopeFor([input.raw]));
  const exploration = state.explorations.find((each) => each.exploration === open.request.exploration);
  // A failure is likely to repeat, so the exploration pauses until someone looks at it.
  if (!exploration) return [failedEvent];
  return [
    failedEvent,
    ExplorationTurned.of(id, { exploration: exploration.exploration, to: 'paused', reason: input.message }),
  ];
}

function explore(state: LoomState, input: LoomInput<'explore'>, context: ModeContext): Decision {
  const { thread: _, edits, text, after, at: target, ...limits } = input;
  const refusal = checkConcurrency(state);
  if (refusal) return refusal;
  const prepared = prepareStart(state, { edits, text, after }, target, undefined, context);
  if (isRefusal(prepared)) return prepared;
  const content = { exploration: context.newId(), at: prepared.at, requester: context.actor.id, ...limits };
  const exploration: Exploration = {
    ...content,
    state: 'running',
    asked: '',
    nodesMade: 0,
    tokensUsed: 0,
    frontier: [{ node: prepared.at, depth: 0, score: 0 }],
  };
  return [
    ...prepared.events,
    ExplorationStarted.of(context.thread.id, content),
    ...continueExploration(exploration, state, context),
  ];
}

function turnExploration(
  state: LoomState,
  { exploration: id, to }: LoomInput<'turn_exploration'>,
  context: ModeContext,
): Decision {
  const exploration = state.explorations.find((each) => each.exploration === id);
  if (!exploration) return refuse('conflict', `There is no running exploration ${id} in this loom.`);
  if (exploration.state === to) return [];
  const turnedEvent = ExplorationTurned.of(context.thread.id, { exploration: id, to });
  const generation = exploration.step?.generation;
  if (to === 'stopped' && generation !== undefined)
    return [turnedEvent, GenerationStopped.of(context.thread.id, { generation })];
  return to === 'running'
    ? [turnedEvent, ...continueExploration({ ...exploration, state: 'running' }, state, context)]
    : [turnedEvent];
}

/** Starts the next generation of an exploration or ends it; does nothing while it is paused or generating. */
function continueExploration(
  exploration: Exploration,
  { settings }: LoomState,
  context: ModeContext,
): readonly NewEvent[] {
  if (exploration.state !== 'running' || exploration.step) return [];
  const next = nextStep(exploration);
  const id = exploration.exploration;
  if ('over' in next)
    return [ExplorationTurned.of(context.thread.id, { exploration: id, to: 'finished', reason: next.over })];
  const generation = context.newId();
  const { requester, max_tokens, temperature = settings.temperature, model = settings.model } = exploration;
  const sampling = { n: next.n, max_tokens, temperature, model, logprobs: DEFAULTS.logprobs, system: settings.system };
  return [
    GenerationRequested.of(context.thread.id, { generation, at: next.node, requester, exploration: id, ...sampling }),
  ];
}
