import { z } from 'zod';
import { defineEvent } from '../events/define.ts';

/** The cluster of a thought, found with the vectors of one embedder; no cluster means noise, for now (D26). */
export const ThoughtClustered = defineEvent('thought.clustered', {
  schema: z.strictObject({
    thought: z.number().int().positive(),
    cluster: z.number().int().positive().nullable(),
    embedder: z.string().min(1).max(200),
  }),
});

export const poolEvents = [ThoughtClustered];
