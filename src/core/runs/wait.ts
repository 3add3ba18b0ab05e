import type { z } from 'zod';
import type { EventDefinition } from '../events/define.ts';
import type { NewEvent } from '../events/event.ts';
import type { ModeContext } from '../mode.ts';
import type { ModelWait, waitContentSchema, waitInputSchema } from './schema.ts';

/*
 * A run waits for a model that is unreachable, overloaded or rate-limited; it neither ends nor pauses for that (D31).
 */

/** Whether the model has not been called again yet. */
export function isWaiting({ until }: Pick<ModelWait, 'until'>, now: number): boolean {
  return Date.parse(until) > now;
}

type WaitDefinition = EventDefinition<string, typeof waitContentSchema>;

/** Builds the event that records a wait. */
export function waitEvent(
  definition: WaitDefinition,
  { run, why, until, partial, blobs = [] }: z.infer<typeof waitInputSchema>,
  { thread }: ModeContext,
  extra: { readonly audit?: number } = {},
): NewEvent {
  return definition.of(
    thread.id,
    { run, why, until, ...(partial !== undefined && { partial }), ...extra },
    blobs.length > 0 ? { meta: { blobs } } : {},
  );
}

export function extendWait(
  previous: ModelWait | undefined,
  ts: string,
  { why, until, partial }: Pick<ModelWait, 'why' | 'until' | 'partial'>,
): ModelWait {
  return { since: previous?.since ?? ts, until, why, ...(partial !== undefined && { partial }) };
}
