import { z } from 'zod';
import type { Event, Json } from './events/event.ts';

/**
 * Where something came from: the place in the workspace that a thread was opened from, or that a text was brought from.
 * Found by the server in its own log; the hash is that of the event the text stands in.
 */
export const origin = z.strictObject({
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
export type Origin = z.infer<typeof origin>;

/** A text of another thread that came into this one: from where, and to which place here. */
export interface Brought {
  readonly from: Origin;
  readonly at: string;
}

const REMEMBERED = 32;

/** The newest for each thread that something came from; what is older is in the log. */
export function withBrought(before: readonly Brought[], event: Event): readonly Brought[] {
  const from = originIn(event.meta.origin);
  if (!from) return before;
  const others = before.filter((each) => each.from.thread !== from.thread);
  return [...others, { from, at: placeOf(event) }].slice(-REMEMBERED);
}

/**
 * What an event says of an origin, if it says it: events of others' files may say anything. In an order of its own, as
 * the stored text has another and an answer must not tell which it was made from (L7).
 */
export function originIn(said: unknown): Origin | undefined {
  if (typeof said !== 'object' || said === null) return undefined;
  const { thread, link, what, event, hash, start, end } = said as Origin;
  if ([thread, link, what, event, hash].some((each) => typeof each !== 'string')) return undefined;
  const part = typeof start === 'number' && typeof end === 'number' ? { start, end } : {};
  return { thread, link, what, event, hash, ...part };
}

/** Where in its thread the words of an event are shown: the last part of their address. */
export function placeOf({ id, type, content }: Event): string {
  const { turn, draft, append } = content as { turn?: Json; draft?: Json; append?: { node: string } };
  if (type === 'turn.accepted') return `${turn}.${draft}`;
  if (type.startsWith('turn.')) return String(turn);
  return type === 'loom.committed' && append ? append.node : id;
}
