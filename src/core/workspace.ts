import { buildBringCommand } from './bring.ts';
import type { Context, Decision, Domain, Job, World } from './decider.ts';
import type { Event, Json, NewEvent } from './events/event.ts';
import { tolerantFold } from './events/tolerant-fold.ts';
import type { CommandOf, Mode, ModeCommand, ModeCommands, ModeContext, ThreadSeed } from './mode.ts';
import { type AnyMode, allModes, type Modes, modeOf, threadKinds } from './modes.ts';
import { addBroughtText } from './origin.ts';
import { isRefusal, refuse } from './refusal.ts';
import { withArticle } from './text/article.ts';
import { checkCanSend, checkCanSpeak, refuseNonHuman } from './threads/access/authority.ts';
import { type ConversationCommand, type ConversationInput, commandInputs } from './threads/commands.ts';
import { refuseUnknownThread } from './threads/decide.ts';
import { threads } from './threads/domain.ts';
import { isConversationType } from './threads/event-types.ts';
import { ThreadCreated } from './threads/events.ts';
import { participantKindOf, type ThreadState } from './threads/state.ts';
import type { ThreadSummary } from './threads/view/schema.ts';
import { getOwn } from './util/get-own.ts';

/** The state of a thread: the conversation, which every thread has, and what its kind adds. */
export interface State {
  readonly thread: ThreadState;
  /** State of the mode that belongs to the thread's kind; `modeState` gives it its type. */
  readonly mode?: unknown;
  /** Present only if the kind adds events of its own: the newest part of the conversation. */
  readonly conversation?: ConversationTail;
}

interface ConversationTail {
  /** Seqs of the newest events of the conversation. */
  readonly seqs: readonly number[];
  /** The newest message, task or result, and how many there were. */
  readonly last?: NonNullable<ThreadSummary['said']>;
}

/** How many of the newest conversation events keep their seqs in the state. */
const TAIL_LENGTH = 100;
const SPEECH_TYPES = new Set(['message', 'task', 'result']);

/** Seqs of the newest events of a thread's conversation, the oldest first. */
export function conversationSeqs({ conversation }: State, head: number): readonly number[] {
  const start = Math.max(0, head - TAIL_LENGTH);
  return conversation?.seqs ?? Array.from({ length: head - start }, (_, i) => start + 1 + i);
}

type ModeCommandOf<Kind extends keyof Modes> =
  Modes[Kind] extends Mode<infer _State, infer Commands, infer _Setup> ? CommandOf<Commands> : never;
export type Command = ConversationCommand | { [Kind in keyof Modes]: ModeCommandOf<Kind> }[keyof Modes];

/** The kinds of thread that have a command of this name. */
const kindsByCommand = new Map<string, string[]>();
for (const { kind, commands, aliases = {} } of allModes) {
  for (const name of [...Object.keys(commands), ...Object.keys(aliases)]) {
    if (name in commandInputs) throw new Error(`"${kind}" has a command "${name}", as every conversation has.`);
    kindsByCommand.set(name, [...(kindsByCommand.get(name) ?? []), kind]);
  }
}

/** The behaviour of the whole workspace: the conversation that every thread is, and the mode of its kind. */
export const workspace: Domain<State, Command, ThreadSummary> = {
  version: 8,
  initial: (thread) => ({ thread: threads.initial(thread) }),
  decide,
  evolve,
  // A later version may know the kind that this one does not, and then needs all events.
  shouldSnapshot: ({ thread }) => thread.kind === 'conversation',
  reactsTo: threads.reactsTo,
  canReact: threads.canReact,
  react: ({ thread }, event) => threads.react(thread, event),
  jobTriggers: new Set([
    'thread.created',
    ...threads.jobTriggers,
    'control',
    ...allModes.flatMap(({ events }) => events.map(({ type }) => type)),
  ]),
  jobs,
  summary,
};

/** State that the mode adds to a thread of this kind; undefined for a thread of another kind. */
export function modeState<Kind extends keyof Modes>(
  kind: Kind,
  { thread, mode }: State,
): ReturnType<Modes[Kind]['initial']> | undefined {
  return thread.kind === kind ? (mode as ReturnType<Modes[Kind]['initial']>) : undefined;
}

