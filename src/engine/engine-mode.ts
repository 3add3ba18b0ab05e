import type { Event } from '../core/events/event.ts';
import type { Command, State } from '../core/workspace.ts';
import type { Embedder } from '../models/embedder.ts';
import type { Time } from '../models/resilience/time.ts';
import type { Models } from './calls/models.ts';
import type { Account, EventNames, ExplainContext } from './explain/account.ts';
import type { PerformJob } from './jobs.ts';

export interface PerformerParts {
  readonly models: Models;
  readonly embedder: Embedder;
  readonly time: Time;
  /** Whether somebody holds a credential under this id. */
  isHeld(id: string): boolean;
}

/** What a mode adds to the engine; `core/mode.ts` is its other half. */
export interface EngineMode<ModeState> {
  /** Who does the mode's jobs, by kind of job. */
  performers(parts: PerformerParts): Readonly<Record<string, PerformJob<State, Command>>>;
  /** Explains the text at a place. Without it, a text is explained by the event that wrote it. */
  readonly explanations?: ModeExplanations<ModeState>;
  /** A sample of such a thread, for the tour. */
  readonly sample?: SampleThread;
}

export interface SampleThread {
  /** The input of the command that creates it. */
  create(model: string): object;
  /** The commands that fill the thread, in order. */
  commandsFor(thread: string, model: string): readonly object[];
}

export interface ModeExplanations<ModeState> extends EventNames {
  explainAt(context: ExplainContext, state: ModeState, at: string): Promise<Account | undefined>;
  /** The place of the text that an event wrote, if it has one of its own. */
  placeOf(state: ModeState, event: Event): string | undefined;
  /** What can be explained, for people who named nothing that is there. */
  readonly places: string;
}
