import type { ModeKind } from './mode.ts';

/** The ways of working there are, by the kind of thread. */
export const modes = {} as const satisfies Partial<Record<ModeKind, unknown>>;
