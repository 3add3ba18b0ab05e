// Apart from waits.ts, which the page uses and which has to do without zod.
import { z } from 'zod';

/** When the model is asked again: clocks show it, also that of an import (L25). */
export const retryTimeSchema = z.iso.datetime({ error: 'must be a time in UTC' });

export const waitContentSchema = z.strictObject({
  run: z.number().int().min(0),
  why: z.string(),
  until: retryTimeSchema,
});

/** What the worker of a run reports. */
export const waitInputSchema = waitContentSchema.extend({ blobs: z.array(z.string()).optional() });
