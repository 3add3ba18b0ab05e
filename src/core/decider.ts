import type { AgentLimits } from './agent-limits.ts';
import type { Actor, Event, Json, NewEvent, ParticipantKind } from './events/event.ts';
import type { Refusal } from './refusal.ts';

/** What a decision may know besides the state: the core has no clock and no chance of its own. */
export interface Context {
  readonly actor: Actor;
  readonly now: string;
  newId(): string;
  /** SHA-256 of a text, in hexadecimal. */
  hash(text: string): string;
  /** From 0 up to 1; what it decides is written into the event. */
  random(): number;
  /** What kind of credential this id holds; undefined when it holds none (T22). */
  credentialKind(id: string): ParticipantKind | undefined;
  /** An id as its credential spells it, whatever its case here; undefined when it holds none (T29). */
  spelling?(id: string): string | undefined;
  /** What participants can be run by; unless said, nothing is checked (T27). */
  runners?(): { readonly clients: readonly string[]; readonly models: readonly string[] };
  /** What one agent may do here; the usual unless said (T23). */
  agentLimits?(): AgentLimits;
}

export type Decision = readonly NewEvent[] | Refusal;

/**
 * The workspace as a decision sees it. A decision may look at any thread: one
 * that is not loaded yet is fetched and the decision, being pure, made again.
 */
export interface World<State> {
  thread(id: string): State | undefined;
  /** The seq of the thread's newest event. */
  seq(id: string): number;
}

/** Work for the engine, as data. Its key makes a second try harmless. */
export interface Effect<Command> {
  readonly key: string;
  readonly as: Actor;
  readonly command: Command;
}

/**
 * Long work that a thread's state asks for: a generation, an iteration of a mind. It is wanted for as long as the state
 * says so; its result comes back as a command, after which the state no longer asks. A key is never used twice.
 */
export interface Job {
  readonly key: string;
  readonly kind: string;
  readonly input: Json;
  /** The event by which it was asked for in the end: where it is a human's, that human wanted it (L25). */
  readonly rootEvent?: string;
  /** It was stopped: no model is asked for it any more, what there is of it is reported, and it is over (W28). */
  readonly ending?: true;
}

/** Events become state. */
export interface Fold<State, Summary extends object = object> {
  /** Of states and summaries: snapshots of another version are ignored, rows of another version are made anew. */
  readonly version: number;
  initial(thread: string): State;
  evolve(state: State, event: Event): State;
  /** False where a state is folded faster than it would be written and read again. */
  readonly shouldSnapshot?: (state: State) => boolean;
  /** The thread's row in the index: derived, kept in the same transaction. */
  summary(state: State): Summary;
}

/** The whole behaviour of a workspace: commands become events, events become state. */
export interface Domain<State, Command, Summary extends object = object> extends Fold<State, Summary> {
  decide(world: World<State>, command: Command, context: Context): Decision;
  /** The types of event that something may follow from. */
  readonly reactsTo: ReadonlySet<string>;
  /** Whether something may follow from this one: `react` is asked about no others, as a state of back then is dear. */
  canReact(event: Event): boolean;
  react(state: State, event: Event): readonly Effect<Command>[];
  /** The types of event after which a thread may want other jobs than before. */
  readonly jobTriggers: ReadonlySet<string>;
  jobs(state: State): readonly Job[];
}
