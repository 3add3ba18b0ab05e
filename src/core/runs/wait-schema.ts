// Separate from wait.ts, because the page uses that file and must not load zod.
import { z } from 'zod';

/** The time of the next attempt. It must be a valid time because it is displayed, also for an import (L25). */
export const retryTimeSchema = z.iso.datetime({ error: 'must be a time in UTC' });

export const waitContentSchema = z.strictObject({
  run: z.number().int().min(0),
  why: z.string(),
  until: retryTimeSchema,
});

/** Input that the worker of a run reports. */
export const waitInputSchema = waitContentSchema.extend({ blobs: z.array(z.string()).optional() });
