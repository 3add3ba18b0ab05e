import type { z } from 'zod';
import type { DialogueEvent } from './dialogue/events.ts';
import type { EventOf } from './events/define.ts';
import type { Event } from './events/event.ts';
import { readEvent } from './events/read.ts';
import type { LoomCommitted } from './loom/events.ts';
import type { originSchema } from './origin-schema.ts';

/** See `originSchema`. */
export type Origin = z.infer<typeof originSchema>;

/** A text that was brought into this thread: its source, and its place here. */
export interface BroughtText {
  readonly from: Origin;
  readonly at: string;
}

const MAX_BROUGHT_TEXTS = 32;

/** Keeps the newest text from each source thread; older ones are only in the log. */
export function addBroughtText(texts: readonly BroughtText[], event: Event): readonly BroughtText[] {
  const from = readOrigin(event.meta.origin);
  if (!from) return texts;
  const others = texts.filter((each) => each.from.thread !== from.thread);
  return [...others, { from, at: placeOfEvent(event) }].slice(-MAX_BROUGHT_TEXTS);
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

/** The place in its thread where an event's text is shown: the last part of its address. */
export function placeOfEvent(stored: Event): string {
  const event = readEvent<DialogueEvent | EventOf<typeof LoomCommitted>>(stored);
  switch (event.type) {
    case 'turn.accepted':
      return `${event.content.turn}.${event.content.draft}`;
    case 'turn.opened':
    case 'turn.steered':
    case 'turn.withdrawn':
      return String(event.content.turn);
    case 'loom.committed':
      return event.content.append?.node ?? event.id;
    default:
      return event.id;
  }
}
