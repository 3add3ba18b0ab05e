import type { Upcasts } from '../events/upcast.ts';

export const loomUpcasts = {
  // Early versions did not compare choices: a generation always showed the first (W4).
  'generation.finished': [(content) => ({ shown: 0, ...(content as object) })],
} as const satisfies Upcasts;
