import { z } from 'zod';
import { textKinds } from '../core/search/kinds.ts';
import { MAX_QUERY_LENGTH } from '../core/search/query.ts';
import { tag } from '../core/threads/schema.ts';

const dateText = z.string().max(40);

const hit = z.object({
  thread: z.string(),
  /** The thread's current title. */
  title: z.string(),
  /** The first part of the link: `threads` for a conversation, otherwise the kind of thread. */
  room: z.string(),
  kind: z.enum(textKinds),
  /** The page path that leads exactly to the hit (core/link.ts). */
  link: z.string(),
  from: z.string(),
  ts: z.string(),
  /** The excerpt in parts. Joined, they are the passage, with … where it is cut. */
  parts: z.array(z.object({ text: z.string(), hit: z.boolean() })).readonly(),
});
export type SearchHit = z.infer<typeof hit>;

const searchPage = z.object({
  hits: z.array(hit),
  more: z.boolean(),
  /** The cursor of the next page, if there is one. */
  cursor: z.string().optional(),
  /** How many events are indexed so far, of how many in the workspace. */
  indexed: z.object({ events: z.number(), total: z.number() }),
});
export type SearchPage = z.infer<typeof searchPage>;

export const searchRoutes = {
  'GET /api/search': {
    summary: 'Searches all texts of the workspace: titles, messages, drafts, thoughts, nodes, audits and more.',
    access: 'participant',
    status: 200,
    query: z.strictObject({
      q: z.string().max(MAX_QUERY_LENGTH).default('').describe('words, "exact phrase", -not, begin*'),
      kind: z
        .string()
        .max(200)
        .optional()
        .describe(`Only these kinds, separated by commas: ${textKinds.join(', ')}.`),
      from: z.string().max(128).optional().describe('Only texts by this participant.'),
      after: dateText.optional().describe('Only from this date or time on, such as 2026-11-01.'),
      before: dateText.optional().describe('Only up to this date or time.'),
      thread: z.string().max(64).optional().describe('Only in this thread, including the threads it was forked from.'),
      tag: tag.optional().describe('Only in threads that have this tag.'),
      archived: z.enum(['true']).optional().describe('Also search archived threads.'),
      limit: z.coerce.number().int().min(1).max(100).default(20),
      cursor: z.string().max(64).optional().describe('The next page, from an earlier answer.'),
    }),
    response: searchPage,
  },
} as const;
