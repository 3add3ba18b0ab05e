import type { Decision } from '../../decider.ts';
import type { Meta, NewEvent } from '../../events/event.ts';
import type { ModeContext } from '../../mode.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import type { InputOf, LoomCommand } from '../commands.ts';
import { emit, notOnPath, unknownNode } from '../emit.ts';
import { hashOfContext } from '../graph/contexts.ts';
import { type Graph, ROOT } from '../graph/graph.ts';
import { ownerOf, positionOf, resolve } from '../graph/path.ts';
import { proofOf } from '../graph/proof.ts';
import { pendingEvents } from '../pending.ts';
import type { Exploration, LoomState } from '../state.ts';
import { splitAt } from '../structure/decide.ts';
import { advanced, nextStep, novelty } from './exploration.ts';

const MOST_AT_ONCE = 16;
const MOST_TOKENS = 65_536;
const DEFAULTS = { n: 3, max_tokens: 50, logprobs: 5 };
type Asked = typeof DEFAULTS;

type GenerationCommand = Extract<
  LoomCommand,
  {
    name:
      | 'generate'
      | 'stop'
      | 'explore'
      | 'turn_exploration'
      | 'generation_wait'
      | 'generation_finish'
      | 'generation_fail';
  }
>;

export function decideGeneration(state: LoomState, command: LoomCommand, context: ModeContext): Decision {
  const wish = command as GenerationCommand;
  switch (wish.name) {
    case 'generate':
      return generate(state, wish.input, context);
    case 'stop':
      return stop(state, wish.input, context);
    case 'explore':
      return explore(state, wish.input, context);
    case 'turn_exploration':
      return turn(state, wish.input, context);
    case 'generation_wait':
      return wait(state, wish.input, context);
    case 'generation_finish':
      return finish(state, wish.input, context);
    case 'generation_fail':
      return fail(state, wish.input, context);
  }
}

function generate(state: LoomState, input: InputOf<'generate'>, context: ModeContext): Decision {
  const { thread: _, edits, text, after, at: wanted, offset, fill, ...wishes } = input;
  const given = Object.fromEntries(Object.entries(wishes).filter(([, value]) => value !== undefined));
  const asked: Asked = { ...DEFAULTS, ...(state.settings as Partial<Asked>), ...given };
  if (asked.n * asked.max_tokens > MOST_TOKENS) {
    return refuse(
      'malformed',
      `${asked.n} continuations of ${asked.max_tokens} tokens are too many at once; n × max_tokens may be ${MOST_TOKENS}.`,
    );
  }
  const full = atOnce(state);
  if (full) return full;
  const start = beginning(state, { edits, text, after }, wanted, offset, context);
  if (isRefusal(start)) return start;
  const generation = context.newId();
  const more = { generation, at: start.at, requester: context.actor.id, ...asked, ...(fill && { fill: true }) };
  return [...start.events, emit(context, 'generation.requested', more)];
}

/** Commits what is pending, splits where that is asked for, and tells the node to go on from (W16, W20). */
function beginning(
  state: LoomState,
  pending: Parameters<typeof pendingEvents>[1],
  wanted: string | undefined,
  offset: number | undefined,
  context: ModeContext,
): { readonly events: readonly NewEvent[]; readonly at: string } | Refusal {
  const committing = pendingEvents(state, pending, context);
  if (isRefusal(committing)) return committing;
  const { events, tip, versions } = committing;
  if (wanted === undefined) return { events, at: tip };
  const graph = state.graph.look();
  const node = graph.byId.get(wanted);
  if (node === undefined) return unknownNode(wanted);
  const resolved = resolve(graph, ownerOf(graph, context.actor.id, state.founder));
  const position = positionOf(resolved, graph.places[node] as number);
  if (position < 0) return notOnPath(wanted);
  const shown = graph.ids[resolved.nodes[position] as number] as string;
  const length = graph.contents[resolved.nodes[position] as number]?.length ?? 0;
  if (offset === undefined || (offset === length && !versions.has(shown)))
    return { events, at: versions.get(shown) ?? shown };
  if (offset === 0) return { events, at: position === 0 ? ROOT : idAt(graph, resolved.nodes, position - 1, versions) };
  if (events.length > 0) {
    return refuse('conflict', 'Commit what is pending first: a place within a node is counted in committed text.');
  }
  const cut = splitAt(state, shown, offset, context);
  return isRefusal(cut) ? cut : { events: [cut.event], at: cut.prefix };
}

function idAt(graph: Graph, nodes: Int32Array, position: number, versions: ReadonlyMap<string, string>): string {
  const id = graph.ids[nodes[position] as number] as string;
  return versions.get(id) ?? id;
}

function atOnce({ open }: LoomState): Refusal | undefined {
  if (open.filter(({ stopping }) => !stopping).length < MOST_AT_ONCE) return undefined;
  return refuse('rate_limited', `${MOST_AT_ONCE} generations are under way in this loom. Wait for one, or stop one.`);
}

function stop(state: LoomState, { generation }: InputOf<'stop'>, context: ModeContext): Decision {
  const running = state.open.filter(({ stopping }) => !stopping);
  const meant = running.filter(({ request }) =>
    generation === undefined ? request.requester === context.actor.id : request.generation === generation,
  );
  return meant.map(({ request }) => emit(context, 'generation.stopped', { generation: request.generation }));
}

