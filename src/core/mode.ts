import type { z } from 'zod';
import type { Context, Decision, Job } from './decider.ts';
import type { EventDefinition } from './events/define.ts';
import type { Event, Json, ParticipantKind } from './events/event.ts';
import type { BringWay, BroughtInput } from './origin.ts';
import type { RefusalCode, RefusalDetail } from './refusal.ts';
import type { SearchText } from './search/kinds.ts';
import type { ThreadMind } from './threads/view/schema.ts';

export type { ThreadMind };

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

/** A text at a place of a thread, and the events that wrote it. */
export interface TextSource {
  /** The place as links name it; one place may have several names. */
  readonly at: string;
  /** What it is, as a noun: "draft", "thought". */
  readonly what: string;
  /** Oldest first; the last is the current text. */
  readonly versions: readonly [SourceVersion, ...SourceVersion[]];
  /** The text before it, where the thread is one long text. */
  readonly before?: string;
}

export interface SourceVersion {
  readonly text: string;
  /** The event that wrote it, by id or by its seq in the thread. */
  readonly event: string | number;
  /** Differs from the event's author where an event brings texts of several. */
  readonly author?: { readonly id: string; readonly kind: 'human' | 'model'; readonly ts: string };
  /** The call of a model that it came from. */
  readonly call?: CallFacts;
}

/** The facts about a call in the event that came from it. */
export interface CallFacts {
  readonly model: string;
  readonly small?: true | undefined;
  readonly raw?: string | undefined;
  readonly usage?: { readonly prompt: number; readonly generated: number; readonly estimated?: true | undefined };
  readonly cost?: number | undefined;
  readonly latency_ms?: number | undefined;
  readonly seed?: number | undefined;
}

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
  /** Lower-case letters: part of addresses, and a noun in sentences. */
  readonly kind: string;
  readonly events: readonly EventDefinition[];
  /** Names are unique within a mode, and differ from those of the conversation. */
  readonly commands: Commands;
  /** Earlier names of commands, which still work until 1.0. */
  readonly aliases?: CommandAliases<Commands>;
  /** How to record a job's result that may not be stored as it is; absent if no job reports any. */
  readonly results?: JobResults<CommandOf<Commands>>;
  /** The options for creating such a thread, besides its title. */
  readonly setup: Setup;
  /**
   * Who may set these options: the same participants who may change the settings later, because the options choose and
   * instruct models (T22).
   */
  readonly setupAccess: 'human' | 'participant';
  /** Who may fork such a thread, with any command. */
  readonly forkAccess: 'human' | 'participant';
  /** The thread's first events, after `thread.created`. */
  begin(setup: z.infer<Setup>, context: ModeContext, seed?: ThreadSeed): Decision;
  initial(): State;
  /** A fork begins with its parent's state and its own `thread.created` (with `forked_from`). */
  evolve(state: State, event: Event): State;
  decide(state: State, command: CommandOf<Commands>, context: ModeContext): Decision;
  /** The mode's part of the thread's row in lists of threads: small, and written only when it changes. */
  summary(state: State): Json | undefined;
  /** The models that think in such a thread, by the ids they write under. */
  minds?(state: State): readonly ThreadMind[];
  jobs(state: State): readonly Job[];
  /** The id under which a job's result is written, if the thread determines one. */
  writerOf?(state: State, job: Job): string | undefined;
  /** The searchable texts of an event. The position of each in the list never changes. */
  texts(event: Event): readonly SearchText[];
  /**
   * The place of one of an event's texts, by its position, if the event itself does not say; without a position, the
   * place where the event is shown.
   */
  placeOf(state: State, event: Event, text?: number): string | undefined;
  /** What a place may be, for people who named none: "a turn (#2) or a draft (#2.3)". */
  readonly places: string;
  /** The whole thread is one text, which a link without a place means. */
  readonly isOneText?: true;
  /** The code of the refusal of a place that is not there; by default `unknown_event`. */
  readonly unknownPlace?: RefusalCode;
  /** The text at a place as a participant sees it; without a place, the text that the whole thread is, if it is one. */
  sourceOf(state: State, at: string | undefined, reader: string): TextSource | undefined;
  /** The ways to bring a text into such a thread, the default first. */
  readonly accepts: Readonly<Partial<Record<BringWay, (input: BroughtInput) => CommandOf<Commands>>>>;
  /** The way that fits what the thread waits for now, if it is not the default. */
  acceptsNow?(state: State, at: string | undefined): BringWay | undefined;
}

export interface JobResults<Report> {
  /** The report of a fault that says why the result may not be stored. */
  fault(report: Report, refusal: RefusalDetail): Report;
  /** The same result without what can be spared, for one that is too large. */
  smaller?(report: Report): Report | undefined;
}

type CommandAliases<Commands extends ModeCommands> = Readonly<Record<string, keyof Commands & string>>;
