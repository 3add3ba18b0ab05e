import type { AgentLimits } from './agent-limits.ts';
import type { Actor, Event, Json, NewEvent, ParticipantKind } from './events/event.ts';
import type { Refusal } from './refusal.ts';

/** Everything a decision may know besides the state: the core has no clock and no randomness of its own. */
export interface Context {
  readonly actor: Actor;
  readonly now: string;
  newId(): string;
  /** SHA-256 of a text, in hexadecimal. */
  hash(text: string): string;
  /** A number from 0 up to 1, exclusive. The outcome is written into the event. */
  random(): number;
  /** The kind of the credential with this id; undefined if there is no such credential (T22). */
  credentialKind(id: string): ParticipantKind | undefined;
  /** The spelling that the credential uses for an id, ignoring case; undefined if there is no such credential (T29). */
  spelling?(id: string): string | undefined;
  /** The clients and models that can run participants; if absent, profiles are not checked against them (T27). */
  runners?(): { readonly clients: readonly string[]; readonly models: readonly string[] };
  /** The currency of money in sentences; if absent, the default applies (C5). */
  currency?(): string;
  /** Limits for one agent; if absent, the defaults apply (T23). */
  agentLimits?(): AgentLimits;
}

export type Decision = readonly NewEvent[] | Refusal;

/**
 * The workspace as a decision sees it. A decision may look at any thread: if one is not loaded yet, the engine loads it
 * and runs the decision again, which is safe because decisions are pure.
 */
export interface World<State> {
  thread(id: string): State | undefined;
  /** The seq of the thread's newest event. */
  seq(id: string): number;
}

/** Work for the engine, as data. The key makes a retry harmless. */
export interface Effect<Command> {
  readonly key: string;
  readonly as: Actor;
  readonly command: Command;
}

/**
 * Long work that a thread's state requests: a generation, an iteration of a mind. The job is wanted for as long as the
 * state lists it; its result comes back as a command, after which the state no longer lists it. A key is never used
 * twice.
 */
export interface Job {
  readonly key: string;
  readonly kind: string;
  readonly input: Json;
  /** The event that originally requested the job. If a human wrote it, that human wanted the job (L25). */
  readonly rootEvent?: string;
  /** The job was stopped: it calls no model any more, reports what it has, and ends (W28). */
  readonly ending?: true;
}

/** Turns events into state. */
export interface Fold<State, Summary extends object = object> {
  /** Version of states and summaries. Snapshots of another version are ignored; rows of another version are rebuilt. */
  readonly version: number;
  initial(thread: string): State;
  evolve(state: State, event: Event): State;
  /** False if folding the state is faster than writing and reading a snapshot. */
  readonly shouldSnapshot?: (state: State) => boolean;
  /** The thread's row in the index: derived data, written in the same transaction. */
  summary(state: State): Summary;
}

/** The whole behaviour of a workspace: commands become events, events become state. */
export interface Domain<State, Command, Summary extends object = object> extends Fold<State, Summary> {
  decide(world: World<State>, command: Command, context: Context): Decision;
  /** Event types that may have effects. */
  readonly reactsTo: ReadonlySet<string>;
  /**
   * Whether this event may have effects. `react` is called for no others, because it needs a past state, which is
   * expensive.
   */
  canReact(event: Event): boolean;
  react(state: State, event: Event): readonly Effect<Command>[];
  /** Event types after which a thread's jobs may change. */
  readonly jobTriggers: ReadonlySet<string>;
  jobs(state: State): readonly Job[];
}
