import type { Actor, Event, Json, NewEvent } from './event.ts';
import type { Refusal } from './refusal.ts';

/** What a decision may know besides the state: the core has no clock and no chance of its own. */
export interface Context {
  readonly actor: Actor;
  readonly now: string;
  newId(): string;
}

export type Decision = readonly NewEvent[] | Refusal;

/** The threads a command asked to see, as they are at this moment. */
export interface World<State> {
  thread(id: string): State | undefined;
}

/** Work for the engine, as data. Its key makes a second try harmless. */
export interface Effect<Command> {
  readonly key: string;
  readonly as: Actor;
  readonly command: Command;
}

/** The whole behaviour of a workspace: commands become events, events become state. */
export interface Domain<State, Command> {
  /** Snapshots of another version are ignored. */
  readonly version: number;
  initial(thread: string): State;
  touches(command: Command): readonly string[];
  decide(world: World<State>, command: Command, context: Context): Decision;
  evolve(state: State, event: Event): State;
  react(state: State, event: Event): readonly Effect<Command>[];
  /** The thread's row in the index: derived, kept in the same transaction. */
  summary(state: State): Json;
}
