// Apart from waits.ts, which the page uses and which has to do without zod.
import { z } from 'zod';

export const waitContent = z.strictObject({
  run: z.number().int().min(0),
  why: z.string(),
  /** When the model is asked again. */
  until: z.string(),
});

/** What the worker of a run reports. */
export const waitInput = waitContent.extend({ blobs: z.array(z.string()).optional() });
