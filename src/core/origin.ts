import { z } from 'zod';
import type { DialogueEvent } from './dialogue/events.ts';
import type { EventOf } from './events/define.ts';
import type { Event } from './events/event.ts';
import { readEvent } from './events/read.ts';
import type { LoomCommitted } from './loom/events.ts';

/**
 * Where something came from: the place in the workspace that a thread was opened from, or that a text was brought from.
 * Found by the server in its own log; the hash is that of the event the text stands in.
 */
export const originSchema = z.strictObject({
  thread: z.string().min(1).max(64),
  /** The address of the place (core/link.ts). */
  link: z.string().min(1).max(400),
  what: z.enum(['message', 'draft', 'thought', 'audit', 'terms', 'node']),
  event: z.string().min(1).max(64),
  hash: z.string().min(1).max(64),
  /** The part of the text that was taken, in UTF-16 units; all of it unless said. */
  start: z.number().int().nonnegative().optional(),
  end: z.number().int().positive().optional(),
});
export type Origin = z.infer<typeof originSchema>;

/** A text of another thread that came into this one: from where, and to which place here. */
export interface BroughtText {
  readonly from: Origin;
  readonly at: string;
}

const MAX_BROUGHT_TEXTS = 32;

/** The newest for each thread that something came from; what is older is in the log. */
export function addBroughtText(texts: readonly BroughtText[], event: Event): readonly BroughtText[] {
  const from = readOrigin(event.meta.origin);
  if (!from) return texts;
  const others = texts.filter((each) => each.from.thread !== from.thread);
  return [...others, { from, at: placeOfEvent(event) }].slice(-MAX_BROUGHT_TEXTS);
}

/**
 * What an event says of an origin, if it says it: events of others' files may say anything. In an order of its own, as
 * the stored text has another and an answer must not tell which it was made from (L7).
 */
export function readOrigin(value: unknown): Origin | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { thread, link, what, event, hash, start, end } = value as Origin;
  if ([thread, link, what, event, hash].some((each) => typeof each !== 'string')) return undefined;
  const range = typeof start === 'number' && typeof end === 'number' ? { start, end } : {};
  return { thread, link, what, event, hash, ...range };
}

/** Where in its thread the words of an event are shown: the last part of their address. */
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
