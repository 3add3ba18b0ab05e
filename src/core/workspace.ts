import { bringing } from './bring.ts';
import type { Context, Decision, Domain, Job, World } from './decider.ts';
import type { Event, Json, NewEvent } from './events/event.ts';
import { total } from './events/tolerant-fold.ts';
import type { CommandOf, Mode, ModeCommand, ModeCommands, ModeContext, ModeKind, Seed } from './mode.ts';
import { modes } from './modes.ts';
import { isRefusal, refuse } from './refusal.ts';
import { withArticle } from './text/article.ts';
import { humansOnly, mayAct, silencedBy } from './threads/access/authority.ts';
import type { InputOf, Command as ThreadCommand } from './threads/commands.ts';
import { unknownThread } from './threads/decide.ts';
import { threads } from './threads/domain.ts';
import { isOfConversation } from './threads/event-types.ts';
import { kindOf, type ThreadState } from './threads/state.ts';
import { own } from './util/get-own.ts';

/** A thread: the conversation that every thread is, and what its kind adds. */
export interface State {
  readonly thread: ThreadState;
  /** Of the kind the thread has; `modeState` tells its type. */
  readonly mode?: unknown;
  /** Where the kind adds events of its own: what was said beside its work. */
  readonly said?: Said;
}

interface Said {
  /** Of the newest events of the conversation. */
  readonly seqs: readonly number[];
  /** The newest that is somebody's words, and how many there were. */
  readonly last?: { readonly event: string; readonly by: string; readonly ts: string; readonly count: number };
}

/** So much of what was said is known by its seqs. */
const SAID = 100;
const WORDS = new Set(['message', 'task', 'result']);

/** The newest events of the conversation that a thread is, the oldest first, by their seqs. */
export function saidSeqs({ said }: State, head: number): readonly number[] {
  const before = Math.max(0, head - SAID);
  return said?.seqs ?? Array.from({ length: head - before }, (_, i) => before + 1 + i);
}

type Modes = typeof modes;
type ModeCommandOf<Kind extends keyof Modes> =
  Modes[Kind] extends Mode<infer _State, infer Commands, infer _Setup> ? CommandOf<Commands> : never;
export type Command = ThreadCommand | { [Kind in keyof Modes]: ModeCommandOf<Kind> }[keyof Modes];

type AnyMode = Mode<unknown, ModeCommands>;

const every = Object.values(modes) as unknown as readonly AnyMode[];
const byCommand = new Map<string, AnyMode>();
for (const mode of every) {
  for (const name of Object.keys(mode.commands)) {
    if (byCommand.has(name)) throw new Error(`The command "${name}" is defined by two modes.`);
    byCommand.set(name, mode);
  }
}

/** Everything a workspace does: the conversation every thread is, and the mode of its kind. */
export const workspace: Domain<State, Command> = {
  version: 6,
  initial: (thread) => ({ thread: threads.initial(thread) }),
  decide,
  evolve,
  worthKeeping: ({ mode }) => mode === undefined,
  reactsTo: threads.reactsTo,
  mayFollow: threads.mayFollow,
  react: ({ thread }, event) => threads.react(thread, event),
  worksAfter: new Set([
    'thread.created',
    ...threads.worksAfter,
    'control',
    ...every.flatMap(({ events }) => events.map(({ type }) => type)),
  ]),
  jobs,
  summary,
};

/** What a thread of this kind adds to a conversation; undefined for one of another kind. */
export function modeState<Kind extends keyof Modes>(
  kind: Kind,
  { thread, mode }: State,
): ReturnType<Modes[Kind]['initial']> | undefined {
  return thread.kind === kind ? (mode as ReturnType<Modes[Kind]['initial']>) : undefined;
}

function decide(world: World<State>, command: Command, context: Context): Decision {
  const mode = byCommand.get(command.name);
  if (mode) return decideMode(mode, world, command as CommandOf<ModeCommands>, context);
  const seen: World<ThreadState> = { thread: (id) => world.thread(id)?.thread, seq: world.seq };
  if (command.name === 'bring')
    return mayAct(seen, command as ThreadCommand, context) ?? bring(world, command.input, context);
  const decision = threads.decide(seen, command as ThreadCommand, context);
  return command.name === 'create' ? withBeginning(decision, command.input as Creation, context) : decision;
}

/** The words are brought as they would be said; that they were is written beside them. */
function bring(world: World<State>, input: InputOf<'bring'>, context: Context): Decision {
  const [into, from] = [world.thread(input.thread), world.thread(input.origin.thread)];
  if (!into?.thread.exists) return unknownThread(input.thread);
  if (!from?.thread.exists) return unknownThread(input.origin.thread);
  const command = bringing(input, into.thread, context);
  const decision = isRefusal(command) ? command : decide(world, command, context);
  if (isRefusal(decision))
    return refuse(decision.refusal.code, decision.refusal.message, { thread: input.thread, ...decision.refusal });
  return decision.map((event, i) => (i === 0 ? { ...event, meta: { ...event.meta, origin: input.origin } } : event));
}