/** A model that cannot answer now is waited for, as long as its text is wanted (W32). */
function wait(state: LoomState, input: InputOf<'generation_wait'>, context: ModeContext): Decision {
  const { thread: _, blobs, ...content } = input;
  const open = state.open.find(({ request }) => request.generation === input.generation);
  return open && !open.stopping ? [emit(context, 'generation.waiting', content, blobs && { blobs })] : [];
}

function finish(state: LoomState, input: InputOf<'generation_finish'>, context: ModeContext): Decision {
  const { thread: _, choices: given, ...outcome } = input;
  const open = state.open.find(({ request }) => request.generation === input.generation);
  if (!open) return [];
  const graph = state.graph.look();
  const before = hashOfContext(graph, open.context, context.hash);
  const who = { author: context.actor.id, kind: 'model', created: context.now } as const;
  const exploration = state.explorations.find((each) => each.exploration === open.request.exploration);
  const others = exploration?.rank === 'novelty' ? textsOf(graph, exploration) : [];
  const choices = given.map((choice) => {
    const score = exploration?.rank === 'novelty' ? novelty(choice.content, others) : choice.score;
    others.push(choice.content);
    const proof = proofOf(choice.content, before, { ...who, raw: choice.raw ?? outcome.raw }, context.hash);
    return { ...choice, ...(score !== undefined && { score }), node: context.newId(), ...proof };
  });
  const shown = exploration ? 0 : shownOf(given);
  const content = { ...outcome, at: open.request.at, choices, ...(shown > 0 && { shown }) };
  const blobs = blobsOf([outcome.raw, ...given.map(({ raw }) => raw)]);
  const made = choices.map(({ node, score = 0 }) => ({ node, score }));
  const next = exploration && advanced(exploration, made, outcome.usage?.generated ?? 0);
  return [emit(context, 'generation.finished', content, blobs), ...(next ? goOn(next, state, context) : [])];
}

/** The first whole text; where none is whole, the first that is not blank (W4). */
function shownOf(choices: InputOf<'generation_finish'>['choices']): number {
  const isText = ({ content }: (typeof choices)[number]) => content.trim() !== '';
  const whole = choices.findIndex(
    (choice) => isText(choice) && !choice.withheld && (choice.finish === 'stop' || choice.finish === 'length'),
  );
  return Math.max(0, whole >= 0 ? whole : choices.findIndex(isText));
}

function blobsOf(raws: readonly (string | undefined)[]): Meta | undefined {
  const blobs = new Set(raws.filter((raw) => raw !== undefined));
  return blobs.size > 0 ? { blobs: [...blobs] } : undefined;
}

function textsOf(graph: Graph, { frontier }: Exploration): string[] {
  return frontier.slice(-256).map(({ node }) => graph.contents[graph.byId.get(node) ?? 0] as string);
}

function fail(state: LoomState, input: InputOf<'generation_fail'>, context: ModeContext): Decision {
  const { thread: _, ...content } = input;
  const open = state.open.find(({ request }) => request.generation === input.generation);
  if (!open) return [];
  const blobs = blobsOf([input.raw]);
  const failed = emit(context, 'generation.failed', content, blobs);
  const exploration = state.explorations.find((each) => each.exploration === open.request.exploration);
  // What failed once would fail again: an exploration rests until someone looks.
  if (!exploration) return [failed];
  return [
    failed,
    emit(context, 'exploration.turned', { exploration: exploration.exploration, to: 'paused', reason: input.message }),
  ];
}

function explore(state: LoomState, input: InputOf<'explore'>, context: ModeContext): Decision {
  const { thread: _, edits, text, after, at: wanted, ...limits } = input;
  const full = atOnce(state);
  if (full) return full;
  const start = beginning(state, { edits, text, after }, wanted, undefined, context);
  if (isRefusal(start)) return start;
  const content = { exploration: context.newId(), at: start.at, requester: context.actor.id, ...limits };
  const begun: Exploration = {
    ...content,
    state: 'running',
    asked: '',
    made: 0,
    used: 0,
    frontier: [{ node: start.at, depth: 0, score: 0 }],
  };
  return [...start.events, emit(context, 'exploration.started', content), ...goOn(begun, state, context)];
}

function turn(state: LoomState, { exploration: id, to }: InputOf<'turn_exploration'>, context: ModeContext): Decision {
  const found = state.explorations.find((each) => each.exploration === id);
  if (!found) return refuse('conflict', `There is no exploration ${id} under way in this loom.`);
  if (found.state === to) return [];
  const turned = emit(context, 'exploration.turned', { exploration: id, to });
  const generation = found.step?.generation;
  if (to === 'stopped' && generation !== undefined)
    return [turned, emit(context, 'generation.stopped', { generation })];
  return to === 'running' ? [turned, ...goOn({ ...found, state: 'running' }, state, context)] : [turned];
}

/** The next generation of an exploration, or its end; nothing while it is paused or one is under way. */
function goOn(exploration: Exploration, { settings }: LoomState, context: ModeContext): readonly NewEvent[] {
  if (exploration.state !== 'running' || exploration.step) return [];
  const next = nextStep(exploration);
  const id = exploration.exploration;
  if ('over' in next)
    return [emit(context, 'exploration.turned', { exploration: id, to: 'finished', reason: next.over })];
  const generation = context.newId();
  const { requester, max_tokens, temperature = settings.temperature, model = settings.model } = exploration;
  const asked = { n: next.n, max_tokens, temperature, model, logprobs: DEFAULTS.logprobs, system: settings.system };
  return [emit(context, 'generation.requested', { generation, at: next.node, requester, exploration: id, ...asked })];
}