function decide(world: World<State>, command: Command, context: Context): Decision {
  if (kindsByCommand.has(command.name)) return decideByMode(world, command as CommandOf<ModeCommands>, context);
  const threadWorld: World<ThreadState> = { thread: (id) => world.thread(id)?.thread, seq: world.seq };
  if (command.name === 'bring')
    return checkCanSend(threadWorld, command as ConversationCommand, context) ?? bring(world, command.input, context);
  const decision = threads.decide(threadWorld, command as ConversationCommand, context);
  if (isRefusal(decision)) return decision;
  if (command.name === 'create') return withModeEvents(decision, command.input as CreateInput, context);
  return (command.name === 'fork' && refuseFork(world, command.input, context)) || decision;
}

function refuseFork(world: World<State>, { thread: id }: ConversationInput<'fork'>, { actor }: Context) {
  const kind = world.thread(id)?.thread.kind ?? '';
  if (modeOf(kind)?.forkAccess !== 'human' || actor.kind === 'human') return undefined;
  return refuse('forbidden', `Only a person may branch ${withArticle(kind)}.`, { thread: id });
}

/** Brings a text with the command that would post it, and records the origin in the first event. */
function bring(world: World<State>, input: ConversationInput<'bring'>, context: Context): Decision {
  const [target, source] = [world.thread(input.thread), world.thread(input.origin.thread)];
  if (!target?.thread.exists) return refuseUnknownThread(input.thread);
  if (!source?.thread.exists) return refuseUnknownThread(input.origin.thread);
  const command = buildBringCommand(input, target.thread, context);
  const decision = isRefusal(command) ? command : decide(world, command, context);
  if (isRefusal(decision))
    return refuse(decision.refusal.code, decision.refusal.message, { thread: input.thread, ...decision.refusal });
  return decision.map((event, i) => (i === 0 ? { ...event, meta: { ...event.meta, origin: input.origin } } : event));
}

/** The mode's own name of a command that may have come under an earlier one. */
export function commandNameIn({ commands, aliases }: AnyMode, name: string): string | undefined {
  return Object.hasOwn(commands, name) ? name : getOwn(aliases ?? {}, name);
}

function decideByMode(world: World<State>, sent: CommandOf<ModeCommands>, context: Context): Decision {
  const { thread: id } = sent.input;
  const state = world.thread(id);
  if (!state?.thread.exists) {
    return refuseUnknownThread(id);
  }
  const { kind, title } = state.thread;
  const mode = modeOf(kind);
  const name = mode && commandNameIn(mode, sent.name);
  if (!mode || name === undefined) {
    const kinds = kindsByCommand.get(sent.name)?.map(withArticle).join(' or ');
    return refuse('wrong_kind', `"${title}" is ${withArticle(kind)}; "${sent.name}" is for ${kinds}.`, { thread: id });
  }
  const command = { ...sent, name };
  // Participants who may not speak in a thread may not write in it either (T7); the results of jobs are kept in any
  // case.
  const { access } = mode.commands[command.name] as ModeCommand;
  const refusal = access !== 'internal' && checkCanSpeak(state.thread, context);
  if (refusal) return refusal;
  if (access === 'human' && context.actor.kind !== 'human') return refuseNonHuman(command.name, context, id);
  const decision = mode.decide(state.mode, command, modeContextOf(context, state.thread, world.seq(id)));
  if (!isRefusal(decision)) return decision;
  return refuse(decision.refusal.code, decision.refusal.message, { thread: id, ...decision.refusal });
}

interface CreateInput {
  readonly kind: ThreadState['kind'];
  readonly setup?: Json;
  readonly seed?: ThreadSeed;
}

