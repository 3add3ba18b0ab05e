import type { z } from 'zod';
import type { Context, Decision, Job } from './decider.ts';
import type { EventDefinition } from './events/define.ts';
import type { Event, Json, ParticipantKind } from './events/event.ts';

/** The kinds of thread besides a plain conversation. */
export type ModeKind = 'dialogue' | 'exchange' | 'loom';

/** A command that a client may send to `/api/threads/:thread/commands/NAME`. */
export interface ModeCommand {
  /** One sentence for the API reference. */
  readonly summary: string;
  /** The input without the thread, which is in the address. */
  readonly input: z.ZodObject;
  /** Who may send the command. `internal`: only the workspace, to report the results of jobs. */
  readonly access: 'participant' | 'human' | 'internal';
}
export type ModeCommands = Readonly<Record<string, ModeCommand>>;

/** A command of a mode as `decide` gets it: the input includes the thread. */
export type CommandOf<Commands extends ModeCommands> = {
  [Name in keyof Commands & string]: {
    readonly name: Name;
    readonly input: { readonly thread: string } & z.infer<Commands[Name]['input']>;
  };
}[keyof Commands & string];

/** The text that a thread begins with. */
export interface ThreadSeed {
  /** How the text came to be, the oldest version first. */
  readonly versions: readonly {
    readonly text: string;
    readonly author: string;
    readonly kind: 'human' | 'model';
    readonly ts: string;
  }[];
  /** The text as a person would send it, together with what was said before it. */
  readonly message: string;
}

/** Facts about the thread that a mode may use. */
export interface ThreadFacts {
  readonly id: string;
  readonly title: string;
  readonly seq: number;
  readonly paused: boolean;
  /** The display name of a participant: its nickname, or its id. */
  nameOf(participant: string): string;
  kindOf(participant: string): ParticipantKind;
}

export interface ModeContext extends Context {
  readonly thread: ThreadFacts;
}

/**
 * A way of working: everything that threads of one kind add to a conversation. A mode sees every event of its threads,
 * including those of the conversation, and knows no other mode.
 */
export interface Mode<State, Commands extends ModeCommands, Setup extends z.ZodType = z.ZodType> {
  readonly kind: ModeKind;
  readonly events: readonly EventDefinition[];
  /** Command names are unique across all modes. */
  readonly commands: Commands;
  /** The options for creating such a thread, besides its title. */
  readonly setup: Setup;
  /**
   * Who may set these options: the same participants who may change the settings later, because the options choose and
   * instruct models (T22).
   */
  readonly setupAccess: 'human' | 'participant';
  /** The thread's first events, after `thread.created`. */
  begin(setup: z.infer<Setup>, context: ModeContext, seed?: ThreadSeed): Decision;
  initial(): State;
  /** A fork begins with its parent's state and its own `thread.created` (with `forked_from`). */
  evolve(state: State, event: Event): State;
  decide(state: State, command: CommandOf<Commands>, context: ModeContext): Decision;
  /** The mode's part of the thread's row in lists of threads: small, and written only when it changes. */
  summary(state: State): Json | undefined;
  jobs(state: State): readonly Job[];
}
