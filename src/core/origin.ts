import type { z } from 'zod';
import type { Event } from './events/event.ts';
import type { originSchema } from './origin-schema.ts';

/** See `originSchema`. */
export type Origin = z.infer<typeof originSchema>;

/** A text that was brought into this thread: its source, and its place here. */
export interface BroughtText {
  readonly from: Origin;
  readonly at: string;
}

/** What a text may become in the thread that it is brought into. */
export const bringWays = ['draft', 'message', 'steer', 'accept', 'branch'] as const;
export type BringWay = (typeof bringWays)[number];

/** A text on its way into a thread. */
export interface BroughtInput {
  readonly thread: string;
  readonly text: string;
  /** The place in this thread that the text refers to. */
  readonly at?: string | undefined;
}

const MAX_BROUGHT_TEXTS = 32;

/** Keeps the newest text from each source thread; older ones are only in the log. `at` is its place here. */
export function addBroughtText(texts: readonly BroughtText[], { meta }: Event, at: string): readonly BroughtText[] {
  const from = readOrigin(meta.origin);
  if (!from) return texts;
  const others = texts.filter((each) => each.from.thread !== from.thread);
  return [...others, { from, at }].slice(-MAX_BROUGHT_TEXTS);
}

/**
 * Reads the origin in an event, if there is a valid one: events in imported files may contain anything. The keys have a
 * fixed order that differs from the stored text, so that the answer is the same whether it is built from the new event
 * or from the stored one (L7).
 */
export function readOrigin(value: unknown): Origin | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { thread, link, what, event, hash, start, end } = value as Origin;
  if ([thread, link, what, event, hash].some((each) => typeof each !== 'string')) return undefined;
  const range = typeof start === 'number' && typeof end === 'number' ? { start, end } : {};
  return { thread, link, what, event, hash, ...range };
}
