import { z } from 'zod';

/**
 * The place in the workspace that a thread was opened from or a text was brought from. The server finds it in its own
 * log; the hash is that of the event that contains the text.
 */
export const originSchema = z.strictObject({
  thread: z.string().min(1).max(64),
  /** The address of the place (core/link.ts). */
  link: z.string().min(1).max(400),
  /** A noun of the kind of thread that it came from: "message", "draft", "node". */
  what: z.string().regex(/^[a-z]{1,32}$/),
  event: z.string().min(1).max(64),
  hash: z.string().min(1).max(64),
  /** The part of the text that was taken, in UTF-16 units; if absent, all of it. */
  start: z.number().int().nonnegative().optional(),
  end: z.number().int().positive().optional(),
});
