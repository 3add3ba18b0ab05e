import { dialogue } from './dialogue/dialogue.ts';
import { exchange } from './exchange/exchange.ts';
import { loom } from './loom/loom.ts';
import type { ModeKind } from './mode.ts';

/** All modes, by the kind of thread. */
export const modes = { dialogue, exchange, loom } as const satisfies Partial<Record<ModeKind, unknown>>;
export const modeEvents = Object.values(modes).map(({ events }) => events);
