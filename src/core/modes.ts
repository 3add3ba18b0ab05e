import { dialogue } from './dialogue/dialogue.ts';
import type { ModeKind } from './mode.ts';

/** The ways of working there are, by the kind of thread. */
export const modes = { dialogue } as const satisfies Partial<Record<ModeKind, unknown>>;
