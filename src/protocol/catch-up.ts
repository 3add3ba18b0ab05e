import { z } from 'zod';

const cursor = z.string().max(64);

const summary = z.object({
  /** The participant who wrote the summary. */
  by: z.string(),
  model: z.string(),
  label: z.literal('small').optional(),
  text: z.string(),
  /** How many events the summary covers; 0 if there was nothing to summarize. */
  events: z.number(),
});
export type WireSummary = z.infer<typeof summary>;

/** Routes for readers who return to a thread (T20). */
export const catchUpRoutes = {
  'GET /api/read-marks': {
    summary: 'Returns how far the caller has marked each thread as read.',
    access: 'participant',
    status: 200,
    response: z.object({ marks: z.record(z.string(), cursor) }),
  },
  'POST /api/threads/:thread/read-mark': {
    summary:
      'Sets how far the caller has read a thread. This is not an event: nobody else sees it, and it never moves back.',
    access: 'participant',
    status: 200,
    body: z.strictObject({ cursor }),
    response: z.object({ cursor }),
  },
  'POST /api/threads/:thread/summary': {
    summary:
      'Returns an auditor’s summary of the messages after a cursor. Nothing is posted; the model’s usage counts.',
    access: 'human',
    status: 200,
    body: z.strictObject({
      after: cursor.optional().describe('The last event the reader knows; without it, summarises the whole thread.'),
    }),
    response: summary,
  },
} as const;
