import { z } from 'zod';
import * as schema from '../core/threads/schema.ts';
import { summarySchema, viewSchema } from '../core/threads/view/schema.ts';

export const imported = z.object({ up_to: z.number().int(), waiting: z.literal(true).optional() });

export const delivery = z.object({
  participant: z.string(),
  decision: z.enum(['wake', 'queue', 'no']),
  code: z.string(),
  reason: z.string(),
  reach: z.enum(['live', 'wakeable', 'declared', 'none']),
});
export type WireDelivery = z.infer<typeof delivery>;

export const listQuery = z.strictObject({
  archived: z
    .enum(['true', 'only'])
    .optional()
    .describe('"true" includes archived threads, "only" returns no others. Default: without archived threads.'),
  tag: schema.tag.optional().describe('Only threads that have this tag.'),
});
export type ThreadListQuery = z.infer<typeof listQuery>;

export const threadRow = summarySchema.omit({ resumed: true, faces: true, cast: true, edits: true }).extend({
  /** The ids of a few of its participants. */
  people: z.array(z.string()).optional(),
  /** Models that think here, by id: the name to show and the model (T37). */
  minds: z.record(z.string(), z.object({ name: z.string(), model: z.string() })).optional(),
  /** The thread has imported events up to this seq. While it waits, nothing runs in it until a human resumes it. */
  imported: imported.optional(),
  /** The thread's newest event: when, by whom, and its cursor. */
  last: z.object({ ts: z.string(), from: z.string(), cursor: z.string() }),
});
export type ThreadRow = z.infer<typeof threadRow>;

export const presence = z.object({
  participant: z.string(),
  state: schema.presenceState,
  reach: z.enum(['live', 'wakeable', 'declared', 'none']),
  since: z.string(),
  details: schema.profile.optional(),
});
export type WirePresence = z.infer<typeof presence>;

export const threadState = viewSchema.omit({ resumed: true }).extend({ imported: imported.optional() });
export type WireThreadState = z.infer<typeof threadState>;
