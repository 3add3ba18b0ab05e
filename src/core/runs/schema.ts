// The page uses the files beside this one, and must not load zod: they import only types from here.
import { z } from 'zod';
import { natural, positive } from '../util/schemas.ts';

/** The time of the next attempt. It must be a valid time because it is displayed, also for an import (L25). */
export const retryTimeSchema = z.iso.datetime({ error: 'must be a time in UTC' });

export const waitContentSchema = z.strictObject({
  run: natural,
  why: z.string(),
  until: retryTimeSchema,
  partial: z.string().exactOptional().describe('The beginning of an answer that broke off.'),
});

/** Input that the worker of a run reports. */
export const waitInputSchema = waitContentSchema.extend({ blobs: z.array(z.string()).optional() });

export const modelWaitSchema = z
  .object({
    since: z.string().describe('When the first of several waits in a row began.'),
    until: z.string(),
    why: z.string(),
    partial: z.string().exactOptional().describe('The beginning of an answer that broke off.'),
  })
  .describe('The model cannot answer now; the call is repeated then.');
export type ModelWait = z.infer<typeof modelWaitSchema>;

/** Limits at which any run pauses; its steps are counted besides. */
export const budgetLimits = {
  tokens: positive,
  money: z.number().positive(),
  seconds: z.number().positive(),
} as const;

/** What one call to a model used. */
export const usageSchema = z.strictObject({
  prompt: natural,
  generated: natural,
  cost: z.number().min(0).exactOptional(),
  estimated: z.literal(true).exactOptional(),
});
export type ModelUse = z.infer<typeof usageSchema>;

/** The result of a call without usable output. It is data and decides nothing (M9). */
export const problemResults = [
  z.strictObject({ malformed: z.string() }),
  z.strictObject({
    error: z.string(),
    partial: z.string().exactOptional().describe('The beginning of an answer that broke off.'),
    lasting: z.literal(true).optional(),
    /** The model was not called: the budget does not allow it. */
    budget: z.literal(true).optional(),
  }),
] as const;
export type CallProblem = z.infer<(typeof problemResults)[number]>;

/** What the status of every run shows; a mode adds its steps, its budget and why the run stopped. */
export const runFields = {
  run: positive,
  state: z.enum(['running', 'paused', 'ended']),
  done: natural,
  since: z.string(),
  waiting: modelWaitSchema.exactOptional(),
  interrupted: z.literal(true).exactOptional().describe('It would continue, but no server is running it.'),
  why: z.string().exactOptional(),
} as const;
