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
  thread: z.string().describe('Where it would come to.'),
  link: z.string().describe('The address of the text.'),
  text: z.string().describe('How it begins.'),
  chars: z.number().int(),
  ways: z.array(z.enum(bringWays)).describe('What is allowed now, the usual way first.'),
  why: z.string().optional().describe('Why nothing is.'),
});
export type WireBringWays = z.infer<typeof availableWays>;

/** Routes that move texts between threads (I11). */
export const transferRoutes = {
  'POST /api/open': {
    summary: 'Opens a text of any thread as a loom or a dialogue that knows where it came from.',
    access: 'participant',
    status: 201,
    command: true,
    body: z.strictObject({
      link: link.describe('The address of the text: a message, draft, thought, audit or node.'),
      as: z.enum(['loom', 'dialogue']),
      title: schema.title.optional().describe('The beginning of the text unless said.'),
      start: offset.optional().describe('Only a part of the text, in UTF-16 units.'),
      end: offset.optional(),
      ask: z.string().trim().min(1).max(20_000).optional().describe('For a dialogue: what to ask about it.'),
    }),
    response: z.object({ thread: threadRow, link: z.string() }),
  },
  'GET /api/bring': {
    summary: 'As what a text could be brought into another thread now; nothing is done.',
    access: 'participant',
    status: 200,
    query: z.strictObject({ from: link, to: link.optional() }),
    response: availableWays,
  },
  'POST /api/bring': {
    summary: 'Brings a text into another thread, by default where its own was opened from.',
    access: 'participant',
    status: 201,
    command: true,
    body: z.strictObject({
      from: link.describe('The address of the text; of a loom, the path up to the node, or the whole path.'),
      to: link.optional().describe('A thread, or a place in it: what its own thread was opened from unless said.'),
      as: z.enum(bringWays).optional().describe('What it becomes there; the usual way unless said.'),
    }),
    response: commandResult.extend({ link: z.string() }),
  },
  'GET /api/threads/:thread/trail': {
    summary: 'The threads this one came from and those that came from it, and how.',
    access: 'participant',
    status: 200,
    response: trailSchema,
  },
} as const;
