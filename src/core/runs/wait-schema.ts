// Apart from waits.ts, which the page uses and which has to do without zod.
import { z } from 'zod';

/** When the model is asked again: clocks show it, also that of an import (L25). */
export const nextTry = z.iso.datetime({ error: 'must be a time in UTC' });

export const waitContent = z.strictObject({
  run: z.number().int().min(0),
  why: z.string(),
  until: nextTry,
});

/** What the worker of a run reports. */
export const waitInput = waitContent.extend({ blobs: z.array(z.string()).optional() });
