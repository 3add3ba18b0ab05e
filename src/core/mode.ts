import type { z } from 'zod';
import type { Context, Decision, Job } from './decider.ts';
import type { EventDefinition } from './events/define.ts';
import type { Event, Json, ParticipantKind } from './events/event.ts';

/** What a thread can be besides a conversation. */
export type ModeKind = 'dialogue' | 'exchange' | 'loom';

/** One wish a client may send to `/api/threads/:thread/commands/NAME`. */
export interface ModeCommand {
  /** A sentence for the reference. */
  readonly summary: string;
  /** Without the thread, which the address names. */
  readonly input: z.ZodObject;
  /** Who may send it; the workspace itself reports the results of jobs. */
  readonly access: 'participant' | 'human' | 'internal';
}
export type ModeCommands = Readonly<Record<string, ModeCommand>>;

/** A command of a mode as it is decided: its input has the thread with it. */
export type CommandOf<Commands extends ModeCommands> = {
  [Name in keyof Commands & string]: {
    readonly name: Name;
    readonly input: { readonly thread: string } & z.infer<Commands[Name]['input']>;
  };
}[keyof Commands & string];

/** Somebody's words that a thread begins with. */
export interface ThreadSeed {
  /** How they came to be, the oldest first. */
  readonly versions: readonly {
    readonly text: string;
    readonly author: string;
    readonly kind: 'human' | 'model';
    readonly ts: string;
  }[];
  /** The same as a person would say it: with what was said before it. */
  readonly message: string;
}

/** What a mode may know of the thread it is in. */
export interface ThreadFacts {
  readonly id: string;
  readonly title: string;
  readonly seq: number;
  readonly paused: boolean;
  /** What others call a participant: its nickname, or its id. */
  nameOf(participant: string): string;
  kindOf(participant: string): ParticipantKind;
}

export interface ModeContext extends Context {
  readonly thread: ThreadFacts;
}

/**
 * A way of working: what threads of one kind add to a conversation. It sees
 * every event of its threads, those of the conversation included, and knows no
 * other mode.
 */
export interface Mode<State, Commands extends ModeCommands, Setup extends z.ZodType = z.ZodType> {
  readonly kind: ModeKind;
  readonly events: readonly EventDefinition[];
  /** Names are unique among all modes. */
  readonly commands: Commands;
  /** What creating such a thread may say besides its title. */
  readonly setup: Setup;
  /** Who may say any of it: models are chosen and instructed by whoever may change the settings later (T22). */
  readonly setupAccess: 'human' | 'participant';
  /** The thread's first events, behind `thread.created`. */
  begin(setup: z.infer<Setup>, context: ModeContext, seed?: ThreadSeed): Decision;
  initial(): State;
  /** A fork begins with its parent's state and its own `thread.created` (with `forked_from`). */
  evolve(state: State, event: Event): State;
  decide(state: State, command: CommandOf<Commands>, context: ModeContext): Decision;
  /** Kept small and written only when it changes: what a list of threads tells of this one. */
  summary(state: State): Json | undefined;
  jobs(state: State): readonly Job[];
}
