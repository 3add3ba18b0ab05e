import type { z } from 'zod';
import type { NewEvent } from '../events/event.ts';
import type { ModeContext } from '../mode.ts';
import type { waitInput } from './wait-schema.ts';

/* A model that is away, overloaded or asked too often is waited for: its run neither ends nor pauses for that (D31). */

export interface Waiting {
  /** When the first of several waits in a row began. */
  readonly since: string;
  readonly until: string;
  /** A sentence. */
  readonly why: string;
}

/** The event that says so. */
export function waitEvent(
  type: string,
  { run, why, until, blobs = [] }: z.infer<typeof waitInput>,
  { thread }: ModeContext,
  more: { readonly audit?: number } = {},
): NewEvent {
  const content = { run, why, until, ...more };
  return { thread: thread.id, type, content, ...(blobs.length > 0 && { meta: { blobs } }) };
}

export function waitingFrom(
  before: Waiting | undefined,
  ts: string,
  { why, until }: Pick<Waiting, 'why' | 'until'>,
): Waiting {
  return { since: before?.since ?? ts, until, why };
}