function decideMode(mode: AnyMode, world: World<State>, command: CommandOf<ModeCommands>, context: Context): Decision {
  const { thread: id } = command.input;
  const state = world.thread(id);
  if (!state?.thread.exists) {
    return unknownThread(id);
  }
  const { kind, title } = state.thread;
  if (kind !== mode.kind) {
    return refuse(
      'wrong_kind',
      `"${title}" is ${withArticle(kind)}; "${command.name}" is for ${withArticle(mode.kind)}.`,
      { thread: id },
    );
  }
  // Who may not speak in a thread may not write in it either (T7); what a job reports is kept all the same.
  const { access } = mode.commands[command.name] as ModeCommand;
  const silenced = access !== 'internal' && silencedBy(state.thread, context);
  if (silenced) return silenced;
  if (access === 'human' && context.actor.kind !== 'human') return humansOnly(command.name, context, id);
  const decision = mode.decide(state.mode, command, within(context, state.thread, world.seq(id)));
  if (!isRefusal(decision)) return decision;
  return refuse(decision.refusal.code, decision.refusal.message, { thread: id, ...decision.refusal });
}

interface Creation {
  readonly kind: ThreadState['kind'];
  readonly setup?: Json;
  readonly seed?: Seed;
}

/** A thread of a kind begins with what its mode makes of the setup. */
function withBeginning(decision: Decision, { kind, setup = {}, seed }: Creation, context: Context): Decision {
  const mode = modeOf(kind);
  if (isRefusal(decision) || !mode) return decision;
  const parsed = mode.setup.safeParse(setup);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = ['setup', ...(issue?.path ?? [])].join('.');
    return refuse('malformed', `"${where}" is not acceptable for ${withArticle(kind)}: ${issue?.message}.`);
  }
  if (mode.setupBy === 'human' && context.actor.kind !== 'human' && Object.keys(setup as object).length > 0) {
    return refuse(
      'forbidden',
      `Only a human chooses the settings of ${withArticle(kind)}. Create it without any, or ask a human.`,
      { participant: context.actor.id },
    );
  }
  const [first] = decision as readonly [NewEvent];
  const state = { ...threads.initial(first.thread), ...(first.content as { title: string }) };
  const beginning = mode.begin(parsed.data, within(context, state, 0), seed);
  return isRefusal(beginning) ? beginning : [...decision, ...beginning];
}

function within(context: Context, thread: ThreadState, seq: number): ModeContext {
  const { id, title, paused, participants } = thread;
  const nameOf = (participant: string) => own(participants, participant)?.profile.nickname ?? participant;
  return {
    ...context,
    thread: { id, title, seq, paused, nameOf, kindOf: (participant) => kindOf(thread, participant) },
  };
}

const evolveThread = total(threads.evolve);
const evolveMode = new Map(every.map((mode) => [mode.kind, total(mode.evolve)]));

function evolve(state: State, event: Event): State {
  const thread = evolveThread(state.thread, event);
  const mode = modeOf(thread.kind);
  if (!mode) return thread === state.thread ? state : { thread };
  const { said = { seqs: [] } } = state;
  // A fork of a thread of another kind has nothing of it to go on with.
  const before = (thread.kind === state.thread.kind ? state.mode : undefined) ?? mode.initial();
  return {
    thread,
    mode: evolveMode.get(mode.kind)?.(before, event),
    said: isOfConversation(event.type) ? saidWith(said, event) : said,
  };
}

function saidWith({ seqs, last }: Said, { type, seq, id, from, ts }: Event): Said {
  const known = WORDS.has(type) ? { event: id, by: from, ts, count: (last?.count ?? 0) + 1 } : last;
  return { seqs: [...seqs.slice(1 - SAID), seq], ...(known && { last: known }) };
}

function jobs({ thread, mode }: State): readonly Job[] {
  const answers = threads.jobs(thread);
  const own = mode === undefined ? [] : (modeOf(thread.kind)?.jobs(mode) ?? []);
  return own.length === 0 ? answers : [...answers, ...own];
}

function summary(state: State): Json {
  const { thread, mode, said } = state;
  const row = threads.summary(thread) as { readonly [key: string]: Json };
  const told = mode === undefined ? undefined : modeOf(thread.kind)?.summary(mode);
  const working = jobs(state).length > 0;
  if (!working && told === undefined && !said?.last) return row;
  return {
    ...row,
    ...(said?.last && { said: said.last }),
    ...(working && { working }),
    ...(told !== undefined && { about: told }),
  };
}

function modeOf(kind: ThreadState['kind']): AnyMode | undefined {
  if (!Object.hasOwn(modes, kind)) return undefined;
  return modes[kind as ModeKind & keyof Modes] as unknown as AnyMode;
}
