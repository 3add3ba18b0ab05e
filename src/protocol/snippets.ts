import { z } from 'zod';

const MAX_THREADS = 64;

const snippet = z.object({
  /** Who wrote the newest text of the thread. */
  by: z.string(),
  text: z.string().describe('Its beginning, on one line.'),
});
export type WireSnippet = z.infer<typeof snippet>;

export const snippetRoutes = {
  'GET /api/snippets': {
    summary: `Returns the newest text of up to ${MAX_THREADS} threads, shortened. Threads without a text and unknown threads are left out.`,
    access: 'participant',
    status: 200,
    query: z.strictObject({
      threads: z
        .string()
        .max(65 * MAX_THREADS)
        .describe('IDs of threads, separated by commas.'),
    }),
    response: z.object({ snippets: z.record(z.string(), snippet) }),
  },
} as const;
