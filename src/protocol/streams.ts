import { z } from 'zod';
import { MAX_WATCHED_THREADS } from './stream-id.ts';

/** Routes for open streams. */
export const streamRoutes = {
  'POST /api/streams/:stream/watch': {
    summary:
      'Sets which threads the reader of this workspace stream has open, replacing earlier ones: it is present in these.',
    access: 'participant',
    status: 200,
    body: z.strictObject({ threads: z.array(z.string().max(64)).max(MAX_WATCHED_THREADS) }),
    response: z.object({ threads: z.array(z.string()) }),
  },
} as const;
