import { dialogue } from './dialogue/dialogue.ts';
import { exchange } from './exchange/exchange.ts';
import { loom } from './loom/loom.ts';
import type { Mode, ModeCommands } from './mode.ts';

/** The registry of modes, by the kind of thread. */
export const modes = { dialogue, exchange, loom } as const;
export type Modes = typeof modes;

/** A mode as those see it who do not know which one it is. */
export type AnyMode = Mode<unknown, ModeCommands>;

// Each mode knows only its own state and commands; the thread's kind selects the mode.
export const allModes = Object.values(modes) as unknown as readonly AnyMode[];
const modeByKind = new Map<string, AnyMode>(allModes.map((mode) => [mode.kind, mode]));
const modeByEvent = new Map(allModes.flatMap((mode) => mode.events.map(({ type }) => [type, mode] as const)));

/** The mode of a kind of thread; undefined for conversations, and for kinds that only another version knows. */
export function modeOf(kind: string): AnyMode | undefined {
  return modeByKind.get(kind);
}

/** The mode that an event belongs to; undefined for events of the conversation. */
export function modeOfEvent(type: string): AnyMode | undefined {
  return modeByEvent.get(type);
}

export const threadKinds: readonly string[] = ['conversation', ...allModes.map(({ kind }) => kind)];
