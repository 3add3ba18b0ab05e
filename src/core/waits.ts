import { z } from 'zod';
import type { NewEvent } from './event.ts';
import type { ModeContext } from './mode.ts';

/* A model that is away, overloaded or asked too often is waited for: its run neither ends nor pauses for that (D31). */

const run = z.number().int().min(0);

/** What a run's worker reports: why it waits, and how long it would. */
export const waitInput = z.strictObject({
  run,
  why: z.string(),
  ms: z.number().int().min(0),
  blobs: z.array(z.string()).optional(),
});

export const waitContent = z.strictObject({
  run,
  why: z.string(),
  /** When the model is asked again. */
  until: z.string(),
});

export interface Waiting {
  /** When the first of several waits in a row began. */
  readonly since: string;
  readonly until: string;
  /** A sentence. */
  readonly why: string;
}

interface WaitingRun {
  readonly run: number;
  readonly budget: { readonly seconds?: number | undefined };
  readonly spent: { readonly since: string };
}

/** The event that says so. No wait is longer than the time that the run may take. */
export function waitEvent(
  type: string,
  { run, budget, spent }: WaitingRun,
  { why, ms, blobs = [] }: z.infer<typeof waitInput>,
  { thread, now }: ModeContext,
): NewEvent {
  const end = budget.seconds === undefined ? Number.POSITIVE_INFINITY : Date.parse(spent.since) + budget.seconds * 1000;
  const until = new Date(Math.min(Date.parse(now) + ms, end)).toISOString();
  return { thread: thread.id, type, content: { run, why, until }, ...(blobs.length > 0 && { meta: { blobs } }) };
}

export function waitingFrom(
  before: Waiting | undefined,
  ts: string,
  { why, until }: z.infer<typeof waitContent>,
): Waiting {
  return { since: before?.since ?? ts, until, why };
}

/** "waiting for the model, next try at 02:14:05 UTC: Nothing answers at …" */
export function waitingWords({ until, why }: Waiting): string {
  return `waiting for the model, next try at ${until.slice(11, 19)} UTC: ${why}`;
}
