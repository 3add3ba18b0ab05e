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
    summary: 'How far the caller has read each thread, as the caller has said.',
    access: 'participant',
    status: 200,
    response: z.object({ marks: z.record(z.string(), cursor) }),
  },
  'POST /api/threads/:thread/read-mark': {
    summary: 'Says how far the caller has read a thread. No event: nobody else sees it, and it never goes back.',
    access: 'participant',
    status: 200,
    body: z.strictObject({ cursor }),
    response: z.object({ cursor }),
  },
  'POST /api/threads/:thread/summary': {
    summary:
      'What was said behind a cursor, in the words of an auditor. Nothing is posted; the use of the model counts.',
    access: 'human',
    status: 200,
    body: z.strictObject({
      after: cursor.optional().describe('What the reader knows; left out, the whole thread is summed up.'),
    }),
    response: summary,
  },
} as const;
