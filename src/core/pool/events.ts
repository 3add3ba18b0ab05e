import { z } from 'zod';
import type { EventType } from '../events/manifest.ts';

/** Where a thought belongs, as found with the vectors of one embedder; no cluster is noise, for now (D26). */
export const thoughtClustered = z.strictObject({
  thought: z.number().int().positive(),
  cluster: z.number().int().positive().nullable(),
  embedder: z.string().min(1).max(200),
});

export const poolEvents: readonly EventType[] = [
  { type: 'thought.clustered', v: 1, durable: true, schema: thoughtClustered },
];
