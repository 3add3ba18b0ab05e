import { z } from 'zod';
import { bringWays } from '../core/origin.ts';
import * as schema from '../core/threads/schema.ts';
import { trailSchema } from '../core/threads/view/schema.ts';
import { threadRow } from './threads.ts';
import { commandResult } from './wire.ts';

const link = z.string().min(1).max(400);
const offset = z.number().int().nonnegative().max(1_048_576);

/** The ways a text could enter a thread now. */
const availableWays = z.object({
  thread: z.string().describe('The target place.'),
  link: z.string().describe('The address of the text.'),
  text: z.string().describe('How it begins.'),
  chars: z.number().int(),
  ways: z.array(z.enum(bringWays)).describe('What is allowed now, the default first.'),
  why: z.string().optional().describe('Why nothing is allowed.'),
});
export type WireBringWays = z.infer<typeof availableWays>;

/** Routes that move texts between threads (I29). */
export const transferRoutes = {
  'POST /api/open': {
    summary: 'Opens a text of any thread as a loom or a dialogue that records its origin.',
    access: 'participant',
    status: 201,
    command: true,
    body: z.strictObject({
      link: link.describe('The address of the text: a message, draft, thought, audit or node.'),
      as: z.enum(['loom', 'dialogue']),
      title: schema.title.optional().describe('Default: the beginning of the text.'),
      start: offset.optional().describe('Only a part of the text, in UTF-16 units.'),
      end: offset.optional(),
      ask: z.string().trim().min(1).max(20_000).optional().describe('For a dialogue: a question about the text.'),
    }),
    response: z.object({ thread: threadRow, link: z.string() }),
  },
  'GET /api/bring': {
    summary: 'Returns what a text could become in another thread now. Changes nothing.',
    access: 'participant',
    status: 200,
    query: z.strictObject({ from: link, to: link.optional() }),
    response: availableWays,
  },
  'POST /api/bring': {
    summary: 'Sends a text to another thread, by default to the place its own thread was opened from.',
    access: 'participant',
    status: 201,
    command: true,
    body: z.strictObject({
      from: link.describe('The address of the text; of a loom, the path up to the node, or the whole path.'),
      to: link.optional().describe('A thread, or a place in it. Default: the place its own thread was opened from.'),
      as: z.enum(bringWays).optional().describe('What it becomes there. Default: the first allowed form.'),
    }),
    response: commandResult.extend({ link: z.string() }),
  },
  'GET /api/threads/:thread/trail': {
    summary: 'Lists the threads this one was opened from and those opened from it, and how.',
    access: 'participant',
    status: 200,
    response: trailSchema,
  },
} as const;