/** Adds the first events of the mode to a new thread. */
function withModeEvents(
  decision: readonly NewEvent[],
  { kind, setup = {}, seed }: CreateInput,
  context: Context,
): Decision {
  const mode = modeOf(kind);
  if (!mode && kind !== 'conversation') {
    return refuse('malformed', `"${kind}" is not a kind of thread. The kinds are ${threadKinds.join(', ')}.`);
  }
  if (!mode) return decision;
  const parsed = mode.setup.safeParse(setup);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = ['setup', ...(issue?.path ?? [])].join('.');
    return refuse('malformed', `"${path}" is not valid for ${withArticle(kind)}: ${issue?.message}.`);
  }
  if (mode.setupAccess === 'human' && context.actor.kind !== 'human' && Object.keys(setup as object).length > 0) {
    return refuse(
      'forbidden',
      `Only a human may choose the settings of ${withArticle(kind)}. Create it without any, or ask a human.`,
      { participant: context.actor.id },
    );
  }
  const [first] = decision as readonly [NewEvent, ...NewEvent[]];
  const state = { ...threads.initial(first.thread), title: ThreadCreated.contentOf(first)?.title ?? '' };
  const modeEvents = mode.begin(parsed.data, modeContextOf(context, state, 0), seed);
  return isRefusal(modeEvents) ? modeEvents : [...decision, ...modeEvents];
}

function modeContextOf(context: Context, thread: ThreadState, seq: number): ModeContext {
  const { id, title, paused, participants } = thread;
  const nameOf = (participant: string) => getOwn(participants, participant)?.profile.nickname ?? participant;
  return {
    ...context,
    thread: { id, title, seq, paused, nameOf, kindOf: (participant) => participantKindOf(thread, participant) },
  };
}

const evolveThread = tolerantFold(threads.evolve);
const modeFolds = new Map(allModes.map((mode) => [mode.kind, tolerantFold(mode.evolve)]));

function evolve(state: State, event: Event): State {
  const thread = evolveThread(state.thread, event);
  const mode = modeOf(thread.kind);
  if (!mode) {
    if (event.meta.origin) return { thread: withBroughtText(thread, event, event.id) };
    return thread === state.thread ? state : { thread };
  }
  const { conversation = { seqs: [] } } = state;
  // A fork of a thread of another kind starts with a fresh mode state.
  const modeBefore = (thread.kind === state.thread.kind ? state.mode : undefined) ?? mode.initial();
  const modeState = modeFolds.get(mode.kind)?.(modeBefore, event);
  return {
    thread: event.meta.origin ? withBroughtText(thread, event, mode.placeOf(modeState, event) ?? event.id) : thread,
    mode: modeState,
    conversation: isConversationType(event.type) ? extendConversation(conversation, event) : conversation,
  };
}

function withBroughtText(thread: ThreadState, event: Event, at: string): ThreadState {
  return { ...thread, brought: addBroughtText(thread.brought, event, at) };
}

function extendConversation({ seqs, last }: ConversationTail, { type, seq, id, from, ts }: Event): ConversationTail {
  const newest = SPEECH_TYPES.has(type) ? { event: id, by: from, ts, count: (last?.count ?? 0) + 1 } : last;
  return { seqs: [...seqs.slice(1 - TAIL_LENGTH), seq], ...(newest && { last: newest }) };
}

function jobs({ thread, mode }: State): readonly Job[] {
  const threadJobs = threads.jobs(thread);
  const modeJobs = mode === undefined ? [] : (modeOf(thread.kind)?.jobs(mode) ?? []);
  return modeJobs.length === 0 ? threadJobs : [...threadJobs, ...modeJobs];
}

function summary(state: State): ThreadSummary {
  const { thread, mode, conversation } = state;
  const row = threads.summary(thread);
  const modeSummary = mode === undefined ? undefined : modeOf(thread.kind)?.summary(mode);
  const cast = mode === undefined ? undefined : modeOf(thread.kind)?.minds?.(mode);
  const working = jobs(state).length > 0;
  if (!working && modeSummary === undefined && !conversation?.last) return row;
  return {
    ...row,
    ...(conversation?.last && { said: conversation.last }),
    ...(working && { working }),
    ...(cast && { cast }),
    ...(modeSummary !== undefined && { about: modeSummary }),
  };
}
