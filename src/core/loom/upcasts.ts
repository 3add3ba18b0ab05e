import type { Upcasts } from '../events/upcast.ts';

export const loomUpcasts = {
  // Before choices were weighed, a generation led to the first (W4).
  'generation.finished': [(content) => ({ shown: 0, ...(content as object) })],
} as const satisfies Upcasts;
